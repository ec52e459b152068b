// What the view says at each moment, sentence by sentence: its key in `words`, and what fills its places
({ trace, lines, words }) => {
  const api = weaverTrace, { moments, folds } = api.replay(trace), said = [];
  class Listed extends api.Teller {
    say(key, given = {}) {
      const text = super.say(key, given), told = this.instead[key] || key;
      const isPart = ["line", "line_at", "and_more"].includes(key);
      return isPart ? text : `\u0001${said.push([told, given]) - 1}\u0002${text}`;
    }
  }
  const teller = new Listed({ trace }, words, moments);
  teller.lines = lines;
  const decode = (text) => new DOMParser().parseFromString(text, "text/html").body.textContent;
  const plain = (value) => {
    if (!value?.html) return value;
    const codes = [...value.html.matchAll(/<code>(.*?)<\/code>/gs)].map((one) => decode(one[1]));
    return { codes, text: decode(value.html), count: Number(/… \((\d+)\+?\)$/.exec(value.html)?.[1] || codes.length) };
  };
  const one = (moment, index, fold) => {
    const text = teller.tell(moment, api.before(moments, index, fold), fold);
    const ids = text.split("\u0001").slice(1).map((part) => parseInt(part, 10));
    return ids.map((id) => said[id]).map(([key, given]) =>
      [key, Object.fromEntries(Object.entries(given).map(([name, value]) => [name, plain(value)]))]);
  };
  return moments.map((moment, index) => {
    const call = folds.find((fold) => fold.to === index && fold.kind === "call");
    const loop = folds.find((fold) => fold.to === index && fold.kind === "loop");
    const ways = [call, ...(call ? [{ ...call, open: !call.open }] : []), ...(loop ? [{ ...loop, open: false }] : [])];
    const { kind, step, line, depth, loops, event } = moment;
    return {
      kind, step: step.index, line, depth, loops,
      run: event?.run ?? null, event: event?.kind ?? null, of: event?.of ?? null,
      said: ways.map((fold) => one(moment, index, fold)),
    };
  });
}

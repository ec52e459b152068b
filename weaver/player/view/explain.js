// What a page of its own says besides: what gradients were multiplied by, and what makes one 0
(function (api) {
  const EQUAL = 1e-3; // how far factors may be apart, in parts of the first
  const FACTORS = /^(Mul|Mm|Addmm|Bmm|Baddbmm|Convolution|Relu)Backward/; // nodes that multiply by what they saved
  const VIEWS = /^(T|Transpose|Permute|View|Expand|Unsqueeze|ToCopy)Backward/;
  const code = (text) => ({ html: `<code>${api.escape(text)}</code>` });

  // A value's elements, or what is known of them
  function numbers(value) {
    if (Array.isArray(value)) return value.flat(Infinity);
    return value && typeof value === "object" ? [value.min, value.max] : [value];
  }

  function isZero(value) {
    const all = numbers(value);
    return all.length > 0 && !value?.nan && !value?.inf && all.every((one) => one === 0);
  }

  // The one number that all elements of some gradients were multiplied by, in place
  function factor(names, was, state) {
    if (!names.every((name) => was[name] && was[name].place === state[name]?.place)) return undefined;
    const pairs = names.flatMap((name) => {
      const [then, now] = [was[name], state[name]].map((facts) => numbers(facts.value));
      return then.map((one, at) => [one, now[at]]);
    });
    const areNumbers = pairs.every((pair) => pair.every(Number.isFinite));
    const ratios = pairs.filter((pair) => pair.some(Boolean)).map(([then, now]) => now / then);
    const [first] = ratios, isAlike = (one) => Math.abs(one - first) <= EQUAL * Math.abs(first);
    const isSure = areNumbers && ratios.length > 1 && ratios.every(isAlike);
    return isSure && first && Math.abs(first - 1) > EQUAL ? first : undefined;
  }

  // Memory may hold a nan before the program fills it. That isn't reported.
  const { replay } = api;
  api.replay = function (trace) {
    const found = replay(trace), { moments } = found, first = moments.find(({ nan }) => nan);
    const place = first?.state[first.nan]?.place;
    const isFinite = (value) => value && !value.nan && !value.inf && numbers(value).every(Number.isFinite);
    const isFilled = ({ state }) => Object.values(state).some((one) => one.place === place && isFinite(one.value));
    if (place && place[0] !== "n" && moments.slice(first.index).some(isFilled)) delete first.nan;
    return found;
  };

  api.Teller = class extends api.Teller {
    changes(moment, before, line) {
      const between = this.moments.slice(before.index + 1, moment.index);
      this.isOwn = between.every(({ kind }) => kind === "line"); // the engine adds gradients, and so may a gap
      this.isGrads = Object.entries(moment.state).some(([name, facts]) =>
        api.isGrad(name, moment.state) && !api.same(facts, before.state[name]));
      return super.changes(moment, before, line);
    }

    // Where gradients changed, that's told, and not that a norm requires none.
    one(name, moment, was, how) {
      return super.one(name, moment, was, { ...how, isPlain: how.isPlain && !this.isGrads });
    }

    grads(names, was, state) {
      const told = super.grads(names, was, state), by = this.isOwn && factor(names, was, state);
      if (by) told.push(`${told.pop()} ${this.say("grads_scaled", { n: api.short(by), names: code(names[0]) })}`);
      return told;
    }

    passed(at) {
      const told = super.passed(at), { event, node, find } = at;
      const isMade = event.received.some((one) => !isZero(one)) && (event.passed || []).some(isZero);
      const zero = isMade && FACTORS.test(node?.name) && (node.saved || []).find(({ value }) => isZero(value));
      return zero ? [...told, this.say("zeroed", { name: code(this.own(zero, find)) })] : told;
    }

    // The name of what was saved, or of what that is a view of
    own({ name, place }, find) {
      let at = place || "";
      while (VIEWS.test(this.nodeAt(at)?.name)) at = this.nodeAt(at).next?.[0] || "";
      const found = at && find(at);
      return found && found !== this.nodeAt(at)?.name && found !== "tensor" ? found : name;
    }
  };
})(weaverTrace);

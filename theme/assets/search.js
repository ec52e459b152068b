// A step before Material's search worker, whose address stands behind the question mark of this one's:
// documents are indexed by the words in them, and a query asks for the words that it means.

const SETUP = 0;
const QUERY = 2;
const RESULT = 3;
const WORD = /[a-z0-9_]+(?:-[a-z]+)*|[가-힣]+/g;
const HANGUL = /^[가-힣]/;
const PARTICLE =
  /^(.*?)(?:에서는|에서도|에서의|으로는|으로도|이라는|이라도|이에요|예요|인가요|에서|에게|에는|에도|으로|이란|이랑|이나|까지|부터|보다|처럼|마다|하고|라는|라도|로는|과의|와의|은|는|이|가|을|를|의|에|로|와|과|도|만|나|란|랑|요)$/;
const ASKING =
  /^(?:one|don|doesn|isn|왜|언제|어디|어디서|어떻게|어떤|어느|무엇|무슨|뭐|뭔가|뭔지|하는|하기|하면|해요|하나|하나요|될까|되나|되나요|법|방법|것|수|때|뜻|써|쓰나|나와)$/;

let meanings = new Map(); // what is typed, without spaces -> the words that the pages have for it
let vocabulary = [];
let asked = [];

const words = (text) => text.normalize("NFC").toLowerCase().match(WORD) || [];
const joined = (text) => words(text).join("").replace(/[_-]/g, "");

function stem(word) {
  if (HANGUL.test(word)) return meanings.has(word) ? word : word.replace(PARTICLE, "$1");
  return /[_0-9]/.test(word) ? word : porter(new lunr.Token(word)).toString();
}

// retain_graph is found as retain_graph, retain and graph; in-place as inplace and place
function forms(word) {
  const parts = word.split(/[_-]+/).filter((part) => part && lunr.stopWordFilter(part));
  return [...new Set([word.replace(/-/g, ""), ...(parts.join() === word ? [] : parts)].map(stem))].filter(Boolean);
}

function learn(synonyms) {
  for (const [term, others] of Object.entries(synonyms)) {
    for (const other of [term, ...others]) meanings.set(joined(other), words(term).map((word) => forms(word)[0]));
  }
}

// The longest beginning of the words from `at` that has a meaning: particles and endings may follow it
function meaning(typed, at) {
  for (let count = Math.min(4, typed.length - at); count > 0; count--) {
    const before = joined(typed.slice(at, at + count - 1).join(" ")).length;
    const all = joined(typed.slice(at, at + count).join(" "));
    const shortest = HANGUL.test(typed[at + count - 1]) ? Math.max(before + 1, 2) : all.length;
    for (let end = all.length; end >= shortest; end--) {
      const means = meanings.get(all.slice(0, end)) || (count === 1 && meanings.get(stem(all)));
      if (means) return { count, means };
    }
  }
}

// 사용자정의함수 -> 사용자, 정의, 함수: the longest beginnings that occur
function divide(word) {
  for (let end = word.length; end > 1; end--) {
    const head = word.slice(0, end);
    if (vocabulary.some((known) => known.startsWith(head))) return [head, ...divide(word.slice(end))];
  }
  return word.length > 2 ? divide(word.slice(1)) : [];
}

function clauses(word, last) {
  const [whole, ...parts] = forms(word);
  if (!whole) return [];
  if (HANGUL.test(whole)) {
    if (whole.length === 1) return [`${whole}^8`];
    if (vocabulary.some((known) => known.includes(whole))) return [`${whole}^8`, `*${whole}*^1`];
    return divide(whole).flatMap((part) => [`${part}^4`, `${part}*^1`]);
  }
  const begun = last && vocabulary.some((known) => known.startsWith(word)) ? [`${word}*^2`] : [];
  const known = vocabulary.includes(whole);
  return [
    ...(known ? [`${whole}^8`] : begun.length || whole.length < 4 ? [] : [`${whole}~1^4`]),
    ...begun,
    ...parts.map((part) => `${part}^1`),
  ];
}

function ask(query) {
  const typed = words(query);
  const useful = (word) =>
    !ASKING.test(word) &&
    (HANGUL.test(word)
      ? stem(word) && !ASKING.test(stem(word))
      : word.length > 1 && lunr.stopWordFilter(word) && !/^\d+$/.test(word));
  asked = [];
  for (let at = 0; at < typed.length; ) {
    const { count, means } = meaning(typed, at) || { count: 1 };
    const own = typed.slice(at, at + count).filter(useful);
    const terms = means
      ? [...means, ...own.flatMap(forms).filter((word) => vocabulary.includes(word))].map((word) => `${word}^8`)
      : own.flatMap((word) => clauses(word, at + count === typed.length));
    if (terms.length) asked.push({ typed: typed.slice(at, at + count).join(" "), terms });
    at += count;
  }
  return [...new Set(asked.flatMap(({ terms }) => terms))].join(" ");
}

// Only what the reader typed can be missing, not a synonym of ours
function tidy(result) {
  const bare = (term) => term.replace(/^\*|\*?[~^].*$/g, "");
  for (const section of result.items.flat()) {
    const found = Object.keys(section.terms).filter((term) => section.terms[term]);
    const missing = found.length ? asked.filter(({ terms }) => !terms.some((term) => found.includes(bare(term)))) : [];
    section.terms = Object.fromEntries([
      ...found.map((term) => [term, true]),
      ...missing.map(({ typed }) => [typed, false]),
    ]);
  }
}

// Before Material's own listener, so that it receives what is changed here
addEventListener("message", ({ data: message }) => {
  if (message.type === SETUP) learn(message.data.config.synonyms || {});
  if (message.type === QUERY) message.data = ask(message.data);
});
const send = postMessage.bind(self);
self.postMessage = (message) => {
  if (message.type === RESULT) tidy(message.data);
  send(message);
};

importScripts(location.search.slice(1));

const porter = lunr.stemmer;
lunr.stemmer = (token) =>
  token.metadata.position === undefined
    ? token // of a query, which has its words already
    : words(token.toString()).flatMap(forms).map((form) => token.clone(() => form));
lunr.Pipeline.registerFunction(lunr.stemmer, "words");

const { build } = lunr.Builder.prototype;
lunr.Builder.prototype.build = function () {
  const index = build.call(this);
  vocabulary = Object.keys(index.invertedIndex);
  for (const term of vocabulary) if (/._./.test(term)) meanings.set(joined(term), [term]);
  return index;
};

// A step before Material's search worker, whose address stands behind the question mark of this one's:
// documents are indexed by the words in them, and a query asks for the words that it means.

const [SETUP, QUERY, RESULT] = [0, 2, 3]; // Material's messages
const UNSPACED = "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}ー\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]";
const WORD = new RegExp(`[a-z0-9_ß-öø-ɏ]+(?:-[a-z]+)*|[가-힣]+|${UNSPACED}+|[\\p{L}\\p{M}]+`, "gu");
const HANGUL = /^[가-힣]/;
const GLUED = new RegExp(`^(?:[가-힣]|${UNSPACED})`, "u"); // words that stand within others
const SENTENCE = new RegExp(`^${UNSPACED}`, "u"); // words without spaces between them
const PARTICLE = new RegExp(
  `^(.*?)(?:${[
    "입니다|이라서|라서|이면|이고|일까요|이에요|예요|인가요|이라는|라는|이라도|라도|이란|란|이랑|랑|이나|나",
    "에서는|에서도|에서의|에서|에게|에는|에도|에|으로는|으로도|으로|로는|로|까지|부터|보다|처럼|마다|하고",
    "과의|과|와의|와|은|는|이|가|을|를|의|도|만|요",
  ].join("|")})$`
);
// Beside lunr's own list, which is of English: what only makes a question of the words around it
const ASKING = new RegExp(
  `^(?:${[
    "왜|언제|어디|어디서|어떻게|어떤|어느|무엇|무슨|뭐|뭔가|뭔지|하는|하기|하면|해요|하나|하나요|될까|되나|되나요",
    "법|방법|것|수|때|뜻|써|쓰나|나와|one|don|doesn|isn",
  ].join("|")})$`
);

const meanings = new Map(); // what is typed, without spaces -> the words that the pages have for it
let vocabulary = []; // of the pages
let titles = []; // the words in them
let asked = []; // each word of the query, and the terms that stand for it
let porter; // lunr's stemmer, of English

const segmenter = Intl.Segmenter && new Intl.Segmenter(undefined, { granularity: "word" });
const segments = (text) => (segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text]);
const words = (text) =>
  (text.normalize("NFC").toLowerCase().match(WORD) || [])
    .flatMap((word) => (SENTENCE.test(word) ? segments(word) : word));
const joined = (text) => words(text).join("").replace(/[_-]/g, "");

function stem(word) {
  if (HANGUL.test(word)) return meanings.has(word) ? word : word.replace(PARTICLE, "$1");
  return /[^a-z]/.test(word) ? word : porter(new lunr.Token(word)).toString();
}

// in-place is found as inplace, and as place; retain_graph only as a whole
function forms(word) {
  const parts = word.includes("-") ? word.split("-").filter(lunr.stopWordFilter) : [];
  return [word.replace(/-/g, ""), ...parts].map(stem).filter(Boolean);
}

function learn(synonyms) {
  for (const [term, others] of Object.entries(synonyms)) {
    for (const other of [term, ...others]) meanings.set(joined(other), words(term));
  }
}

// The most words from `at` that have a meaning, and it; Korean ones may end in anything
function meaning(typed, at) {
  for (let count = Math.min(4, typed.length - at); count > 0; count--) {
    const last = typed[at + count - 1];
    const all = joined(typed.slice(at, at + count).join(" "));
    const shortest = HANGUL.test(last) ? Math.max(2, all.length - last.length + 1) : all.length;
    for (let end = all.length; end >= shortest; end--) {
      if (meanings.has(all.slice(0, end))) return { count, means: meanings.get(all.slice(0, end)) };
    }
    if (meanings.has(stem(all))) return { count, means: meanings.get(stem(all)) };
  }
  return { count: 1 };
}

// 사용자정의함수 -> 사용자, 정의, 함수: the longest beginnings that occur
function divide(word) {
  for (let end = word.length; end > 1; end--) {
    const head = word.slice(0, end);
    if (vocabulary.some((known) => known.startsWith(head))) return [head, ...divide(word.slice(end))];
  }
  return word.length > 2 ? divide(word.slice(1)) : [];
}

// A word in lunr's language: itself, what it is a part of, and if it does not occur, what is like it
function clauses(word, last) {
  const [whole, ...parts] = forms(word);
  const terms = [...(vocabulary.includes(whole) ? [`${whole}^8`] : []), ...parts.map((part) => `${part}^1`)];
  const within = vocabulary.some((known) => known.includes(whole));
  const begun = last && !terms.length && vocabulary.some((known) => known.startsWith(word));
  if (begun) terms.push(`${word}*^2`);
  if (GLUED.test(whole)) {
    if (!within) return divide(whole).flatMap((part) => [`${part}^4`, `${part}*^1`]);
    if (whole.length > 1) terms.push(`*${whole}*^1`);
  } else if (!terms.length && whole.length > 3) terms.push(within ? `*${whole}*^2` : `${whole}~1^4`);
  return terms;
}

const useful = (word) =>
  HANGUL.test(word)
    ? stem(word) && !ASKING.test(word) && !ASKING.test(stem(word))
    : (word.length > 1 || SENTENCE.test(word)) && lunr.stopWordFilter(word) && !ASKING.test(word) && !/^\d+$/.test(word);

function ask(query) {
  const typed = words(query);
  asked = [];
  for (let at = 0; at < typed.length; ) {
    const { count, means } = meaning(typed, at);
    const own = typed.slice(at, at + count);
    const occurs = (word) => !means || vocabulary.includes(forms(word)[0]);
    at += count;
    const terms = [...(means || []), ...own.filter(useful).filter(occurs)]
      .flatMap((word) => clauses(word, at === typed.length));
    if (terms.length) asked.push({ typed: own.join(" "), terms });
  }
  return [...new Set(asked.flatMap(({ terms }) => terms))].join(" ");
}

// What is shown of a result is in the reader's words: a synonym of ours cannot be missing
function tidy(result) {
  const begun = asked.at(-1)?.typed;
  result.suggest = titles.filter((title) => begun && title.startsWith(begun)).slice(0, 1);
  for (const section of result.items.flat()) {
    const found = Object.keys(section.terms).filter((term) => section.terms[term]);
    const there = (term) => term.includes("~") || found.includes(term.replace(/\*|\^.*/g, ""));
    const missing = asked.filter(({ terms }) => !terms.some(there));
    section.terms = Object.fromEntries([
      ...found.map((term) => [term, true]),
      ...missing.map(({ typed }) => [typed, false]),
    ]);
  }
}

// Before Material's own listener, so that it receives what is changed here
addEventListener("message", ({ data: message }) => {
  if (message.type === SETUP) {
    learn(message.data.config.synonyms || {});
    titles = [...new Set(message.data.docs.flatMap(({ title }) => words(title)))];
    message.data.config.lang = ["en"]; // what lunr knows of other languages takes the place of this step
    message.data.options.suggest = false; // they would be stems
  }
  if (message.type === QUERY) message.data = ask(message.data);
});
const send = postMessage.bind(self);
self.postMessage = (message) => {
  if (message.type === RESULT) tidy(message.data);
  send(message);
};

// In a page that was opened from a file this is no worker but a frame, which loads scripts later
const here = new URL(self.document ? document.currentScript.src : location.href);
Promise.resolve(importScripts(new URL(here.search.slice(1), here).href)).then(() => {
  porter = lunr.stemmer;
  lunr.stemmer = (token) =>
    token.metadata.position === undefined
      ? token // of a query, which asks for stems already
      : words(token.toString()).flatMap(forms).map((form) => token.clone(() => form));
  lunr.Pipeline.registerFunction(lunr.stemmer, "words");

  const { build } = lunr.Builder.prototype;
  lunr.Builder.prototype.build = function () {
    const index = build.call(this);
    vocabulary = Object.keys(index.invertedIndex);
    for (const name of vocabulary.filter((term) => /._./.test(term))) {
      if (!meanings.has(joined(name))) meanings.set(joined(name), [name]);
    }
    return index;
  };
});

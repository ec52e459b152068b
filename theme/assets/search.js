// The search: Material's field asks, in its own messages, and this worker answers. It knows Korean particles,
// other words for the pages' words, and parts of names; of a pasted message it says if no page has it.

const [SETUP, READY, QUERY, RESULT] = [0, 1, 2, 3]; // Material's messages
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
// What only makes a question of the words around it
const ASKING = new RegExp(
  `^(?:${[
    "왜|언제|어디|어디서|어떻게|어떤|어느|무엇|무슨|뭐|뭔가|뭔지|하는|하기|하면|해요|해야|하나|하나요|될까|되나|되나요|되는|안하면|있나요|인지|이란|뭐예요|뭔가요|생겼나요|쓰면|까지|보는|구하는",
    "법|방법|것|수|때|뜻|써|쓰나|쓰나요|쓰는|나와|나와요|있나|인가|사용법|예제|원리|구현|a|an|and|are|as|at|be|but|by|can|do",
    "does|did|for|from|get|has|have|how|if|in|into|is|it|its|my|of|on|or|should|so|that|the|then|there|they|this|to|vs",
    "was|what|when|where|which|who|why|will|with|would|you|your|one|don|doesn|isn|pytorch|example|meaning|mean|use|using",
  ].join("|")})$`
);
const MESSAGE = /\b\w*(?:Error|Warning|Exception)\b[^:]*:/;
const FIELDS = { title: 5, keywords: 3, text: 1 }; // what a word counts there

const meanings = new Map(); // what is typed, without spaces -> the words that the pages have for it
const index = new Map(); // term -> entry -> weight
let entries = []; // sections, and pages by their first
let vocabulary = []; // of the pages
let titles = []; // the words in them
let asked = []; // each word of the query, and the terms that stand for it
let config = {};
let loading;

const segmenter = Intl.Segmenter && new Intl.Segmenter(undefined, { granularity: "word" });
const segments = (text) => (segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text]);
const words = (text) =>
  (text.normalize("NFC").toLowerCase().match(WORD) || [])
    .flatMap((word) => (SENTENCE.test(word) ? segments(word) : word));
const joined = (text) => words(text).join("").replace(/[_-]/g, "");
const plain = (html) => html.replace(/<[^>]*>/g, " ").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");

// English endings go where a word is left
function porter(word) {
  const plural = word.replace(/ies$/, "y").replace(/(ss|sh|ch|x)es$/, "$1").replace(/([^su])s$/, "$1");
  const stemmed = plural.replace(/([a-z]{3,})(?:ing|ed)$/, "$1").replace(/([bdgmnprt])\1$/, "$1")
    .replace(/([a-z]{3,})e$/, "$1").replace(/([a-z]{4,})(?:ation|ion)$/, "$1").replace(/([a-z]{4,})at$/, "$1");
  return stemmed.length > 2 ? stemmed : word;
}

function stem(word) {
  if (HANGUL.test(word)) return meanings.has(word) ? word : word.replace(PARTICLE, "$1");
  return /[^a-z]/.test(word) ? word : porter(word);
}

// in-place is found as inplace, and as place; retain_graph only as a whole
const formed = new Map();
function forms(word) {
  if (!formed.has(word)) {
    const parts = word.includes("-") ? word.split("-").filter((part) => !ASKING.test(part)) : [];
    formed.set(word, [word.replace(/-/g, ""), ...parts].map(stem).filter(Boolean));
  }
  return formed.get(word);
}

function learn(synonyms) {
  for (const [term, others] of Object.entries(synonyms))
    for (const other of [term, ...others]) meanings.set(joined(other), words(term));
}

// The words of a message, without its numbers, which differ from program to program
const told = (html) => (plain(html).toLowerCase().match(WORD) || []).filter((word) => !/^\d+$/.test(word));

function build(docs) {
  titles = [...new Set(docs.flatMap(({ title }) => words(plain(title))))];
  entries = docs.map((doc, number) => {
    const page = doc.location.split("#")[0];
    const headed = [doc.title, doc.message || ""].join(" "); // a section's message weighs as much as its heading
    const said = told(`${headed} ${doc.text}`);
    return { ...doc, number, page, headed, whole: ` ${said.join(" ")} ` };
  });
  const fields = Object.keys(FIELDS);
  const terms = entries.map((entry) =>
    fields.map((field) => words(plain([entry[field === "title" ? "headed" : field] || ""].flat().join(" "))).flatMap(forms))
  );
  const average = fields.map((_, at) => terms.reduce((sum, one) => sum + one[at].length, 0) / terms.length || 1);
  terms.forEach((one, number) =>
    one.forEach((own, at) => {
      const counts = 1 / (0.4 + (0.6 * own.length) / average[at]);
      for (const term of own) {
        if (!index.has(term)) index.set(term, new Map());
        const found = index.get(term);
        found.set(number, (found.get(number) || 0) + FIELDS[fields[at]] * (at === 1 ? 1 : counts));
      }
    })
  );
  vocabulary = [...index.keys()];
  for (const name of vocabulary.filter((term) => /._./.test(term))) {
    if (!meanings.has(joined(name))) meanings.set(joined(name), [name]);
  }
  formed.clear(); // a name is a meaning now
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

// Whether one letter more, less, other or moved makes one word of the other
function near(one, two) {
  if (Math.abs(one.length - two.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === two[at]) at++;
  const [a, b] = [one.slice(at), two.slice(at)];
  if (a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1)) return true;
  return a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
}

const having = (test, weight) => vocabulary.filter(test).map((term) => [term, weight]);

// The terms of the pages that a word stands for, each with how well: itself, its parts, what is like it
function clauses(word, last) {
  const [whole = word, ...parts] = forms(word);
  const exact = vocabulary.includes(whole) ? [[whole, 1]] : [];
  const terms = [...exact, ...parts.filter((part) => index.has(part)).map((part) => [part, exact.length ? 0.15 : 0.5])];
  if (last && !terms.length) terms.push(...having((term) => term.startsWith(word), 0.7));
  if (GLUED.test(whole)) {
    const within = having((term) => term !== whole && term.includes(whole), exact.length ? 0.3 : 0.7);
    if (!exact.length && !within.length) {
      return divide(whole).map((part) => having((term) => term.startsWith(part), 0.6));
    }
    if (whole.length > 1) terms.push(...within);
  } else if (!terms.length && whole.length > 3) {
    const within = having((term) => term.includes(whole), 0.6);
    terms.push(...(within.length ? within : having((term) => near(term, whole), 0.6)));
  } else if (exact.length && whole.length > 3) {
    terms.push(...having((term) => term !== whole && /_/.test(term) && term.split("_").includes(word), 0.25));
  }
  return [terms];
}

const useful = (word) =>
  HANGUL.test(word)
    ? stem(word) && !ASKING.test(word) && !ASKING.test(stem(word))
    : (word.length > 1 || SENTENCE.test(word)) && !ASKING.test(word) && !/^\d+$/.test(word);

// What is asked for: groups of terms, of each of which a section should have one
function read(query) {
  const typed = words(query);
  asked = [];
  for (let at = 0; at < typed.length; ) {
    const { count, means } = meaning(typed, at);
    const own = typed.slice(at, at + count);
    const known = (word) => !means || vocabulary.includes(forms(word)[0]);
    at += count;
    const others = own.filter(useful).filter(known).filter((word) => !means?.includes(word));
    const groups = [...(means || []), ...(means ? [] : others)].flatMap((word) => clauses(word, at === typed.length));
    if (means) others.forEach((word) => groups[0]?.push(...clauses(word).flat()));
    if (means || others.length) asked.push({ typed: own.join(" "), groups });
  }
  return asked.flatMap(({ groups }) => groups.map((terms) => ({ terms, share: 1 / groups.length })));
}

// How much of a text's runs of three words a section has: of a message, nearly all
function likeness(query) {
  const typed = told(query);
  if (typed.length < 4) return () => 0;
  const runs = typed.slice(2).map((_, at) => ` ${typed.slice(at, at + 3).join(" ")} `);
  return ({ whole }) => runs.filter((run) => whole.includes(run)).length / runs.length;
}

function find(query) {
  const groups = read(query);
  const like = likeness(query);
  const rarest = Math.log(1 + entries.length);
  const own = new Float64Array(entries.length);
  const covered = new Float64Array(entries.length);
  const pages = new Map(); // address -> what its sections have together
  let all = 0;
  groups.forEach(({ terms, share }, number) => {
    const best = new Map();
    for (const [term, fits] of terms) {
      for (const [entry, weight] of index.get(term)) {
        best.set(entry, Math.max(best.get(entry) || 0, (fits * weight) / (weight + 1.2)));
      }
    }
    const others = (entries.length - best.size + 0.5) / (best.size + 0.5);
    const rare = share * (best.size ? Math.log(1 + others) + 0.3 : rarest);
    all += rare;
    for (const [entry, fits] of best) {
      own[entry] += rare * fits;
      covered[entry] += rare * Math.min(1, 2 * fits);
      const { page } = entries[entry];
      if (!pages.has(page)) pages.set(page, new Float64Array(groups.length));
      const is = entries[entry].location === page ? 2 : 0.6; // its title and its keywords say what it is about
      pages.get(page)[number] = Math.max(pages.get(page)[number], rare * fits * is);
    }
  });
  const named = new Map(); // address -> how much of the query is a keyword of the page
  const asks = joined(query);
  for (const { page, keywords = [] } of entries) {
    const shares = keywords.map(joined).filter((one) => one.length > 1 && asks.includes(one));
    if (shares.length) named.set(page, (8 * Math.max(...shares.map((one) => one.length))) / asks.length);
  }
  const found = [];
  entries.forEach((entry, number) => {
    const alike = like(entry);
    if (!own[number] && !alike) return;
    const together = (pages.get(entry.page) || []).reduce((sum, one) => sum + one, 0);
    const { page } = entry;
    const boost = alike > 0.6 ? 1 : (entry.boost ?? 1); // a message is where it is told of
    const whole = 0.4 + 0.6 * (covered[number] / all) ** 2;
    const rightful = alike > 0.6 && entry.boost < 0.5 ? 2 : 0; // such pages stand back, but not where they are asked for
    const score = boost * (own[number] * whole + 1.5 * together + (named.get(page) || 0)) + 12 * alike ** 2 + rightful;
    found.push({ entry, score, alike });
  });
  return found.sort((one, two) => two.score - one.score);
}

// HTML in which words that begin like a term are marked
function marked(html, terms) {
  if (!terms.size) return html;
  const any = [...terms].map((term) => (GLUED.test(term) ? term : `(?<![a-z0-9_])${term}[a-z0-9_]*`)).join("|");
  return html.replace(new RegExp(`(<[^>]*>|&\\w+;)|${any}`, "gi"), (word, tag) =>
    tag ? word : `<mark data-md-highlight>${word}</mark>`
  );
}

// A result as Material shows it: in the words of the reader, those that it lacks struck out
function shown({ entry, score }) {
  const terms = new Set();
  const has = {};
  for (const { typed, groups } of asked) {
    const there = groups.flat().filter(([term]) => index.get(term).has(entry.number));
    there.forEach(([term]) => terms.add(term));
    has[typed] = there.length > 0;
  }
  const { location, tags, title } = entry;
  const text = entry.text.replace(entry.message || "", ""); // its output says it again
  return { location, tags, title: marked(title, terms), text: marked(text, terms), terms: has, score };
}

function answer(query) {
  const found = find(query);
  const pages = new Map();
  for (const one of found) pages.set(one.entry.page, [...(pages.get(one.entry.page) || []), one]);
  const items = [...pages.values()].slice(0, 12).map((sections) => {
    const first = entries.find(({ location, page }) => location === page && page === sections[0].entry.page);
    const result = sections.slice(0, 5).map(shown);
    if (first && !result.some(({ location }) => location === first.location)) {
      result.push({ ...shown({ entry: first, score: 0 }), terms: {} });
    }
    return result;
  });
  if (config.absent && MESSAGE.test(query) && !found.some(({ alike }) => alike > 0.4)) {
    const { location } = entries.find((entry) => entry.location === "errors/#search") || entries[0];
    items.unshift([{ location, title: config.absent, text: "", terms: {}, score: 1e6 }]);
  }
  if (config.same && found[0]?.alike > 0.7) {
    const [{ entry }] = found; // every word of it is what was asked for: none needs a mark
    items[0][0].title = [entry.title, entry.message].filter(Boolean).join(": ");
    items[0][0].text = `<p><strong>${config.same}</strong></p>${items[0][0].text}`;
  }
  const begun = asked.at(-1)?.typed;
  return { items, suggest: titles.filter((title) => begun && title.startsWith(begun)).slice(0, 1) };
}

// In a page that was opened from a file this is no worker but a frame, and has all documents at once
const here = new URL(self.document ? document.currentScript.src : location.href);
const load = async () => know(await (await fetch(new URL(`../search/${config.documents}`, here))).json());
async function know({ docs, synonyms }) {
  learn(synonyms);
  build(docs);
}

let number = 0; // of queries; only the last is answered
addEventListener("message", async ({ data: { type, data } }) => {
  if (type === SETUP) {
    config = data.config;
    if (data.docs.length) loading = know({ docs: data.docs, synonyms: config.synonyms || {} });
    postMessage({ type: READY });
  }
  if (type === QUERY) {
    const mine = ++number;
    if (data) await (loading ||= load());
    if (mine === number) postMessage({ type: RESULT, data: data ? answer(data) : { items: [] } });
  }
});

// The search: Material's field asks, in its own messages, and this worker answers with sections. It knows
// Korean particles, other words for the pages' words, and parts of names, and says if nothing fits.

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
// 고정하지, 고정했는데, 고정된 -> 고정
const DONE = new RegExp(
  "^(.{2,}?)(?:[하해했한할합되돼됐된될됩됨]|함(?!수)|시[키킨켜킬킵])(?:$|[지고는면여서야도까니며기던게려죠요다데나네자길거습세])"
);
// 넣어야, 넣습니다 -> 넣; as pieces of syllables: 멈춥니다, 멈출까요 -> 멈추
const ENDING = new RegExp(
  "^(.+?)(?:습니다|습니까|을까|어야|아야|어서|아서|으면|으려면|는데|는지|는가|ᆸ니다|ᆸ니까|ᆯ까|ᆫ다)$".normalize("NFD")
);
// What only makes a question of the words around it
const ASKING = new RegExp(
  `^(?:${[
    "왜|언제|어디|어디서|어떻게|어떤|어느|무엇|무슨|뭐|뭔가|뭔지|하는|하기|하면|해요|해야|하나|하나요|될까|되나|되나요|되는|안하면|있나요|인지|이란|뭐예요|뭔가요|쓰면|까지|보는|구하는",
    "법|방법|이유|해결|차이|차이점|것|수|때|때문|안|뜻|써|사용|했는데|해도|쓰나|쓰나요|쓰는|나와|나와요|있나|인가|사용법|예제|원리|구현",
    "a|an|and|are|as|at|be|but|by|can|do",
    "does|did|for|from|get|has|have|how|if|in|into|is|it|its|my|of|on|or|should|so|that|the|then|there|they|this|to|vs",
    "was|what|when|where|which|who|why|will|with|would|you|your|one|don|doesn|isn|pytorch|example|meaning|mean",
    "use|using|difference|between|respect|before|after|during|still",
  ].join("|")})$`
);
const MESSAGE = /\b\w*(?:Error|Warning|Exception)\b[^:]*:/;
// An error is asked about, though few error sections use such words
const ERROR = /^(?:errors?|exceptions?|warnings?|raise[sd]?|traceback|에러|오류|경고|예외)/;
// Where words are, with how much one counts there, and how much less in a longer text
const FIELDS = {
  title: [4, 0.5],
  message: [3, 0.3],
  links: [2, 0.5],
  keywords: [2, 0.4],
  typed: [2, 0.7],
  text: [1, 0.6],
};
const WEIGH = {
  enough: 1.2, // occurrences that count half as much as any number
  page: 0.5, // a word that the page's title or keywords have, and not the section
  sibling: 0.3, // a word that another section of the page has
  around: 0.8, // both, if the section has some of it, too
  scattered: 0.4, // of a keyword whose words are apart in the query
  topic: 14, // a keyword of the page that is the whole query
  least: 0.3, // what's left of a section's score without any word of the query
  lacking: 2, // how fast it falls with the words that it lacks
  common: 0.2, // how much less a section counts whose title many pages have
  error: 1.3, // an error section, if an error is asked about
  alike: 28, // a section that repeats the query
};

const TEASER = 200; // characters of a section that are shown
const FITS = 0.12; // how much of a query, by how rare its words are, a section has to have

const meanings = new Map(); // what is typed, without spaces -> the ways in which the pages say it, in words
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
  (text.normalize("NFC").toLowerCase().replace(/n['’]t\b/g, " not").match(WORD) || []).flatMap((word) =>
    SENTENCE.test(word) ? segments(word) : word
  );
const joined = (text) => words(text).join("").replace(/[_-]/g, "");
const plain = (html) =>
  html.replace(/<[^>]*>/g, " ").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");

// English endings go where a word is left
function porter(word) {
  const plural = word.replace(/ies$/, "y").replace(/(ss|sh|ch|x)es$/, "$1").replace(/([^su])s$/, "$1");
  const stemmed = plural.replace(/([a-z]{3,})(?:ing|ed)$/, "$1").replace(/([bdgmnprt])\1$/, "$1")
    .replace(/^(?!none$)([a-z]{3,})e$/, "$1").replace(/([a-z]{4,})(?:ation|ion)$/, "$1")
    .replace(/([a-z]{4,})at$/, "$1");
  return stemmed.length > 2 ? stemmed : word;
}

function stem(word) {
  if (HANGUL.test(word)) {
    if (meanings.has(word)) return word;
    const [, done] = word.match(DONE) || [];
    return done || word.replace(PARTICLE, "$1").normalize("NFD").replace(ENDING, "$1").normalize("NFC");
  }
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
    for (const other of new Set([term, ...others].map(joined)))
      meanings.set(other, [...(meanings.get(other) || []), words(term)]);
}

// The words of a message, without what differs from program to program: numbers, and nodes' names
const told = (html) =>
  (plain(html).toLowerCase().match(WORD) || []).filter((word) => !/^(?:\d+|\w+backward\d*)$/.test(word));

function build(docs) {
  titles = [...new Set(docs.flatMap(({ title }) => words(plain(title))))];
  entries = docs.map((doc, number) => {
    const said = [doc.message || "", doc.text].map((text) => ` ${told(text).join(" ")} `);
    return { ...doc, number, page: doc.location.split("#")[0], said };
  });
  const [firsts, titled] = [new Map(), new Map()];
  for (const { title } of entries) titled.set(title, (titled.get(title) || 0) + 1);
  for (const entry of entries) {
    entry.weight = (entry.boost ?? 1) / titled.get(entry.title) ** WEIGH.common;
    if (!firsts.has(entry.page)) firsts.set(entry.page, entry.number);
    entry.first = firsts.get(entry.page);
  }
  for (const [field, [counts, shortens]] of Object.entries(FIELDS)) {
    const text = (entry) => plain([entry[field] || []].flat().join(" . "));
    const texts = entries.map((entry) => words(text(entry)).flatMap(forms));
    const some = texts.filter((own) => own.length);
    const average = some.flat().length / some.length;
    texts.forEach((own, number) => {
      const weight = counts / (1 - shortens + (shortens * own.length) / average);
      own.forEach((term) => {
        if (!index.has(term)) index.set(term, new Map());
        const weights = index.get(term);
        weights.set(number, (weights.get(number) || 0) + weight);
      });
    });
  }
  for (const weights of index.values()) {
    weights.forEach((weight, number) => weights.set(number, weight / (weight + WEIGH.enough)));
  }
  vocabulary = [...index.keys()];
  for (const name of vocabulary.filter((term) => /._./.test(term))) {
    if (!meanings.has(joined(name))) meanings.set(joined(name), [[name]]);
  }
  formed.clear(); // a name is a meaning now
  for (const entry of entries) entry.topic = entry.keywords?.map(plainly);
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

// 사용자정의함수 -> 사용자, 정의, 함수: the longest beginnings that occur; 두번 -> 두, 번
function divide(word) {
  for (let end = word.length; end > 1; end--) {
    const head = word.slice(0, end);
    if (vocabulary.some((term) => term.startsWith(head))) return [head, ...divide(word.slice(end))];
  }
  return word.length > 2 ? divide(word.slice(1)) : [];
}

// Whether one letter more, less, other or moved makes one word of the other
function differByOne(one, two) {
  if (Math.abs(one.length - two.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === two[at]) at++;
  const [a, b] = [one.slice(at), two.slice(at)];
  if (a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1)) return true;
  return a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
}

const pieces = (word) => word.normalize("NFD"); // 져 and 저 differ by one
const slips = (word) => (word.length > 1 ? having((term) => differByOne(pieces(term), pieces(word)), 0.6) : []);
const having = (test, weight) => vocabulary.filter(test).map((term) => [term, weight]);

// The terms of the pages that a word stands for, each with how well: itself, its parts, what is like it
const meant = new Map(); // by the word: the next key changes the last one only
function clauses(word, last = false) {
  const key = `${word} ${last}`;
  if (!meant.has(key)) meant.set(key, like(word, last));
  return meant.get(key);
}

// The same for the parts of a word that no page has
function divided(word) {
  const [one, ...others] = word;
  if (index.has(one) && index.has(others.join(""))) return [[[one, 0.6]], [[others.join(""), 0.6]]];
  const found = divide(word).map((part) => having((term) => term.startsWith(part), 0.6));
  return found.length ? found : [[]];
}

function like(word, last) {
  const [whole = word, ...parts] = forms(word);
  const exact = index.has(whole) ? [[whole, 1]] : [];
  const terms = [...exact, ...parts.filter((part) => index.has(part)).map((part) => [part, exact.length ? 0.15 : 0.5])];
  if (last && !terms.length) terms.push(...having((term) => term.startsWith(word), 0.7));
  if (GLUED.test(whole)) {
    const begun = having((term) => term !== whole && term.startsWith(whole), 0.7);
    const within = having((term) => term.lastIndexOf(whole) > 0, exact.length ? 0.3 : 0.7);
    if (!exact.length && !begun.length && !within.length) {
      const near = slips(whole);
      return near.length ? [near] : divided(whole);
    }
    if (whole.length > 1) terms.push(...begun, ...within);
  } else if (!terms.length && whole.length > 3) {
    const within = having((term) => term.includes(whole), 0.6);
    terms.push(...(within.length ? within : slips(whole)));
    const names = whole.split("_").filter((part) => part.length > 1);
    if (!terms.length && names.length > 1) return names.flatMap((part) => clauses(part));
  } else if (exact.length && whole.length > 3) {
    terms.push(...having((term) => term !== whole && /_/.test(term) && term.split("_").includes(word), 0.25));
  }
  return [terms];
}

const useful = (word) =>
  HANGUL.test(word)
    ? stem(word) && !ASKING.test(word) && !ASKING.test(stem(word))
    : (word.length > 1 || SENTENCE.test(word)) && !ASKING.test(word) && !/^\d+$/.test(word);

// The words of a query, those together that mean something together, and other words that say the same
function* phrases(query) {
  const typed = words(query);
  for (let at = 0; at < typed.length; ) {
    const { count, means } = meaning(typed, at);
    const own = typed.slice(at, at + count);
    at += count;
    const isOther = (word) => !means || (index.has(forms(word)[0]) && !means.flat().includes(word));
    const others = own.filter(useful).filter(isOther);
    yield { own, means: means || [], others, isLast: at === typed.length };
  }
}

// What is asked for: of each phrase the ways to say it, each of groups of terms, one of each of which is needed
function read(query) {
  asked = [];
  for (const { own, means, others, isLast } of phrases(query)) {
    const said = (some) => some.flatMap((word) => clauses(word, isLast));
    const ways = means.filter((some) => some.length > 1).map(said);
    const single = means.filter((some) => some.length === 1).map(said);
    if (!means.length) ways.push(said(others));
    else if (own.length === 1) single.push(said(others));
    else {
      const also = said(others).flat().map(([term, fits]) => [term, 0.4 * fits]); // one word of several says less
      for (const way of ways) way[0] = [...way[0], ...also];
    }
    const any = single.flat(2); // each of them does
    if (any.length) ways.push([any]);
    if (means.length || others.length) asked.push({ typed: own.join(" "), ways });
  }
  return asked.map(({ ways }) => ways);
}

// The words of a keyword or a query that say something, as the pages have them
function plainly(text) {
  const found = [...phrases(text)].flatMap(({ means: [first], others }) => first || others);
  return [...new Set(found.flatMap((word) => forms(word)[0] || []))];
}

// How much of a query's runs of three words a section has: of a pasted message, nearly all. A few words are
// alike by chance, unless a message has them.
function likeness(query) {
  const typed = told(query);
  const runs = typed.slice(2).map((_, at) => ` ${typed.slice(at, at + 3).join(" ")} `);
  const share = (text) => runs.filter((run) => text.includes(run)).length / runs.length;
  if (!runs.length) return () => 0;
  if (runs.length < 6) return ({ said: [message] }) => share(message) ** 2 * Math.min(1, runs.length / 2);
  return ({ said: [message, text] }) => Math.max(share(message), share(text));
}

// How well each section fits the best of the terms
function best(terms) {
  const fits = new Float64Array(entries.length);
  for (const [term, share] of terms) {
    index.get(term).forEach((weight, number) => {
      if (fits[number] < share * weight) fits[number] = share * weight;
    });
  }
  return fits;
}

// How rare one group of terms is, and how well each section fits it, by itself and with its page
function weighed(terms, _, { length }) {
  const fits = best(terms);
  const count = fits.reduce((sum, fit) => sum + (fit > 0), 0);
  const rare = (Math.log(1 + (fits.length - count + 0.5) / (count + 0.5)) + 0.3) / length;
  const near = new Float64Array(fits.length); // by the page's first section: how well what's around a section fits
  entries.forEach(({ location, page, first }, number) => {
    near[first] = Math.max(near[first], fits[number] * (location === page ? WEIGH.page : WEIGH.sibling));
  });
  const around = (fit, number) => rare * (fit + (1 - fit) * near[entries[number].first] * WEIGH.around);
  const any = (fit, number) => rare * Math.min(1, 1.5 * Math.max(fit, near[entries[number].first]));
  return { rare, own: fits.map(around), has: fits.map(any) };
}

function added(one, other) {
  const sum = (part) => one[part].map((fit, number) => fit + other[part][number]);
  return { rare: one.rare + other.rare, own: sum("own"), has: sum("has") };
}

const long = (some) => some.join("").length;

function find(query) {
  const ways = read(query);
  const repeats = likeness(query);
  const size = entries.length;
  const [own, has] = [new Float64Array(size), new Float64Array(size)];
  let all = 0;
  for (const word of ways) {
    const said = word.map((groups) => groups.map(weighed).reduce(added));
    const rare = Math.min(...said.map((way) => way.rare));
    all += rare;
    for (let number = 0; number < size; number++) {
      own[number] += Math.max(...said.map((way) => (rare / way.rare) * way.own[number]));
      has[number] += Math.max(...said.map((way) => (rare / way.rare) * way.has[number]));
    }
  }
  const topics = new Float64Array(size); // by the page's first section: how much of the query is a keyword
  const [asks, whole] = [plainly(query), joined(query)];
  for (const { first, topic = [], keywords = [] } of entries) {
    const some = topic.filter((one) => one.length && one.every((word) => asks.includes(word)));
    const shares = some.map((one) => (WEIGH.scattered * long(one)) / long(asks));
    const spelled = keywords.map(joined).filter((one) => one.length > 1 && whole.includes(one));
    shares.push(...spelled.map((one) => one.length / whole.length));
    if (shares.length) topics[first] = Math.max(...shares);
  }
  const error = words(query).some((word) => ERROR.test(word));
  return entries
    .map((entry, number) => {
      const alike = repeats(entry);
      const share = all && has[number] / all;
      const boost = (alike > 0.6 ? 1 : entry.weight) * (error && entry.message ? WEIGH.error : 1);
      const lacking = WEIGH.least + (1 - WEIGH.least) * share ** WEIGH.lacking;
      const fits = lacking * (own[number] + WEIGH.topic * topics[entry.first]);
      const score = boost * fits + WEIGH.alike * alike ** 2;
      return { entry, score, alike, share };
    })
    .filter(({ score }) => score > 0)
    .sort((one, two) => two.score - one.score);
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
  for (const { typed, ways } of asked) {
    const there = ways.flat(2).filter(([term]) => index.get(term).has(entry.number));
    there.forEach(([term]) => terms.add(term));
    has[typed] = there.length > 0;
  }
  const { location, tags, title, text } = entry;
  const begins = text.length > TEASER ? `${text.slice(0, text.lastIndexOf(" ", TEASER))} …` : text;
  return { location, tags, title: marked(title, terms), text: marked(begins, terms), terms: has, score };
}

// The sections of a page, then the page. Material folds those that score less than the first.
function listed(sections) {
  const page = entries[sections[0].entry.first];
  const own = sections.filter(({ entry }) => entry !== page).slice(0, 5);
  const [top] = own;
  const isClose = ({ score }, at) => at < 3 && score > 0.85 * top.score;
  const result = own.map((one, at) => ({ ...shown(one), score: isClose(one, at) ? 1 : 0 }));
  const found = sections.find(({ entry }) => entry === page);
  return [...result, { ...shown(found || { entry: page }), ...(found ? {} : { terms: {} }), score: 1 }];
}

const pointer = (location, title) => [{ location, title, text: "", terms: {}, score: 1 }];

// A new issue with the query as its title, where the site has a place for one
function asking(query) {
  if (!config.issue) return [];
  const issue = new URL(config.issue);
  issue.searchParams.set("title", query);
  return [pointer(issue.href, config.ask)];
}

function answer(query) {
  const found = find(query);
  const pages = new Map();
  for (const one of found) pages.set(one.entry.page, [...(pages.get(one.entry.page) || []), one]);
  const items = [...pages.values()].slice(0, 10).map(listed);
  const [first] = found;
  if (config.absent && MESSAGE.test(query) && !found.some(({ alike }) => alike > 0.4)) {
    const { location } = entries.find((entry) => entry.location === "errors/#search") || entries[0];
    items.unshift(pointer(location, config.absent), ...asking(query));
  } else if (config.nothing && !(first?.share > FITS)) {
    const places = [/^symptoms(?:\/|\.html)$/, /^errors(?:\/|\.html)$/];
    const known = places.flatMap((place) => entries.filter(({ location }) => place.test(location)));
    const offered = known.map(({ location, title }) => pointer(location, title));
    if (offered.length) offered[0][0].title = `${config.nothing} ${offered[0][0].title}`;
    items.splice(0, items.length, ...offered, ...asking(query), ...items.slice(0, 3));
  }
  if (config.same && first?.alike > 0.7) {
    const { title, message, location } = first.entry; // all of it was asked for: no word needs a mark
    const result = items[0].find((one) => one.location === location);
    result.title = [title, message].filter(Boolean).join(": ");
    result.text = `<p><strong>${config.same}</strong></p>${result.text}`;
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

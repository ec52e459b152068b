// The addresses of the results of each query, page by page: the field is emptied, then filled at once
async (queries) => {
  const [field] = document.querySelectorAll('[data-md-component=search-query]');
  const meta = document.querySelector('.md-search-result__meta');
  const { translations } = JSON.parse(document.getElementById('__config').textContent);
  const empty = translations['search.result.placeholder'];
  const items = () => [...document.querySelectorAll('.md-search-result__item')];
  const until = async (there, query) => {
    for (const end = Date.now() + 300_000; !there(); await new Promise((done) => setTimeout(done)))
      if (Date.now() > end) throw new Error(`no answer to ${query}`);
  };
  const put = (text) => { field.value = text; field.dispatchEvent(new Event('input')); };
  const found = [];
  field.focus();
  for (const query of queries) {
    put('');
    // as long as this isn't answered, its answer would be taken for the query's
    await until(() => meta.textContent === empty && !items().length, 'nothing');
    put(query);
    await until(() => meta.textContent !== empty, query);
    found.push(items().map((item) =>
      [...item.querySelectorAll('a')].map((link) => new URL(link.href)).map(({ pathname, hash }) => pathname + hash)));
  }
  return found;
}

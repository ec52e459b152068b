// What a worker of our own, as the page would start it, answers to each query: the `places` of the site's documents
// as Material shows them, of each page its own address, then its sections; all `locations`; and how long it `took`
async ({ queries, docs, config }) => {
  const { base, search } = JSON.parse(document.getElementById('__config').textContent);
  const site = await (await fetch(`${base}/search/documents.json`)).json();
  const worker = new Worker(search);
  const tell = (message) => new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage(message);
  });
  const place = ({ location }) => new URL(location, new URL(`${base}/`, document.baseURI));
  const known = { config: { synonyms: site.synonyms, ...config }, docs: docs || site.docs };
  await tell({ type: 0, data: { ...known, options: { suggest: true } } });
  const answers = [];
  for (const query of queries) {
    const began = performance.now();
    const { items } = (await tell({ type: 2, data: query })).data;
    answers.push({
      took: performance.now() - began,
      locations: items.flat().map(({ location }) => location),
      places: items.map((sections) => sections.map(place).sort((one, other) => !other.hash - !one.hash)
        .map(({ pathname, hash }) => pathname + hash)),
    });
  }
  worker.terminate();
  return answers;
}

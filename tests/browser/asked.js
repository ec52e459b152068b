// What a worker of our own, as the page would start it, finds for each query, arranged as Material shows it:
// of each page its own address, then its sections
async (queries) => {
  const { base, search } = JSON.parse(document.getElementById('__config').textContent);
  const { docs, synonyms } = await (await fetch(`${base}/search/documents.json`)).json();
  const worker = new Worker(search);
  const tell = (message) => new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage(message);
  });
  const place = ({ location }) => new URL(location, new URL(`${base}/`, document.baseURI));
  await tell({ type: 0, data: { config: { synonyms }, docs, options: { suggest: true } } });
  const found = [];
  for (const query of queries) {
    const { items } = (await tell({ type: 2, data: query })).data;
    found.push(items.map((sections) => sections.map(place).sort((one, other) => !other.hash - !one.hash)
      .map(({ pathname, hash }) => pathname + hash)));
  }
  worker.terminate();
  return found;
}

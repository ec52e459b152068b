// Of each sentence and query, what a worker of our own, as the page would start it, finds if it knows the sentence
async (all) => {
  const { base, search } = JSON.parse(document.getElementById('__config').textContent);
  const { synonyms } = await (await fetch(`${base}/search/documents.json`)).json();
  const found = [];
  for (const [text, query, config = {}] of all) {
    const worker = new Worker(search);
    const tell = (message) => new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage(message);
    });
    const docs = [
      { location: 'other/', title: 'Other', text: 'Nothing of interest' },
      { location: 'page/', title: 'Page', text },
    ];
    await tell({ type: 0, data: { config: { synonyms, ...config }, docs, options: { suggest: true } } });
    const { items } = (await tell({ type: 2, data: query })).data;
    worker.terminate();
    found.push(items.flat().map(({ location }) => location));
  }
  return found;
}

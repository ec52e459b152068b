// What axe found
async () => (await window.heard).violations.map(({ id, nodes }) => [id, nodes[0].html])

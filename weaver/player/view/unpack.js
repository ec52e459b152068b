// Shows what a page holds as a text: JSON, deflated, in base64, of the recording, its words, and the scripts that
// show it; `tooOld` is what a browser says that can't.
window.unpack = async function (element, text, tooOld) {
  if (!window.DecompressionStream) { element.textContent = tooOld; return; }
  const packed = new Blob([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))]);
  const stream = packed.stream().pipeThrough(new DecompressionStream("deflate"));
  const [data, words, options, code] = await new Response(stream).json();
  const script = document.createElement("script");
  script.textContent = code;
  document.head.append(script);
  window.player = weaverTrace.whole(weaverTrace.show(element, data, words, options));
};

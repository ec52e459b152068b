// Chooses a variant of the what-if that is given, as a hand would; returns what then stands on the page.
async ([index, choice, file]) => {
  const section = document.querySelectorAll('section.what-if')[index];
  section.querySelectorAll('.offer').forEach((offer, place) => {
    const range = offer.querySelector('[type=range]'), radio = offer.querySelector(`[value="${choice[place]}"]`);
    if (range) range.value = choice[place];
    else radio.checked = true;
    offer.dispatchEvent(new Event('input'));
  });
  const title = section.querySelector('figcaption a');
  for (let left = 30_000; title.textContent !== file && left; left -= 1)
    await new Promise((done) => setTimeout(done, 10));
  const predict = section.querySelector('.predict:not([hidden])');
  const hidden = predict && getComputedStyle(section.querySelector('[data-flip=output]')).visibility;
  if (predict) predict.querySelector('[data-right=true]').click();
  const text = (place) => place && place.textContent;
  const pieces = {};
  for (const piece of section.querySelectorAll('[data-flip]:not(.predict)')) pieces[piece.dataset.flip] = text(piece);
  pieces.output = text(section.querySelector('[data-flip=output] samp'));
  return {
    code: text(section.querySelector('.offers code')), pieces, hidden,
    verdict: predict && text(predict.querySelector('.verdict')),
    room: [...section.querySelectorAll('.offer')].every((offer) => offer.offsetHeight > 44 && offer.offsetLeft >= 0),
    address: title.href, step: section.querySelector('figcaption [data-trace]')?.dataset.name ?? null,
  };
}

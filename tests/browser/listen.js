// Start axe, once all that moves has arrived
(options) => {
  document.getAnimations().forEach((animation) => animation.finish());
  window.heard = axe.run(document, { resultTypes: ['violations'], ...options });
}

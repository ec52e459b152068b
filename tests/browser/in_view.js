// Comes back when the page's own observers, which are older, know that this part is in view
(selector) => new Promise((done) => {
  new IntersectionObserver((ends) => ends.some(({ isIntersecting }) => isIntersecting) && done())
    .observe(document.querySelector(selector));
});

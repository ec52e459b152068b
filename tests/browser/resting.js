// Scrolls to a part and comes back when it stays where it is: what lies above gets its true height only in view
async (part) => {
  const place = () => part.getBoundingClientRect().top;
  part.scrollIntoView();
  for (let before = place(), frames = 0; frames < 10; frames = place() === before ? frames + 1 : 0) {
    before = place();
    await new Promise(requestAnimationFrame);
  }
}

// A what-if: the reader chooses among variants of a program. What they show instead of the first is in a script
// next to the page, `weaverFlip(line, data)`, which is loaded on the first hover, focus or touch.
(() => {
  const found = new Map();
  window.weaverFlip = (line, data) => found.get(line).taken(data);

  class WhatIf {
    constructor(section) {
      const { name, line, own, sizes } = section.dataset, find = (selector) => section.querySelector(selector);
      Object.assign(this, { section, name, own: Number(own), at: Number(own), sizes: sizes.split(" ").map(Number) });
      found.set(Number(line), this);
      this.frame = find(".offers");
      this.code = find(".offers code");
      this.predict = find(".predict");
      this.title = find("figcaption a");
      this.step = find("figcaption [data-trace]");
      this.offers = [...section.querySelectorAll(".offer")];
      this.plots = [...section.querySelectorAll(".plot [data-variant]")];
      this.shown = { code: this.code.innerHTML };
      section.querySelectorAll("[data-flip]").forEach((piece) => { this.shown[piece.dataset.flip] = piece.innerHTML; });
      this.first = { ...this.shown };
      this.listen();
      new ResizeObserver(() => requestAnimationFrame(() => this.settle())).observe(this.frame);
      this.open(new URLSearchParams(location.search).getAll("if").find((one) => this.isMine(one)));
    }

    listen() {
      const once = { once: true, passive: true };
      for (const sign of ["pointerover", "focusin", "touchstart"])
        this.section.addEventListener(sign, () => this.load(), once);
      this.offers.forEach((offer) => offer.addEventListener("input", () => { this.say(); this.go(this.chosen()); }));
      this.predict?.addEventListener("change", ({ target }) => this.answer(target.dataset.right === "true"));
    }

    load() {
      const { variants } = this.section.querySelector("[data-variants]").dataset;
      return this.loading ||= new Promise((done, failed) => {
        this.taken = (data) => { this.data = data; done(); };
        document.head.append(Object.assign(document.createElement("script"), { src: variants, onerror: failed }));
      });
    }

    isMine(one) { return one === this.name || one.startsWith(`${this.name}.`); }

    // An address names a variant by its place among all: `?if=detach/one_factor_counts.2`.
    open(asked) {
      const number = asked ? Number(asked.slice(this.name.length + 1)) - 1 : -1;
      if (!(number >= 0 && number < this.sizes.reduce((a, b) => a * b))) return;
      let rest = number;
      this.offers.slice().reverse().forEach((offer) => {
        const size = this.sizes[offer.dataset.at], choice = rest % size;
        rest = (rest - choice) / size;
        const range = offer.querySelector("[type=range]");
        if (range) range.value = choice;
        else offer.querySelector(`[value="${choice}"]`).checked = true;
      });
      this.say();
      this.answered = true;
      this.go(number).then(() => location.hash || this.section.scrollIntoView());
    }

    chosen() {
      const choice = (offer) => Number(offer.querySelector("[type=range], :checked").value);
      return this.offers.reduce((sum, offer) => sum * this.sizes[offer.dataset.at] + choice(offer), 0);
    }

    say() {
      for (const range of this.section.querySelectorAll(".offer [type=range]")) {
        const text = range.dataset.texts.split(" ")[range.value];
        range.setAttribute("aria-valuetext", text);
        range.nextElementSibling.textContent = text;
      }
    }

    async go(number) {
      this.wanted = number;
      await this.load();
      if (this.wanted !== number || this.at === number) return; // the reader has chosen another by now
      this.at = number;
      this.ask(number);
      for (const [name, variants] of Object.entries(this.data.pieces))
        if (name !== "predict") this.show(name, variants[number]);
      this.trace(number);
      this.plots.forEach((mark) => mark.classList.toggle("now", Number(mark.dataset.variant) === number));
      this.settle();
      this.section.dispatchEvent(new Event("flip", { bubbles: true })); // some may be wider than its place now
      clearTimeout(this.keeping);
      this.keeping = setTimeout(() => this.keep(), 300);
    }

    show(name, html) {
      const place = name === "code" ? this.code : this.section.querySelector(`[data-flip="${name}"]`);
      place.classList.toggle("differs", html !== null && name !== "code" && name !== "output");
      html ??= this.first[name];
      if (this.shown[name] === html) return;
      place.innerHTML = this.shown[name] = html;
      wake(name === "code" || name === "output" ? this.section : place);
    }

    // The first other variant is to be predicted, where there is something to choose from.
    ask(number) {
      if (!this.predict) return;
      const asks = !this.answered && number !== this.own;
      this.predict.hidden = !asks;
      this.predict.innerHTML = asks ? this.data.pieces.predict[number] : "";
      this.section.classList.toggle("asked", asks);
    }

    answer(right) {
      const verdict = this.predict.querySelector(".verdict");
      verdict.textContent = right ? verdict.dataset.right : verdict.dataset.wrong;
      verdict.dataset.given = right ? "right" : "wrong";
      this.answered = true;
      this.section.classList.remove("asked");
    }

    trace(number) {
      const name = number === this.own ? this.name : `${this.name}.${number + 1}`, file = name.split("/")[1];
      this.title.textContent = `${name}.py`;
      this.title.href = this.title.href.replace(/[^/]+$/, `${file}.py`);
      if (!this.step) return;
      const { dataset } = this.step, place = document.getElementById(dataset.target);
      const reopen = place && !place.hidden && this.data.traced[number];
      place?.remove();
      Object.assign(dataset, { name, trace: dataset.trace.replace(/[^/]+$/, `${file}.trace.js`) });
      this.step.hidden = !this.data.traced[number];
      this.step.setAttribute("aria-expanded", "false");
      if (reopen) this.step.click();
    }

    // Each control is below its line; the line makes room for it.
    settle() {
      const lines = [...this.code.querySelectorAll("[data-place]")].map((line) => {
        const own = line.dataset.place.split(" ").map((at) => this.offers[at]);
        const room = own.reduce((sum, offer) => sum + offer.offsetHeight, 0);
        line.style.paddingBottom = `${room}px`;
        return [line, own, room];
      });
      const { top } = this.frame.getBoundingClientRect(); // now: the page may have moved for the room
      for (const [line, own, room] of lines) {
        let at = line.getBoundingClientRect().bottom - top - room;
        for (const offer of own) {
          offer.style.top = `${at}px`;
          at += offer.offsetHeight;
        }
      }
      this.section.classList.add("ready");
    }

    keep() {
      const asked = new URLSearchParams(location.search);
      const others = asked.getAll("if").filter((one) => !this.isMine(one));
      asked.delete("if");
      const mine = this.at === this.own ? [] : [`${this.name}.${this.at + 1}`];
      for (const one of [...others, ...mine]) asked.append("if", one);
      const query = asked.size ? `?${asked}` : "";
      history.replaceState(history.state, "", location.pathname + query + location.hash);
    }
  }

  document.querySelectorAll("section.what-if").forEach((section) => new WhatIf(section));
})();

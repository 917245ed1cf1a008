// Lighting a word: from the stage to the page and back, through one DOM event, "expediter:highlight" {request, position, from}.
const HIGHLIGHT = "expediter:highlight";

class Light {
  // views: everything with light(chosen). chosen is {request from 0, position from 1} or null.
  constructor(root, views, inspect) {
    Object.assign(this, { root, views, inspect, chosen: null, kept: null });
    this.heard = (event) => this.hear(event);
    document.addEventListener(HIGHLIGHT, this.heard);
    root.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.point(event));
    root.addEventListener("pointerleave", () => this.choose(this.kept));
    root.addEventListener("click", (event) => this.tap(event));
    // A click on a word keeps the keyboard's focus where it was.
    root.addEventListener("mousedown", (event) => event.target.closest("svg") && event.preventDefault());
    root.addEventListener("focusin", (event) => event.target.matches(".xp-word") && this.choose(this.wordAt(event)));
    root.addEventListener("focusout", (event) => event.target.matches(".xp-word") && this.choose(this.kept));
  }

  end() {
    document.removeEventListener(HIGHLIGHT, this.heard);
  }

  reset() {
    this.kept = null;
    this.choose(null);
  }

  wordAt(event) {
    const { request, position } = event.target.closest?.("[data-request]")?.dataset ?? {};
    return request === undefined ? null : { request: Number(request), position: Number(position) };
  }

  point(event) {
    if (event.target.closest("svg")) this.choose(this.wordAt(event) ?? this.kept);
  }

  tap(event) {
    if (!event.target.closest("svg")) return;
    const word = this.wordAt(event);
    this.kept = word && same(word, this.kept) ? null : word;
    this.choose(this.kept);
  }

  choose(chosen) {
    if (same(chosen, this.chosen)) return;
    this.light(chosen);
    const detail = { request: chosen?.request ?? null, position: chosen?.position ?? null, from: "stage" };
    this.root.dispatchEvent(new CustomEvent(HIGHLIGHT, { bubbles: true, detail }));
  }

  hear(event) {
    const { request = null, position = null, from } = event.detail ?? {};
    if (from !== "stage") this.light(request === null ? this.kept : { request: Number(request), position: Number(position) });
  }

  light(chosen) {
    this.chosen = chosen;
    for (const view of this.views) view.light(chosen);
    this.inspect(chosen);
  }
}

const same = (one, other) => one === other || (!!one && !!other && one.request === other.request && one.position === other.position);

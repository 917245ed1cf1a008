// The requests: one card each. Every word enters as a text node. A word under the pointer or the focus tells the stage, and the
// stage's word lights here, through one DOM event: "expediter:highlight" {request, position}; request null means none.
const EVENT = "expediter:highlight";
const SPOKEN = {
  passed: "passed", refused: "refused", behind: "behind a refused word", left: "not sent",
  correction: "the big model's correction", bonus: "the big model's own word",
};

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function word(letter, piece) {
  if (piece.kind.startsWith("past")) return element("span", `ex-word ex-${piece.kind}`, piece.text);
  const struck = piece.kind === "refused" || piece.kind === "behind";
  const made = element(struck ? "s" : "span", `ex-word ex-${piece.kind}`, piece.text);
  made.append(element("span", "ex-spoken", ` (${SPOKEN[piece.kind]}) `));
  made.dataset.request = letter.slot;
  made.dataset.position = piece.position;
  made.tabIndex = -1;
  return made;
}

function card(letter) {
  const made = element("article", "ex-letter");
  made.dataset.slot = letter.slot;
  const prompt = element("p", "ex-prompt");
  prompt.append(element("span", "ex-number", `${letter.slot + 1}`), element("span", "", letter.prompt));
  const answer = element("p", "ex-answer");
  const newest = element("span", "ex-newest");
  for (const piece of letter.pieces) (piece.kind.startsWith("past") ? answer : newest).append(word(letter, piece));
  answer.append(newest);
  if (letter.ended) answer.append(element("span", "ex-ended", "finished; a fresh request follows"));
  made.append(prompt, answer);
  return made;
}

function legend(kinds) {
  const made = element("p", "ex-legend");
  for (const { kind, mark, label } of kinds) {
    const entry = element("span", "ex-entry");
    entry.append(element("span", "ex-mark", mark), element("span", `ex-word ex-${kind}`, label));
    made.append(entry);
  }
  return made;
}

function emit(request, position) {
  document.dispatchEvent(new CustomEvent(EVENT, { detail: { request, position, from: "words" } }));
}

function listen(root) {
  const light = (event) => {
    const { request, position } = event.detail ?? {};
    for (const lit of root.querySelectorAll(".ex-lit, .ex-lit-letter")) lit.classList.remove("ex-lit", "ex-lit-letter");
    if (request === null || request === undefined) return;
    const letter = root.querySelector(`.ex-letter[data-slot="${Number(request)}"]`);
    if (!letter) return;
    letter.classList.add("ex-lit-letter");
    letter.querySelector(`[data-position="${Number(position)}"]`)?.classList.add("ex-lit");
    if (event.detail.from === "words") return;
    // Only the list scrolls, never the page: the reader is looking at the stage.
    const list = root.querySelector(".ex-letters");
    list.scrollTop = letter.offsetTop - list.offsetTop - 8;
  };
  const tell = (event) => {
    const { request, position } = event.target.closest?.("[data-request]")?.dataset ?? {};
    if (request !== undefined) emit(Number(request), Number(position));
  };
  const quiet = (event) => { if (event.target.closest?.("[data-request]")) emit(null, null); };
  const walk = (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const here = event.target.closest?.("[data-request]");
    if (!way || !here) return;
    const all = [...root.querySelectorAll("[data-request]")];
    const next = all[all.indexOf(here) + way];
    event.preventDefault();
    event.stopPropagation();
    if (next) { here.tabIndex = -1; next.tabIndex = 0; next.focus(); }
  };
  document.addEventListener(EVENT, light);
  for (const name of ["pointerover", "focusin"]) root.addEventListener(name, tell);
  for (const name of ["pointerout", "focusout"]) root.addEventListener(name, quiet);
  root.addEventListener("keydown", walk);
  return () => document.removeEventListener(EVENT, light);
}

// Where the list is scrolled to is remembered, never asked for: an answer would make the browser lay out the whole page first.
const scrolls = new WeakMap();

function draw(root, data) {
  const scrolled = scrolls.get(root) ?? 0;
  const list = element("div", "ex-letters");
  list.tabIndex = 0;
  list.setAttribute("role", "region");
  list.setAttribute("aria-label", "The requests and their words");
  list.append(...data.letters.map(card));
  root.replaceChildren(legend(data.legend), list);
  const first = root.querySelector("[data-request]");
  if (first) first.tabIndex = 0;
  if (scrolled) list.scrollTop = scrolled;
  list.addEventListener("scroll", () => scrolls.set(root, list.scrollTop), { passive: true });
}

const lists = new WeakMap(); // one {end, latest} a mounted element; Streamlit calls again with the same element for every new step

export default function mount(component) {
  const root = component.parentElement.querySelector(".ex-words");
  if (!lists.has(root)) lists.set(root, { end: listen(root), latest: null });
  const list = lists.get(root);
  const before = list.latest;
  list.latest = component;
  draw(root, component.data);
  return () => {
    if (root.isConnected) return overtaken(root, list, component, before);
    list.end();
    return lists.delete(root);
  };
}

// Two calls can arrive in the wrong order while the script is still loading. Streamlit then ends the older one at once, and the words
// before it were the newer. A call that is ended because a third one follows finds that one here a moment later.
function overtaken(root, list, component, before) {
  setTimeout(() => {
    if (!before || list.latest !== component) return;
    list.latest = before;
    draw(root, before.data);
  }, 100);
}

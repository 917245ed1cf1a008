// Back, Play, Next, the dots and the keys.
class Bar {
  constructor(root, { back, play, next, jump }) {
    Object.assign(this, { root, jump });
    const holder = root.querySelector(".sy-buttons");
    const button = (name, act) => {
      const made = html("button", `sy-${name}`, holder);
      made.type = "button";
      html("span", "", made).setAttribute("aria-hidden", "true");
      html("span", "", made);
      made.addEventListener("click", act);
      return made;
    };
    this.back = this.named(button("back", back), "◀", "Back");
    this.play = button("play", play);
    this.next = this.named(button("next", next), "▶❘", "Next");
    this.dots = root.querySelector(".sy-dots");
    root.querySelector(".sy-bar").addEventListener("mousedown", (event) => event.preventDefault()); // after a click Space still means Play
    this.press = (event) => this.key(event, { " ": play, ArrowRight: next, ArrowLeft: back });
    document.addEventListener("keydown", this.press);
  }

  named(button, face, label) {
    put(button.firstChild, "text", face);
    put(button.lastChild, "text", label);
    return button;
  }

  build(scenes) {
    this.dots.replaceChildren();
    this.buttons = scenes.map((scene, i) => {
      const made = html("button", "sy-dot", html("li", "", this.dots), String(scene.number));
      made.type = "button";
      made.title = scene.title;
      made.setAttribute("aria-label", `Scene ${scene.number}: ${scene.title}`);
      made.addEventListener("click", () => this.jump(i));
      return made;
    });
  }

  show({ index, running, still, part, waiting }) {
    this.buttons.forEach((made, i) => {
      put(made, "aria-current", i === index ? "step" : "false");
      put(made, "data-done", i < index);
      put(made, "style", `--part: ${i === index ? (100 * part).toFixed(0) : 0}%`);
    });
    this.play.hidden = still;
    this.play.disabled = waiting !== "";
    this.named(this.play, running ? "❚❚" : waiting ? "" : "▶", running ? "Pause" : waiting || "Play");
    this.back.disabled = index === 0;
    this.next.disabled = index === this.buttons.length - 1;
  }

  // Keys work wherever the focus is, unless it is in something that uses them itself.
  key(event, acts) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !this.root.isConnected) return;
    const { target } = event;
    if (target.closest?.(USES_KEYS)) return;
    if (event.key === " " && target.closest?.("button, a, summary, [role=button]")) return; // Space presses what has the focus
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  end() {
    document.removeEventListener("keydown", this.press);
  }
}

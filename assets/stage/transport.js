// Pills, buttons, slider and keys: everything that moves the playhead by hand.
const SPEEDS = [0.5, 1, 2, 4];

class Transport {
  constructor(root, player) {
    this.player = player;
    this.pills = root.querySelector(".xp-pills");
    const bar = root.querySelector(".xp-transport");
    const button = (name, face, label, act) => {
      const made = html("button", `xp-button xp-${name}`, bar);
      made.type = "button";
      html("span", "xp-face", made, face).setAttribute("aria-hidden", "true");
      html("span", "xp-label", made, label);
      made.addEventListener("click", act);
      return made;
    };
    this.back = button("back", "◀", "Back", () => player.back());
    this.play = button("play", "▶", "Play", () => player.play());
    this.step = button("step", "▶❘", "Step", () => player.step());
    this.fast = button("fast", "▶▶", "Fast-forward", () => player.fast());
    this.reset = button("reset", "↺", "Reset", () => player.reset());
    this.speed = html("select", "xp-speed-choice", bar);
    this.speed.setAttribute("aria-label", "Speed");
    for (const speed of SPEEDS) html("option", "", this.speed, `${speed}×`).value = speed;
    this.speed.value = 1;
    this.speed.addEventListener("change", () => { player.speed = Number(this.speed.value); });
    this.slider = html("input", "xp-scrub", bar);
    Object.assign(this.slider, { type: "range", min: 0, step: 1, value: 0 });
    this.slider.setAttribute("aria-label", "Playhead");
    this.slider.addEventListener("input", () => player.seek(player.line.stops[Number(this.slider.value)].ms));
  }

  build(data) {
    const { line } = this.player;
    this.pills.replaceChildren();
    this.buttons = PHASES.map((name) => {
      const made = html("button", "xp-pill", this.pills, TITLES[name]);
      made.type = "button";
      const index = line.phases.findIndex((phase) => phase.name === name);
      made.disabled = index < 0;
      made.addEventListener("click", () => this.player.toPhase(index));
      return { made, index };
    });
    this.slider.max = line.stops.length - 1;
  }

  show(frame) {
    const { player } = this;
    const { stops } = player.line;
    const playing = player.mode === "playing";
    put(this.play.firstChild, "text", playing ? "❚❚" : "▶");
    put(this.play.lastChild, "text", playing ? "Pause" : "Play");
    put(this.fast, "aria-pressed", player.mode === "fast");
    this.back.disabled = frame.ms === 0 && !player.data.canBack;
    for (const { made, index } of this.buttons) {
      put(made, "aria-current", index === frame.index ? "step" : "false");
      put(made, "data-done", index >= 0 && index < frame.index);
    }
    const passed = stops.findLastIndex((stop) => stop.ms <= frame.ms + 1e-6);
    if (Number(this.slider.value) !== passed) this.slider.value = passed;
    put(this.slider, "aria-valuetext", stops[passed].label);
    put(this.slider, "style", `--part:${((100 * passed) / Math.max(1, stops.length - 1)).toFixed(1)}%`);
  }
}

const ROLES = ["slider", "combobox", "listbox", "tab", "dialog"].map((role) => `[role=${role}]`); // with keys of their own
const USES_KEYS = ["input", "select", "textarea", "[contenteditable=true]", ...ROLES].join(", ");

// Keys move the playhead wherever the focus is, unless it is in something that uses the keys itself.
function keys(root, player) {
  const press = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !root.isConnected) return;
    const { target } = event;
    const playsFromSlider = event.key === " " && target.matches?.(".xp-scrub");
    if (target.closest?.(USES_KEYS) && !playsFromSlider) return;
    if (event.key === " " && target.closest?.("button, a, summary, [role=button]")) return; // Space presses what has the focus
    const acts = {
      " ": () => player.play(),
      ArrowRight: () => (event.shiftKey ? player.nudge(1) : player.step()),
      ArrowLeft: () => (event.shiftKey ? player.nudge(-1) : player.back()),
      Home: () => player.seek(0),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

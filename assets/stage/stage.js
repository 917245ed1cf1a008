// The stage puts the parts together: one playhead, one frame a moment, and every view draws that frame.
class Stage {
  // `alone`: the stage has the page's keys to itself. A story that moves its playhead keeps them.
  constructor(root, { alone = true } = {}) {
    this.root = root;
    const find = (name) => root.querySelector(name);
    this.parts = { caption: find(".xp-caption"), note: find(".xp-note"), title: find(".xp-bars-title"), inspect: find(".xp-inspect"),
      aboard: find(".xp-aboard"), legend: find(".xp-legend"), spoken: find(".xp-spoken") };
    this.bars = new Bars(find(".xp-bars .xp-plot"));
    this.curve = new Curve(find(".xp-curve .xp-plot"));
    this.van = new Van(find(".xp-van .xp-plot"));
    this.dials = new Dials(find(".xp-dials"));
    this.sum = new Sum(find(".xp-curve"));
    this.views = [this.bars, this.curve, this.van, this.dials, this.sum];
    this.player = new Player(() => this.show(), (kind, id) => this.send(kind, id));
    this.transport = new Transport(root, this.player);
    this.light = new Light(root, [this.bars, this.curve, this.van], (chosen) => this.inspect(chosen));
    this.dropKeys = alone ? keys(root, this.player) : () => {};
    root.addEventListener("keydown", (event) => this.walk(event));
    find(".xp-bars").addEventListener("click", (event) => this.peek(event));
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(root);
  }

  receive(component) {
    const { data, setTriggerValue } = component;
    this.trigger = setTriggerValue;
    if (this.data?.revision === data.revision) {
      this.player.data.canBack = data.canBack;
      put(this.parts.note, "text", this.note(data));
      return this.show();
    }
    this.data = { ...data, deepest: Math.max(1, ...data.words.map((word) => word.j)) };
    const focused = this.root.contains(document.activeElement) ? document.activeElement : null;
    const word = focused?.matches(".xp-word");
    this.built = false;
    this.player.receive(this.data);
    if (word) this.bars.tab?.group.focus({ preventScroll: true });
    return undefined;
  }

  send(kind, id) {
    this.trigger("event", { kind, step: this.data.step, revision: this.data.revision, id });
  }

  note(data) {
    return `step ${data.step + 1}${data.note ? ` · ${data.note}` : ""}`;
  }

  build() {
    const { data, parts } = this;
    this.built = true;
    if (!this.width) {
      this.width = this.root.clientWidth;
      measure([this.bars, this.curve, this.van, this.dials].map((view) => view.holder));
    }
    for (const view of this.views) view.build(data);
    this.transport.build(data);
    put(parts.note, "text", this.note(data));
    parts.legend.replaceChildren();
    for (const { name, label, mark } of data.states) {
      const item = html("li", "", parts.legend);
      item.dataset.state = name;
      html("span", "xp-legend-mark", item, mark).setAttribute("aria-hidden", "true");
      html("span", "", item, label);
    }
    // No picture is without its words, not even the moment before the playhead comes to rest.
    const frame = frameAt(this.player.line, this.player.ms);
    for (const view of [this.curve, this.van, this.dials]) view.describe(frame);
    this.light.reset();
    this.inspect(null);
  }

  fit() {
    if (this.data && Math.abs(this.root.clientWidth - this.width) >= 2) this.refit();
  }

  // Measure the cards anew and draw in them.
  refit() {
    this.width = 0;
    this.build();
    this.show();
  }

  show() {
    if (!this.built) this.build();
    const { player, data, root, parts } = this;
    const frame = frameAt(player.line, player.ms);
    for (const view of this.views) view.show(frame);
    this.transport.show(frame);
    put(parts.caption, "text", data.captions[frame.phase]);
    const pool = `${count(data.words.length, "guessed word")} of ${count(data.requests.length, "request")}`;
    const order = frame.sorted < 0.5 ? "request by request" : "surest first";
    put(parts.title, "text", data.words.length ? `${pool}, ${order}` : "No guessed words in this step");
    const load = data.requests.length;
    const batch = load + frame.aboard;
    const aboard = { orders: count(load, "standing order"), parcels: count(frame.aboard, "parcel"), batch };
    put(parts.aboard, "text", fill(data.text.aboard, aboard));
    const facts = {
      step: data.step, revision: data.revision, phase: frame.phase, ms: Math.round(frame.ms), decided: frame.decided,
      admitted: frame.aboard, batch, theta: data.path[frame.aboard], spent: data.spent,
      mode: player.mode, playing: player.mode === "playing", waiting: player.pending !== null, late: player.late,
    };
    for (const [name, value] of Object.entries(facts)) put(root, `data-${name}`, String(value));
    if (this.light.chosen) this.inspect(this.light.chosen); // what became of it changes as the playhead moves
    this.speak(frame);
  }

  // Read aloud what stands still, not every frame of what moves.
  speak(frame) {
    clearTimeout(this.speaking);
    this.speaking = setTimeout(() => {
      this.van.describe(frame);
      this.dials.describe(frame);
      this.nameBars();
      const loading = frame.phase === "load" && frame.loading ? ` ${this.sum.read(frame)[2]}` : "";
      put(this.parts.spoken, "text", `${TITLES[frame.phase]}. ${this.data.captions[frame.phase]}${loading}`);
    }, 500);
  }

  nameBars() {
    const labels = Object.fromEntries(this.data.states.map((state) => [state.name, state.label]));
    for (const { group, word, state } of this.bars.bars) {
      if (group) put(group, "aria-label", `${word.t}: request ${word.r + 1}, word ${word.j}, chance ${percent(word.a)}, ${labels[state] ?? ""}`);
    }
  }

  inspect(chosen) {
    const hint = this.data.words.length ? "Point at a word or tap it to see its request in order." : "";
    put(this.parts.inspect, "text", chosen ? this.told(chosen) : hint);
  }

  // One word in a sentence: a guessed one, or position 0 for what the big model writes itself.
  told({ request, position }) {
    const bar = this.bars.bars.find(({ word }) => word.r === request && word.j === position);
    if (!bar) return `Request ${request + 1}: the big model's own word is “${this.data.requests[request]?.own ?? "none"}”.`;
    const { mark, label } = this.data.states.find(({ name }) => name === bar.state);
    return `${mark} “${bar.word.t}” is word ${position} of request ${request + 1}: chance ${percent(bar.word.a)}; ${label}.`;
  }

  // Arrow keys walk along the bars once one of them has the focus; Escape gives the keys back to the playhead.
  walk(event) {
    if (!event.target.matches?.(".xp-word")) return;
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") event.target.blur();
    if (!way || event.shiftKey) return;
    event.preventDefault();
    const here = this.bars.bars.findIndex(({ group }) => group === event.target);
    const next = this.bars.bars[here + way];
    if (!next) return;
    this.bars.lookAt(next.place, frameAt(this.player.line, this.player.ms));
    this.bars.lead(next);
    next.group.focus({ preventScroll: true });
  }

  peek(event) {
    const { strip, svg } = this.bars;
    if (!strip) return;
    const box = svg.getBoundingClientRect();
    if (!strip.holds(event.clientY - box.top)) return;
    this.bars.peek = strip.placeAt(event.clientX - box.left) - WINDOW / 2;
    this.bars.show(frameAt(this.player.line, this.player.ms));
  }

  end() {
    this.resized.disconnect();
    this.dropKeys();
    this.light.end();
    this.player.end();
    clearTimeout(this.speaking);
  }
}

// The sorted bars: every guessed word of the pool. Above a number of words that still can be read, an overview and a window on it.
const BARS_HEIGHT = 268;
const WINDOW = 24;

// What a word is at this moment: read off the trace, never decided here.
function stateOf(word, place, frame, data) {
  if (place >= data.stop) return frame.decided ? "left" : "waiting";
  if (place >= frame.aboard) return "waiting";
  if (word.fate === "behind") return frame.delivered > 0.4 ? "behind" : "loaded";
  return frame.checked > 0 && frame.checked * data.stop >= place + 1 - 1e-6 ? word.fate : "loaded";
}

// 0..1, how far a word has come in Draft: first every request's first word, then every second one.
const bornAt = (word, frame, data) => clamp(frame.drafted * (data.deepest + 1) - word.j + 1, 0, 1);

class Bars {
  constructor(holder) {
    this.holder = holder;
  }

  build(data) {
    this.data = data;
    const { svg, width } = canvas(this.holder, BARS_HEIGHT, { role: "group", "aria-label": "Every guessed word, surest first" });
    this.svg = svg;
    this.tab = undefined; // the bar that Tab leads to
    this.peek = null; // a window that the reader moved; the playhead takes it back
    this.total = data.words.length;
    if (!this.total) return this.empty(width);
    [this.grouped, this.rank] = groupedPlaces(data);
    const narrow = width < 520;
    this.windowed = this.total > (narrow ? 30 : 80);
    const left = 38;
    const inner = width - left - 6;
    const visible = this.windowed ? WINDOW : this.total;
    this.strip = this.windowed ? new Strip(svg, { left, width: inner, top: 4, height: 40, words: data.words }) : null;
    this.pitch = Math.min(inner / visible, 86);
    this.labels = this.pitch >= 46 ? 28 : this.pitch >= 19 ? 56 : this.crowded() ? 78 : 58; // px under the bars for the words
    svg.toggleAttribute("data-crowded", this.crowded());
    this.area = { left, width: inner, top: this.windowed ? 74 : 24, bottom: BARS_HEIGHT - this.labels };
    this.shift = left + (inner - this.pitch * visible) / 2;
    this.axis();
    const clip = draw("clipPath", { id: `xp-clip-${(Bars.made = (Bars.made ?? 0) + 1)}` }, svg);
    draw("rect", { x: 0, y: 0, width, height: BARS_HEIGHT }, clip);
    const layer = draw("g", { "clip-path": `url(#${clip.id})` }, svg);
    this.thread = draw("polyline", { class: "xp-thread" }, layer);
    this.layer = draw("g", {}, layer);
    this.bars = data.words.map((word, place) => ({ word, place, group: null }));
    this.beads = draw("g", { class: "xp-beads" }, layer);
    this.stopLine = draw("g", { class: "xp-stop" }, layer);
    draw("line", { x1: 0, x2: 0, y1: this.area.top - 20, y2: this.area.bottom + 8 }, this.stopLine);
    this.stopText = draw("text", { y: this.area.top - 10 }, this.stopLine, "");
    return undefined;
  }

  empty(width) {
    const place = { class: "xp-empty", x: width / 2, y: BARS_HEIGHT / 2, "text-anchor": "middle" };
    this.bars = [];
    this.strip = null;
    return draw("text", place, this.svg, "no guessed words in this step");
  }

  axis() {
    const { left, width, top, bottom } = this.area;
    for (const share of [0, 0.5, 1]) {
      const y = mix(bottom, top, share);
      draw("line", { class: share ? "xp-grid" : "xp-axis", x1: left, x2: left + width, y1: y, y2: y }, this.svg);
      draw("text", { class: "xp-tick", x: left - 6, y: y + 4, "text-anchor": "end" }, this.svg, `${100 * share}%`);
    }
  }

  // A bar is made when it is first seen: of a large pool the window shows few.
  make(bar) {
    const { word, place } = bar;
    const group = draw("g", { class: "xp-word", role: "img", tabindex: -1, ...whose(word.r, word.j) }, this.layer);
    const { top, bottom } = this.area;
    const wide = this.pitch * (this.pitch > 20 ? 0.8 : 0.74);
    draw("rect", { class: "xp-hit", x: -this.pitch / 2, y: top - 18, width: this.pitch, height: bottom - top + this.labels + 12 }, group);
    const rect = draw("rect", { class: "xp-bar", x: -wide / 2, width: wide, rx: Math.min(3, wide / 4) }, group);
    const mark = draw("path", { class: "xp-mark", d: "" }, group);
    const room = this.pitch >= 46 ? this.pitch - 6 : this.crowded() ? 32 : 48;
    const label = draw("text", { class: "xp-name" }, group, fit(word.t, room, this.crowded() ? 10.5 : 11));
    draw("title", {}, group, `${word.t} · request ${word.r + 1}, word ${word.j}`);
    this.turn(label, place % 2);
    Object.assign(bar, { group, rect, mark, label });
    this.lightBar(bar);
  }

  crowded() {
    return this.pitch < 13;
  }

  // Words stand under their bars: level, slanted or upright; in two rows where one would be too tight to read.
  turn(label, row) {
    const y = this.area.bottom + (this.crowded() && row ? 43 : 6);
    const level = `translate(0 ${this.area.bottom + 18})`;
    const turned = this.pitch >= 19 ? `translate(4 ${y + 5}) rotate(-52)` : `translate(3.5 ${y}) rotate(-90)`;
    put(label, "transform", this.pitch >= 46 ? level : turned);
    put(label, "text-anchor", this.pitch >= 46 ? "middle" : "end");
  }

  // Where the window begins, as a place in the order; it glides with the loading.
  windowStart(frame) {
    if (!this.windowed) return 0;
    const middle = this.peek ?? mix(0, Math.max(frame.admitted - WINDOW / 2 - 2, 0), frame.sorted);
    return clamp(middle, 0, this.total - WINDOW);
  }

  lookAt(place, frame) {
    if (this.windowed) this.peek = clamp(this.windowStart(frame), place - WINDOW + 2, place - 1);
    this.show(frame);
  }

  show(frame) {
    if (!this.total) return;
    if (frame.ms !== this.lastMs) this.peek = null;
    this.lastMs = frame.ms;
    const from = this.windowStart(frame);
    const { top, bottom } = this.area;
    for (const bar of this.bars) {
      const place = mix(this.grouped[bar.place], bar.place, frame.sorted);
      const born = bornAt(bar.word, frame, this.data);
      const state = stateOf(bar.word, bar.place, frame, this.data);
      bar.state = state;
      this.strip?.show(bar, place, born * mix(0.12, bar.word.a, frame.scored), state);
      const out = this.windowed && (place < from - 0.5 || place > from + WINDOW - 0.5);
      bar.seen = born > 0 && !out;
      if (bar.seen && !bar.group) this.make(bar);
      if (bar.group) put(bar.group, "visibility", bar.seen ? "visible" : "hidden");
      if (!bar.seen) continue;
      const height = Math.max(2, (bottom - top) * mix(0.06, bar.word.a, frame.scored));
      bar.x = this.shift + (place - from + 0.5) * this.pitch;
      bar.y = bottom - height;
      put(bar.group, "transform", at(bar.x, 0));
      put(bar.group, "data-state", state);
      put(bar.group, "data-tried", bar.place === this.data.stop && frame.lifted > 0.3);
      put(bar.group, "opacity", born);
      put(bar.rect, "y", bar.y.toFixed(2));
      put(bar.rect, "height", height.toFixed(2));
      this.markOf(bar, state);
      if (this.crowded()) {
        this.turn(bar.label, (frame.sorted < 0.5 ? this.rank[bar.place] : bar.place) % 2);
        put(bar.label, "opacity", frame.sorted > 0 && frame.sorted < 1 ? 0.25 : 1); // unreadable anyway while they pass each other
      }
    }
    this.strip?.frame(from, frame);
    this.showStop(frame, from);
    this.showThread();
    this.lead();
  }

  // Tab leads to one bar: the one that had the focus last while it is in sight, else the first in sight.
  lead(to = this.tab) {
    const next = to?.seen ? to : this.bars.find((bar) => bar.seen);
    if (next === this.tab) return;
    if (this.tab) put(this.tab.group, "tabindex", -1);
    if (next) put(next.group, "tabindex", 0);
    this.tab = next;
  }

  markOf(bar, state) {
    const shown = state === "passed" || state === "refused" || state === "behind";
    put(bar.mark, "d", shown ? MARKS[state] : "");
    if (shown) put(bar.mark, "transform", `translate(0 ${(bar.y - 9).toFixed(2)}) scale(${Math.min(1.15, this.pitch / 9.5).toFixed(2)})`);
  }

  showStop(frame, from) {
    const { stop, candidates } = this.data;
    const shown = frame.decided && frame.loading;
    put(this.stopLine, "visibility", shown ? "visible" : "hidden");
    if (!shown) return;
    const right = stop - from > (this.windowed ? WINDOW : this.total) * 0.8;
    put(this.stopLine, "transform", `translate(${(this.shift + (stop - from) * this.pitch).toFixed(2)} 0)`);
    put(this.stopText, "text", stop === candidates ? "all aboard" : "stop");
    put(this.stopText, "x", right ? -6 : 6);
    put(this.stopText, "text-anchor", right ? "end" : "start");
  }

  light(chosen) {
    this.chosen = chosen;
    this.svg.classList.toggle("has-light", chosen !== null);
    for (const bar of this.bars) this.lightBar(bar);
    this.strip?.light(chosen);
    this.showThread();
  }

  lightBar({ group, word }) {
    const mate = Boolean(this.chosen) && word.r === this.chosen.request;
    group?.toggleAttribute("data-mate", mate);
    group?.toggleAttribute("data-lit", mate && word.j === this.chosen.position);
  }

  // A line through the lit request's words in their own order, numbered: every cut of the pile leaves a prefix.
  showThread() {
    const mates = this.chosen ? this.bars.filter((bar) => bar.word.r === this.chosen.request && bar.x !== undefined) : [];
    mates.sort((one, other) => one.word.j - other.word.j);
    put(this.thread, "points", mates.map((bar) => `${bar.x.toFixed(1)},${bar.y.toFixed(1)}`).join(" "));
    this.beads.replaceChildren();
    for (const bar of mates) {
      const bead = draw("g", { transform: `translate(${bar.x.toFixed(1)} ${bar.y.toFixed(1)})` }, this.beads);
      draw("circle", { r: 7 }, bead);
      draw("text", { y: 3.6, "text-anchor": "middle" }, bead, bar.word.j);
    }
  }
}

// Before sorting the words stand request by request, in the order in which they were written. → where each stands, and its number there.
function groupedPlaces(data) {
  const order = data.words.map((_, place) => place);
  order.sort((one, other) => data.words[one].r - data.words[other].r || data.words[one].j - data.words[other].j);
  const places = [];
  const rank = [];
  const gap = 0.7; // between two requests, in bars
  const squeeze = (order.length - 1) / Math.max(1, order.length - 1 + gap * (data.requests.length - 1));
  order.forEach((place, at) => { rank[place] = at; places[place] = (at + gap * data.words[place].r) * squeeze; });
  return [places, rank];
}

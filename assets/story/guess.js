// Predict, then reveal: the reader loads an empty van and marks where to stop, before any curve is drawn. What the load would bring and
// how long it would take is told meanwhile; that one divided by the other is the score, the reader finds out.
const SIDEWAYS = 8; // px

class Guess {
  // changed(): the mark moved; answered(place or null): the reader wants to see.
  constructor(root, stage, { asking, answered }) {
    Object.assign(this, { stage, asking, answered });
    const find = (name) => root.querySelector(name);
    this.parts = { form: find(".sy-guess"), question: find(".sy-question"), text: find(".sy-mark-text"), range: find(".sy-range"),
      stop: find(".sy-guess [type=submit]"), show: find(".sy-show"), verdict: find(".sy-verdict"), told: find(".sy-verdict p"),
      rates: find(".sy-verdict dl"), meters: find(".sy-meters") };
    this.parts.form.addEventListener("submit", (event) => { event.preventDefault(); this.answered(this.mark); });
    this.parts.show.addEventListener("click", () => this.answered(null));
    this.parts.range.addEventListener("input", () => this.move(Number(this.parts.range.value)));
    // On the pile a tap marks a place instead of lighting a word, and the line can be dragged.
    root.addEventListener("click", (event) => this.swallow(event), true);
    root.addEventListener("pointerdown", (event) => this.grasp(event));
    root.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) root.addEventListener(name, (event) => this.release(event));
  }

  build(data) {
    const { ui } = data;
    this.data = data;
    this.most = data.runs.quiet.candidates;
    this.mark = 0; // nothing hints at the answer
    this.grip = null; // while the line is held: where, and where the window on the pile stood
    this.place = null; // what was answered
    this.parts.range.max = this.most;
    this.parts.range.setAttribute("aria-label", ui.slider);
    put(this.parts.stop, "text", ui.stop_here);
    put(this.parts.show, "text", ui.show);
    put(this.parts.question, "text", data.scenes.find((scene) => scene.asks)?.asks ?? "");
    this.parts.meters.replaceChildren();
    this.meters = [ui.brings, ui.takes].map((name) => {
      html("dt", "", this.parts.meters, name);
      const row = html("dd", "sy-rate", this.parts.meters);
      return { bar: html("span", "sy-rate-bar", row), value: html("span", "", row) };
    });
    this.move(this.mark);
  }

  move(place) {
    this.mark = clamp(place, 0, this.most);
    this.parts.range.value = this.mark;
    const told = fill(this.data.ui.mark, { k: this.mark, all: this.most });
    put(this.parts.text, "text", told);
    const [words, ms] = this.weigh(this.mark);
    put(this.parts.range, "aria-valuetext", `${told}. ${this.data.ui.brings} ${words}. ${this.data.ui.takes} ${ms}.`);
    if (!this.asking()) return;
    const { bars } = this.stage;
    if (bars.windowed && bars.data && (!this.grip || this.grip.strip)) {
      bars.peek = this.mark - WINDOW / 2;
      bars.show(this.frame());
    }
    this.draw();
  }

  frame() {
    return frameAt(this.stage.player.line, this.stage.player.ms);
  }

  // The two numbers that the score is made of, as the recorded step has them for so many guesses aboard.
  weigh(place) {
    const { path, ms } = this.data.runs.quiet;
    const { ui } = this.data;
    const brought = path.map((theta, k) => (theta * ms[k]) / 1000);
    const told = [fill(ui.brings_value, { words: brought[place].toFixed(1) }), fill(ui.takes_value, { ms: ms[place].toFixed(1) })];
    [brought, ms].forEach((values, i) => {
      this.meters[i].bar.style.width = `${((100 * values[place]) / Math.max(...values)).toFixed(1)}%`;
      put(this.meters[i].value, "text", told[i]);
    });
    return told;
  }

  onPile(event) {
    return this.asking() && Boolean(event.target.closest?.(".xp-bars svg"));
  }

  swallow(event) {
    if (this.onPile(event)) event.stopPropagation();
  }

  // A mouse marks at once. A finger may be about to scroll: it marks when it is lifted again, or once it moves sideways.
  grasp(event) {
    if (!this.onPile(event) || event.button) return;
    const { bars } = this.stage;
    const strip = Boolean(bars.strip?.holds(event.clientY - bars.svg.getBoundingClientRect().top));
    this.grip = { strip, from: bars.windowStart(this.frame()), x: event.clientX, sure: event.pointerType !== "touch" };
    if (this.grip.sure) this.drag(event);
  }

  drag(event) {
    const { grip } = this;
    if (!grip || !this.asking()) return;
    if (!event.buttons) { this.grip = null; return; } // let go outside the story
    grip.sure ||= Math.abs(event.clientX - grip.x) > SIDEWAYS;
    if (grip.sure) this.placeUnder(event);
  }

  // Along the overview the window follows; on the enlarged bars it stands still under the pointer.
  placeUnder(event) {
    const { bars } = this.stage;
    const x = event.clientX - bars.svg.getBoundingClientRect().left;
    this.move(Math.round(this.grip.strip ? bars.strip.placeAt(x) : this.grip.from + (x - bars.shift) / bars.pitch));
  }

  release(event) {
    if (!this.grip) return;
    if (!this.grip.sure && event.type === "pointerup" && this.asking()) this.placeUnder(event);
    this.grip = null;
    if (this.asking()) this.move(this.mark);
  }

  // The reader's line on the pile and, once the curve is there, their point on it.
  draw(curveToo = false) {
    const { bars, curve } = this.stage;
    for (const line of this.lines ?? []) line.remove();
    this.lines = [];
    this.point?.remove();
    const place = this.asking() ? this.mark : this.place;
    this.load(this.asking() ? this.mark : 0);
    if (place === null || !bars.total) return;
    const from = bars.windowStart(this.frame());
    const x = bars.shift + (place - from) * bars.pitch;
    const { top, bottom } = bars.area;
    const wide = bars.windowed ? WINDOW : bars.total; // bars in sight
    const inSight = place >= from - 0.01 && place <= from + wide + 0.01;
    if (inSight) this.lines.push(this.drawn(bars.svg, at(x, 0), top - 14, bottom + 8, wide * 0.85 < place - from + 1));
    if (bars.strip) { // the overview has the line always, and its name where the enlarged bars do not reach
      const { left, pitch, top: high, height } = bars.strip;
      this.lines.push(this.drawn(bars.svg, at(left + place * pitch, 0), high - 4, high + height + 4, place > bars.total * 0.85, !inSight));
    }
    if (!curveToo) return;
    const point = curve.points[place];
    this.point = draw("g", { class: "sy-point", transform: at(point.x, point.y) }, curve.svg);
    draw("path", { d: "M0,-8 L8,0 L0,8 L-8,0 Z" }, this.point);
    // Away from the labels of the curve: these stand above the peak, below its right end and, for no words at all, below its left end.
    const { stop } = this.data.runs.quiet;
    const [y, right] = [place < stop * 0.4 ? -12 : 20, place <= stop && place < this.most * 0.9];
    draw("text", { x: right ? 11 : -11, y, "text-anchor": right ? "start" : "end" }, this.point, this.data.ui.you);
  }

  // While the reader chooses, what stands before their line is as good as aboard.
  load(mark) {
    const { bars } = this.stage;
    bars.bars.forEach(({ group, place }) => {
      group?.toggleAttribute("data-mine", place < mark);
      bars.strip?.rects[place].toggleAttribute("data-mine", place < mark);
    });
  }

  drawn(svg, transform, top, bottom, left, named = true) {
    const group = draw("g", { class: "sy-line", transform }, svg);
    draw("line", { x1: 0, x2: 0, y1: top, y2: bottom }, group);
    if (named) draw("text", { x: left ? -6 : 6, y: top + 26, "text-anchor": left ? "end" : "start" }, group, this.data.ui.you);
    return group;
  }

  // Their words per second beside the expediter's; the room for it is there from the reveal's beginning.
  verdict(revealed, shown) {
    const { verdict, told, rates } = this.parts;
    const known = revealed && this.place !== null;
    verdict.hidden = !known;
    put(verdict, "data-here", known && shown);
    if (!known || !shown) return;
    const { verdicts, ui, runs } = this.data;
    put(told, "text", verdicts[this.place].sentence);
    rates.replaceChildren();
    const rows = [[`◇ ${ui.you}`, this.place, "you"], [`● ${ui.expediter}`, runs.quiet.stop, "them"]];
    const top = Math.max(...rows.map(([, place]) => runs.quiet.path[place]));
    for (const [name, place, who] of rows) {
      html("dt", "", rates, name);
      const row = html("dd", `sy-rate sy-${who}`, rates);
      html("span", "sy-rate-bar", row).style.width = `${((100 * runs.quiet.path[place]) / top).toFixed(1)}%`;
      html("span", "", row, fill(ui.rate, { rate: verdicts[place].rate }));
    }
  }
}

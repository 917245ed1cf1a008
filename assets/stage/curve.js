// The curve: words per second against batch size, drawn as loading goes. Beyond the stop it is dashed, and only after the decision.
const CURVE_HEIGHT = 226;

class Curve {
  constructor(holder) {
    this.holder = holder;
  }

  build(data) {
    this.data = data;
    const { svg, width, height } = canvas(this.holder, CURVE_HEIGHT, { role: "img" });
    this.svg = svg;
    this.area = { x: 50, y: 14, width: width - 50 - 14, height: height - 14 - 44 };
    this.load = data.requests.length;
    this.top = roundUp(1.08 * Math.max(...data.path, data.thetaOff));
    this.points = data.path.map((theta, k) => this.at(k, theta));
    this.axes();
    this.rest = draw("polyline", { class: "xp-rest", points: join(this.points.slice(data.stop)) }, svg);
    this.line = draw("polyline", { class: "xp-line" }, svg);
    this.drop = draw("line", { class: "xp-drop" }, svg);
    this.mates = draw("g", { class: "xp-mates" }, svg);
    this.markers();
    this.head = draw("circle", { class: "xp-head", r: 6 }, svg);
    this.tried = draw("circle", { class: "xp-tried", r: 5 }, svg);
  }

  at(k, theta) {
    const { x, y, width, height } = this.area;
    const most = Math.max(this.data.candidates, 1);
    return { x: x + (width * k) / most, y: y + height * (1 - theta / this.top) };
  }

  axes() {
    const { x, y, width, height } = this.area;
    const off = this.at(0, this.data.thetaOff).y;
    for (const share of [0, 0.5, 1]) {
      const line = y + height * (1 - share);
      const beside = Math.abs(line - off) < 12 ? 11 : 7; // room for the mark of no guessing, which stands on the axis
      draw("line", { class: share ? "xp-grid" : "xp-axis", x1: x, x2: x + width, y1: line, y2: line }, this.svg);
      draw("text", { class: "xp-tick", x: x - beside, y: line + 4, "text-anchor": "end" }, this.svg, rate(share * this.top));
    }
    for (const place of this.ticks()) {
      const at = this.at(place, 0);
      draw("line", { class: "xp-axis", x1: at.x, x2: at.x, y1: at.y, y2: at.y + 5 }, this.svg);
      draw("text", { class: "xp-tick", x: at.x, y: at.y + 18, "text-anchor": "middle" }, this.svg, this.load + place);
    }
    const title = { class: "xp-axis-title", x: x + width / 2, y: y + height + 38, "text-anchor": "middle" };
    this.title = draw("text", title, this.svg, "");
    this.titles = [this.titled(""), this.titled(this.data.stop < this.data.candidates ? this.data.text.curve.beyond : "")];
  }

  // What the axis counts, as long as there is room for it, and what the dashes mean once they are drawn.
  titled(beyond) {
    const { axis, axis_short: short } = this.data.text.curve;
    return textWidth(axis + beyond, 12) <= this.area.width + 20 ? axis + beyond : short + beyond;
  }

  // Whole batch sizes, the first and the last among them, far enough from each other to be read.
  ticks() {
    const most = this.data.candidates;
    if (!most) return [0];
    const pieces = Math.min(most, 4);
    return Array.from({ length: pieces + 1 }, (_, i) => Math.round((i * most) / pieces));
  }

  markers() {
    const { data, svg, load } = this;
    const { curve } = data.text;
    const off = this.at(0, data.thetaOff);
    const all = this.points.at(-1);
    const stop = this.points[data.stop];
    const peak = this.points[data.peak];
    const drop = boxesAlong([stop, { x: stop.x, y: this.area.y + this.area.height }]);
    const taken = [...boxesAlong(this.points), ...[off, all, stop, peak].map((p) => ({ x: p.x - 8, y: p.y - 8, width: 16, height: 16 }))];
    const bounds = { ...this.area, y: 0, height: this.area.y + this.area.height - 2 };
    const words = (template, theta, k) => fill(template, { theta: rate(theta), batch: (load + k).toLocaleString("en-US") });
    const group = (name, text, point, prefer, weight) => {
      const spot = placeLabel(text, point, bounds, { taken, soft: drop }, prefer, weight);
      const made = draw("g", { class: `xp-marker xp-at-${name}` }, svg);
      draw("text", { x: spot.x + spot.width / 2, y: spot.y + 12, "text-anchor": "middle" }, made, text);
      return made;
    };
    const same = data.peak === data.stop;
    this.decided = [];
    if (data.candidates) {
      const text = words(same ? (data.uncertain ? curve.uncertain : curve.peak) : curve.stop, data.path[data.stop], data.stop);
      const stopped = group("stop", text, stop, "above");
      draw("circle", { cx: stop.x, cy: stop.y, r: 7 }, stopped);
      this.decided.push(stopped);
    }
    if (!same) {
      const highest = group("peak", words(curve.peak, data.path[data.peak], data.peak), peak, "above");
      draw("circle", { cx: peak.x, cy: peak.y, r: 6 }, highest);
      this.decided.push(highest);
    }
    const nothing = group("off", words(curve.off, data.thetaOff, 0), off, "below", 400);
    draw("rect", { x: off.x - 6, y: off.y - 6, width: 12, height: 12 }, nothing);
    if (!data.candidates) return;
    const whole = group("all", words(curve.all, data.thetaAll, data.candidates), all, "below", 400);
    const triangle = draw("path", { class: "xp-all-mark", d: `M${all.x},${all.y - 9} l9,16 h-18 Z` });
    svg.insertBefore(triangle, this.decided[0]); // under the stop, where they meet
    this.decided.push(whole, triangle);
  }

  show(frame) {
    const { data } = this;
    const whole = Math.floor(frame.admitted + 1e-6);
    const part = frame.admitted - whole;
    const here = part > 1e-6 ? between(this.points[whole], this.points[whole + 1], part) : this.points[whole];
    put(this.line, "points", join([...this.points.slice(0, whole + 1), here]));
    const shown = frame.loading || frame.decided;
    for (const node of [this.line, this.head]) put(node, "visibility", shown ? "visible" : "hidden");
    put(this.head, "transform", `translate(${here.x.toFixed(2)} ${here.y.toFixed(2)})`);
    put(this.head, "data-decided", frame.decided);
    put(this.rest, "visibility", frame.decided ? "visible" : "hidden");
    put(this.title, "text", this.titles[Number(frame.decided)]);
    for (const node of this.decided) put(node, "visibility", frame.decided ? "visible" : "hidden");
    const ground = this.area.y + this.area.height;
    for (const [key, value] of [["x1", here.x], ["x2", here.x], ["y1", here.y], ["y2", ground]]) put(this.drop, key, value.toFixed(2));
    put(this.drop, "visibility", shown ? "visible" : "hidden");
    put(this.tried, "visibility", frame.lifted > 0 ? "visible" : "hidden");
    if (frame.lifted > 0) {
      const next = between(this.points[data.stop], this.points[data.stop + 1], frame.lifted);
      put(this.tried, "transform", `translate(${next.x.toFixed(2)} ${next.y.toFixed(2)})`);
    }
    this.frame = frame;
    this.showMates();
  }

  light(chosen) {
    this.chosen = chosen;
    this.showMates();
  }

  // The lit request's words, where each of them went aboard.
  showMates() {
    this.mates.replaceChildren();
    if (!this.chosen || !this.frame) return;
    this.data.words.forEach((word, place) => {
      if (word.r !== this.chosen.request || place >= this.frame.aboard) return;
      const at = this.points[place + 1];
      const lit = word.j === this.chosen.position;
      draw("circle", { cx: at.x, cy: at.y, r: lit ? 7 : 4.5, ...(lit ? { "data-lit": "" } : {}) }, this.mates);
    });
  }

  describe() {
    const { data, load } = this;
    const where = (k) => `${rate(data.path[k])} words per second at batch ${load + k}`;
    put(this.svg, "aria-label", `Words per second against batch size. Check nothing: ${rate(data.thetaOff)}. Stop: ${where(data.stop)}. `
      + `Highest point: ${where(data.peak)}. Check all: ${rate(data.thetaAll)} at batch ${load + data.candidates}.`);
  }
}

const join = (points) => points.map((point) => `${point.x.toFixed(2)},${point.y.toFixed(2)}`).join(" ");
const between = (from, to, part) => ({ x: mix(from.x, to.x, part), y: mix(from.y, to.y, part) });

// Two dials: trips per second fall as the van fills, deliveries per second climb and then begin to fall.
const UNDER_DIAL = 88; // px for hub, value, title and what the mark means

class Dials {
  constructor(card) {
    this.holder = card.querySelector(".xp-plot");
    this.product = card.querySelector(".xp-product");
  }

  build(data) {
    this.data = data;
    const radius = Math.min(104, widths.get(this.holder) / 4 - 20);
    const { svg, width } = canvas(this.holder, Math.ceil(radius) + UNDER_DIAL, { role: "img" });
    this.svg = svg;
    const trips = data.ms.map((ms) => 1000 / ms);
    this.trips = this.dial(svg, width * 0.25, radius, roundUp(1.02 * Math.max(...trips)), "trips per second", "trips");
    const most = roundUp(1.05 * Math.max(...data.path, data.thetaOff));
    this.words = this.dial(svg, width * 0.75, radius, most, "deliveries (words) per second", "words");
    this.peak = draw("path", { class: "xp-dial-peak", d: "M0,-6 l6,-11 h-12 Z" }, svg);
    const angle = this.words.angle(data.path[data.peak]);
    put(this.peak, "transform", `translate(${this.words.x} ${this.words.y}) rotate(${angle}) translate(0 ${-radius - 1})`);
    const digits = (value) => (value < 10 ? 2 : 1); // of the stop, all the way there: digits that come and go would flicker
    const [atStop, time] = [data.path[data.stop], data.ms[data.stop]];
    this.digits = { words: digits((atStop * time) / 1000), trips: digits(1000 / time) };
    this.peakText = draw("text", { class: "xp-dial-note", x: this.words.x, y: this.words.y + 65, "text-anchor": "middle" }, svg, "▾ the peak of this step");
  }

  dial(svg, x, radius, top, title, name) {
    const y = radius + 20;
    const angle = (value) => -90 + 180 * clamp(value / top, 0, 1);
    const arc = (from, to, r) => {
      const point = (a) => `${(x + r * Math.sin((a * Math.PI) / 180)).toFixed(2)},${(y - r * Math.cos((a * Math.PI) / 180)).toFixed(2)}`;
      return `M${point(from)} A${r},${r} 0 0 1 ${point(to)}`;
    };
    const group = draw("g", { class: `xp-dial xp-dial-${name}` }, svg);
    draw("path", { class: "xp-dial-bed", d: arc(-90, 90, radius - 9) }, group);
    const gone = draw("path", { class: "xp-dial-gone", pathLength: 180, d: arc(-90, 90, radius - 9), "stroke-dasharray": "0 400" }, group);
    for (let tick = -90; tick <= 90; tick += 22.5) {
      const long = tick % 45 === 0;
      const line = { class: "xp-dial-tick", y1: -radius + 1, y2: -radius + (long ? 13 : 8) };
      draw("line", { ...line, transform: `${at(x, y)} rotate(${tick})` }, group);
    }
    const needle = draw("path", { class: "xp-needle", d: `M-3.2,7 L0,${-radius + 12} L3.2,7 Z` }, group);
    draw("circle", { class: "xp-hub", cx: x, cy: y, r: 6.5 }, group);
    const value = draw("text", { class: "xp-dial-value", x, y: y + 30, "text-anchor": "middle" }, group, "");
    draw("text", { class: "xp-dial-title", x, y: y + 48, "text-anchor": "middle" }, group, title);
    return { x, y, angle, needle, value, gone };
  }

  point(dial, value) {
    const angle = dial.angle(value);
    put(dial.needle, "transform", `translate(${dial.x} ${dial.y}) rotate(${angle.toFixed(2)})`);
    put(dial.gone, "stroke-dasharray", `${(angle + 90).toFixed(2)} 400`);
    put(dial.value, "text", rate(value));
  }

  show(frame) {
    const { path, ms, stop } = this.data;
    const along = (values) => {
      const whole = frame.aboard;
      const next = frame.lifted > 0 ? stop + 1 : whole + 1;
      const part = frame.lifted > 0 ? frame.lifted : frame.admitted - whole;
      return part > 1e-6 ? mix(values[whole], values[Math.min(next, values.length - 1)], part) : values[whole];
    };
    const [time, theta] = [along(ms), along(path)];
    this.point(this.trips, 1000 / time);
    this.point(this.words, theta);
    const [words, trips] = [((theta * time) / 1000).toFixed(this.digits.words), (1000 / time).toFixed(this.digits.trips)];
    const sign = rate(words * trips) === rate(theta) ? "=" : "≈"; // for a reader who multiplies what is shown
    put(this.product, "text", fill(this.data.text.product, { words, trips, sign, theta: rate(theta) }));
    for (const node of [this.peak, this.peakText]) put(node, "visibility", frame.decided ? "visible" : "hidden");
    put(this.words.needle, "data-falling", frame.lifted > 0.05);
  }

  describe(frame) {
    const { ms, path } = this.data;
    put(this.svg, "aria-label", `${rate(1000 / ms[frame.aboard])} trips per second, ${rate(path[frame.aboard])} words per second.`);
  }
}

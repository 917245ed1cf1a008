// The overview above a window: all words as thin bars, and the frame that shows which of them the window enlarges.
class Strip {
  constructor(svg, { left, width, top, height, words }) {
    Object.assign(this, { left, width, top, height, words });
    this.pitch = width / words.length;
    this.group = draw("g", { class: "xp-strip" }, svg);
    draw("rect", { class: "xp-strip-bed", x: left, y: top, width, height, rx: 3 }, this.group);
    this.rects = words.map(() => draw("rect", { class: "xp-thin", width: Math.max(0.8, this.pitch * 0.82), height: 0 }, this.group));
    this.zoom = draw("path", { class: "xp-zoom" }, this.group);
    this.box = draw("rect", { class: "xp-strip-box", y: top - 2, height: height + 4, rx: 3 }, this.group);
    this.cut = draw("line", { class: "xp-cut", y1: top - 2, y2: top + height + 2 }, this.group);
  }

  placeAt(x) {
    return (x - this.left) / this.pitch;
  }

  holds(y) {
    return y < this.top + this.height + 6;
  }

  show(bar, place, share, state) {
    const rect = this.rects[bar.place];
    const height = this.height * share;
    put(rect, "x", (this.left + place * this.pitch).toFixed(2));
    put(rect, "y", (this.top + this.height - height).toFixed(2));
    put(rect, "height", height.toFixed(2));
    put(rect, "data-state", state);
  }

  frame(from, frame) {
    const x = this.left + from * this.pitch;
    const wide = WINDOW * this.pitch;
    const low = this.top + this.height + 2;
    put(this.box, "x", x.toFixed(2));
    put(this.box, "width", wide.toFixed(2));
    put(this.zoom, "d", `M${x.toFixed(1)},${low} L${this.left},${low + 12} H${this.left + this.width} L${(x + wide).toFixed(1)},${low} Z`);
    put(this.cut, "visibility", frame.decided && frame.loading ? "visible" : "hidden");
    const cut = (this.left + frame.admitted * this.pitch).toFixed(2);
    put(this.cut, "x1", cut);
    put(this.cut, "x2", cut);
  }

  light(chosen) {
    this.rects.forEach((rect, place) => rect.toggleAttribute("data-mate", chosen !== null && this.words[place].r === chosen.request));
  }
}

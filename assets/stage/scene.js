// What stands around the van: hills and road, the dock with its pile and the expediter on it, and the house of the customers.
const DOCK_HIGH = 44;
const MANY = 120; // words; above them the crates on the dock are counted

class Scene {
  constructor(svg, data, { width, height, narrow, state }) {
    Object.assign(this, { svg, data, width, height, narrow, state });
    this.ground = height - 36;
    this.dockEnd = Math.min(width * (narrow ? 0.24 : 0.225), 170);
    this.houseWide = clamp(width * 0.15, 60, 100);
    this.land();
    this.dock();
    this.house(width - this.houseWide - 8);
  }

  land() {
    const { svg, ground, width, height, narrow } = this;
    const hills = `M0,${ground} V${ground - 46} Q${width * 0.18},${ground - 96} ${width * 0.4},${ground - 50}`
      + ` T${width * 0.76},${ground - 62} T${width},${ground - 40} V${ground} Z`;
    draw("rect", { class: "xp-sky", width, height }, svg);
    const far = `M0,${ground} V${ground - 84} Q${width * 0.3},${ground - 128} ${width * 0.55},${ground - 92} T${width},${ground - 112} V${ground} Z`;
    draw("circle", { class: "xp-sun", cx: width - (narrow ? 26 : 46), cy: narrow ? 24 : 30, r: narrow ? 11 : 15 }, svg);
    for (const [x, y, size] of narrow ? [[0.62, 20, 0.8]] : [[0.73, 26, 1], [0.84, 15, 0.7]]) this.cloud(width * x, y, size);
    draw("path", { class: "xp-hill xp-far", d: far }, svg);
    draw("path", { class: "xp-hill", d: hills }, svg);
    draw("rect", { class: "xp-road", y: ground, width, height: height - ground }, svg);
    draw("line", { class: "xp-kerb", x1: 0, x2: width, y1: ground, y2: ground }, svg);
    draw("line", { class: "xp-lane", x1: this.dockEnd + 34, x2: width - (narrow ? 158 : 180), y1: ground + 18, y2: ground + 18 }, svg);
  }

  cloud(x, y, size) {
    draw("path", { class: "xp-cloud", transform: `${at(x, y)} scale(${size})`, d: "M-22,8 a8,8 0 0 1 3,-15 a12,12 0 0 1 22,-3 a9,9 0 0 1 15,8 a6,6 0 0 1 0,10 Z" }, this.svg);
  }

  // The hall behind the dock: planks, a roof that reaches out over the van's back, and the door's frame.
  hall(top) {
    const { svg, dockEnd: width, narrow } = this;
    const wall = width - (narrow ? 12 : 22);
    draw("rect", { class: "xp-hall", x: -2, y: 8, width: wall + 2, height: top - 8 }, svg);
    const planks = Array.from({ length: Math.floor(wall / 19) }, (_, i) => `M${(i + 1) * 19},17 V${top}`).join(" ");
    draw("path", { class: "xp-planks", d: planks }, svg);
    draw("rect", { class: "xp-post", x: wall - 4, y: 14, width: 5, height: top - 14 }, svg);
    const eaves = wall + (narrow ? 8 : 16);
    draw("path", { class: "xp-roof", d: `M-2,3 H${eaves - 8} L${eaves},15 H-2 Z` }, svg);
  }

  dock() {
    const { svg, data, ground, dockEnd: width } = this;
    const top = ground - DOCK_HIGH;
    this.hall(top);
    draw("rect", { class: "xp-dock", y: top, width, height: DOCK_HIGH }, svg);
    const slabs = Array.from({ length: Math.floor(width / 34) }, (_, i) => `M${(i + 1) * 34 - 8},${top + 6} V${ground}`).join(" ");
    draw("path", { class: "xp-slabs", d: slabs }, svg);
    draw("rect", { class: "xp-dock-edge", y: top, width, height: 6 }, svg);
    for (const y of [top + 14, top + 28]) draw("rect", { class: "xp-bumper", x: width - 5, y, width: 7, height: 10, rx: 2 }, svg);
    this.dockText = draw("text", { class: "xp-scene-text", x: 8, y: ground + 22 }, svg, "");
    const number = data.words.length;
    const box = { x: 6, y: 22, width: width - (this.narrow ? 27 : 46), height: top - 24 };
    const looks = { shape: number > 24 ? 1.25 : 1.75, widest: 44, fromTop: true, numbers: true };
    this.pile = new Cargo(svg, box, groupsOf(number, number > MANY ? COUNTED : MANY), data, looks);
  }

  // The customers live in one house: every window gets its words, and always the big model's own.
  house(x) {
    const { svg, ground, houseWide: width } = this;
    const floors = gridFor(this.data.requests.length, { width: width - 14, height: this.height - 120 }, 0.85, 34);
    const high = floors.rows * floors.high + 36;
    const top = ground - high;
    draw("rect", { class: "xp-house", x, y: top, width, height: high }, svg);
    draw("path", { class: "xp-roof", d: `M${x - 5},${top} L${x + 8},${top - 14} H${x + width - 8} L${x + width + 5},${top} Z` }, svg);
    draw("rect", { class: "xp-door", x: x + width / 2 - 8, y: ground - 24, width: 16, height: 24, rx: 2 }, svg);
    this.houseText = draw("text", { class: "xp-scene-text", x: this.width - 8, y: ground + 22, "text-anchor": "end" }, svg, "");
    const left = x + (width - floors.columns * floors.wide) / 2;
    const corners = this.data.requests.map((_, i) => ({
      x: left + (i % floors.columns) * floors.wide, y: top + 8 + Math.floor(i / floors.columns) * floors.high,
    }));
    this.windows = this.data.requests.map((request, i) => this.window(request, corners[i].x, corners[i].y, floors));
    this.sills = corners.map((corner) => ({ x: corner.x + floors.wide / 2, y: corner.y + floors.high / 2 })); // where parcels arrive
  }

  window(request, x, y, { wide, high }) {
    const gap = Math.min(4, wide * 0.22);
    const [right, low] = [wide - gap, high - gap];
    const group = draw("g", { class: "xp-window", transform: at(x, y), ...whose(request.r, 0) }, this.svg);
    draw("rect", { width: right, height: low, rx: 1.5 }, group);
    const numbered = wide >= 14;
    const dot = clamp(right * 0.16, 1.8, 4.5);
    const own = numbered ? { cx: right - dot - 1.5, cy: low - dot - 1.5 } : { cx: right / 2, cy: low / 2 };
    if (request.own !== null) draw("circle", { ...own, r: dot }, group);
    const words = { x: right * 0.36, y: low / 2 + 2.5, "text-anchor": "middle", "font-size": clamp(wide * 0.5, 10, 15) };
    if (numbered) draw("text", words, group, request.got);
    draw("title", {}, group, `request ${request.r + 1}: ${count(request.got, "word")}`);
    return group;
  }

  // The one on the dock who says "that's enough". Drawn last, in front of everything.
  expediter() {
    const { narrow } = this;
    const group = draw("g", { class: "xp-person", transform: at(this.dockEnd - (narrow ? 10 : 17), this.ground - DOCK_HIGH) }, this.svg);
    const body = draw("g", { transform: `scale(${narrow ? 1 : 1.16})` }, group);
    draw("path", { class: "xp-legs", d: "M-4,0 L-3,-17 M4,0 L3,-17" }, body);
    draw("rect", { class: "xp-coat", x: -7, y: -36, width: 14, height: 21, rx: 4 }, body);
    draw("path", { class: "xp-stripe", d: "M-7,-24 H7 M-3,-36 V-24 M3,-36 V-24" }, body);
    draw("circle", { class: "xp-face", cy: -43, r: 6 }, body);
    draw("path", { class: "xp-cap", d: "M-7,-44 A7,7 0 0 1 7,-44 L10,-43 V-42 H-7 Z" }, body);
    const board = draw("g", { transform: "translate(-8 -27) rotate(-14)" }, body);
    draw("rect", { class: "xp-board", x: -4.5, y: -6, width: 9, height: 12, rx: 1 }, board);
    draw("path", { class: "xp-lines", d: "M-2.5,-2.5 H2.5 M-2.5,.5 H2.5 M-2.5,3.5 H1" }, board);
    this.arm = draw("path", { class: "xp-arm", d: "M0,0 V13" }, body);
    this.bubble = draw("g", { class: "xp-bubble", transform: at(narrow ? -34 : -52, narrow ? -82 : -92) }, group);
    const outline = narrow ? "M0,0 h54 v20 h-14 l-4,8 l-4,-8 h-32 Z" : "M0,0 h92 v20 h-34 l-5,8 l-4,-8 h-49 Z";
    draw("path", { d: outline }, this.bubble);
    draw("text", { x: narrow ? 27 : 46, y: 14, "text-anchor": "middle" }, this.bubble, narrow ? "enough!" : "that’s enough");
  }

  show(frame, inAir) {
    const { data } = this;
    this.pile.show(
      (place) => (place < frame.aboard || inAir(place) ? null : this.state(place)),
      (place) => bornAt(data.words[place], frame, data),
    );
    this.windows.forEach((window, i) => put(window, "data-lights", arrives(i, data) <= frame.delivered + 1e-6));
    put(this.arm, "transform", `translate(5 -32) rotate(${frame.decided ? -150 : frame.loading ? -75 : -20})`);
    put(this.bubble, "visibility", frame.decided && frame.phase === "load" && data.stop < data.candidates ? "visible" : "hidden");
    const rest = frame.drafted ? data.words.length - frame.aboard : 0;
    put(this.dockText, "text", data.words.length ? `${frame.decided ? "left" : "on the dock"}: ${rest}` : "dock");
    const got = data.requests.reduce((sum, request, i) => sum + (arrives(i, data) <= frame.delivered + 1e-6 ? request.got : 0), 0);
    put(this.houseText, "text", frame.delivered > 0 ? `delivered: ${count(got, "word")}` : count(data.requests.length, "customer"));
  }
}

// 0..1 of the delivery: when a customer's words are there. One after the other, the last one at the end.
const arrives = (slot, data) => (slot + 1) / data.requests.length;

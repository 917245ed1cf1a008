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
    const { svg, ground, width, height } = this;
    const hills = `M0,${ground} V${ground - 46} Q${width * 0.18},${ground - 96} ${width * 0.4},${ground - 50}`
      + ` T${width * 0.76},${ground - 62} T${width},${ground - 40} V${ground} Z`;
    draw("rect", { class: "xp-sky", width, height }, svg);
    draw("path", { class: "xp-hill", d: hills }, svg);
    draw("rect", { class: "xp-road", y: ground, width, height: height - ground }, svg);
    draw("line", { class: "xp-kerb", x1: 0, x2: width, y1: ground, y2: ground }, svg);
  }

  dock() {
    const { svg, data, ground, dockEnd: width } = this;
    const top = ground - DOCK_HIGH;
    draw("rect", { class: "xp-dock", y: top, width, height: DOCK_HIGH }, svg);
    draw("rect", { class: "xp-dock-edge", y: top, width, height: 6 }, svg);
    for (const y of [top + 14, top + 28]) draw("rect", { class: "xp-bumper", x: width - 5, y, width: 7, height: 10, rx: 2 }, svg);
    this.dockText = draw("text", { class: "xp-scene-text", x: 8, y: ground + 22 }, svg, "");
    const number = data.words.length;
    const box = { x: 8, y: 18, width: width - (this.narrow ? 26 : 46), height: top - 20 };
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
    const left = x + (width - floors.columns * floors.wide) / 2;
    this.windows = this.data.requests.map((request, i) => {
      const column = i % floors.columns;
      const row = Math.floor(i / floors.columns);
      return this.window(request, left + column * floors.wide, top + 8 + row * floors.high, floors);
    });
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
    const group = draw("g", { class: "xp-person", transform: at(this.dockEnd - (narrow ? 10 : 16), this.ground - DOCK_HIGH) }, this.svg);
    draw("path", { class: "xp-legs", d: "M-4,0 L-3,-17 M4,0 L3,-17" }, group);
    draw("rect", { class: "xp-coat", x: -7, y: -36, width: 14, height: 21, rx: 4 }, group);
    draw("circle", { class: "xp-face", cy: -43, r: 6 }, group);
    draw("path", { class: "xp-cap", d: "M-7,-44 A7,7 0 0 1 7,-44 L10,-43 V-42 H-7 Z" }, group);
    this.arm = draw("path", { class: "xp-arm", d: "M0,0 V13" }, group);
    this.bubble = draw("g", { class: "xp-bubble", transform: at(narrow ? -34 : -52, -82) }, group);
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
    const lights = frame.delivered * data.requests.length;
    this.windows.forEach((window, i) => put(window, "data-lights", lights >= i + 0.999));
    put(this.arm, "transform", `translate(5 -32) rotate(${frame.decided ? -150 : frame.loading ? -75 : -20})`);
    put(this.bubble, "visibility", frame.decided && frame.phase === "load" && data.stop < data.candidates ? "visible" : "hidden");
    const rest = frame.drafted ? data.words.length - frame.aboard : 0;
    put(this.dockText, "text", data.words.length ? `${frame.decided ? "left" : "on the dock"}: ${rest}` : "dock");
  }
}

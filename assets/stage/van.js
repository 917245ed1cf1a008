// The van on its springs between the dock and the customers' house: the same story for the eye.
const VAN_HEIGHT = 262;
const VAN_HEIGHT_NARROW = 226;
const SINK = 15; // px from empty to everything aboard
const MOST_CRATES = 40; // one crate a word up to here
const COUNTED = 24; // crates at most when they are counted

class Van {
  constructor(holder) {
    this.holder = holder;
  }

  build(data) {
    this.data = data;
    this.load = data.requests.length;
    const narrow = widths.get(this.holder) < 520;
    const { svg, width, height } = canvas(this.holder, narrow ? VAN_HEIGHT_NARROW : VAN_HEIGHT, { role: "img" });
    this.svg = svg;
    this.ground = height - 36;
    this.height = height;
    const dock = Math.min(width * (narrow ? 0.24 : 0.225), 170);
    const house = clamp(width * 0.15, 60, 100);
    this.scenery(width);
    this.dock(dock, narrow);
    this.house(width - house - 8, house);
    this.van(dock + (narrow ? 8 : 12), width - dock - house - (narrow ? 32 : 48), narrow);
    this.expediter(dock - (narrow ? 10 : 16), narrow);
    const looks = data.reason === "peak" && data.stop < data.candidates;
    this.flying = draw("rect", { class: "xp-flying", width: 20, height: 13, x: -10, y: -6.5, rx: 2.5 }, svg);
    this.looks = looks;
  }

  scenery(width) {
    const { svg, ground } = this;
    draw("rect", { class: "xp-sky", width, height: this.height }, svg);
    draw("path", { class: "xp-hill", d: `M0,${ground} V${ground - 46} Q${width * 0.18},${ground - 96} ${width * 0.4},${ground - 50} T${width * 0.76},${ground - 62} T${width},${ground - 40} V${ground} Z` }, svg);
    draw("rect", { class: "xp-road", y: ground, width, height: this.height - ground }, svg);
    draw("line", { class: "xp-kerb", x1: 0, x2: width, y1: ground, y2: ground }, svg);
  }

  dock(width, narrow) {
    const { svg, data, ground } = this;
    const top = ground - 44;
    draw("rect", { class: "xp-dock", y: top, width, height: 44 }, svg);
    draw("rect", { class: "xp-dock-edge", y: top, width, height: 6 }, svg);
    for (const y of [top + 14, top + 28]) draw("rect", { class: "xp-bumper", x: width - 5, y, width: 7, height: 10, rx: 2 }, svg);
    this.dockText = draw("text", { class: "xp-scene-text", x: 8, y: ground + 22 }, svg, "");
    const box = { x: 8, y: 18, width: width - (narrow ? 26 : 46), height: top - 20 };
    this.pile = new Cargo(svg, box, groupsOf(data.words.length, data.words.length > 120 ? COUNTED : 120), data, { shape: data.words.length > 24 ? 1.25 : 1.75, widest: 44, fromTop: true, numbers: true });
  }

  // The customers live in one house: every window gets its words, and always the big model's own.
  house(x, width) {
    const { svg, ground, load } = this;
    const shape = 0.85;
    const floors = gridFor(load, { width: width - 14, height: this.height - 120 }, shape, 34);
    const high = floors.rows * floors.high + 36;
    const top = ground - high;
    draw("rect", { class: "xp-house", x, y: top, width, height: high }, svg);
    draw("path", { class: "xp-roof", d: `M${x - 5},${top} L${x + 8},${top - 14} H${x + width - 8} L${x + width + 5},${top} Z` }, svg);
    draw("rect", { class: "xp-door", x: x + width / 2 - 8, y: ground - 24, width: 16, height: 24, rx: 2 }, svg);
    const left = x + (width - floors.columns * floors.wide) / 2;
    this.windows = this.data.requests.map((request, i) => {
      const gap = Math.min(4, floors.wide * 0.22);
      const at = { x: left + (i % floors.columns) * floors.wide, y: top + 8 + Math.floor(i / floors.columns) * floors.high };
      const group = draw("g", { class: "xp-window", transform: `translate(${at.x.toFixed(2)} ${at.y.toFixed(2)})`, "data-request": request.r, "data-position": 1 }, svg);
      draw("rect", { width: floors.wide - gap, height: floors.high - gap, rx: 1.5 }, group);
      const middle = { x: (floors.wide - gap) / 2, y: (floors.high - gap) / 2 };
      const big = floors.wide >= 14;
      const dot = clamp(middle.x * 0.32, 1.8, 4.5);
      if (request.own !== null) draw("circle", { cx: big ? 2 * middle.x - dot - 1.5 : middle.x, cy: big ? 2 * middle.y - dot - 1.5 : middle.y, r: dot }, group);
      if (big) draw("text", { x: middle.x * 0.72, y: middle.y + 2.5, "text-anchor": "middle", "font-size": clamp(floors.wide * 0.5, 10, 15) }, group, request.got);
      draw("title", {}, group, `request ${request.r + 1}: ${count(request.got, "word")}`);
      return group;
    });
  }

  van(x, long, narrow) {
    const { svg, data, ground } = this;
    const wheel = clamp(long * 0.055, 12, 19);
    const axle = ground - wheel;
    const high = clamp(long * 0.48, 100, 168);
    this.rest = axle - 21 - high; // y of the roof when nothing at all is aboard
    this.x = x;
    const box = long * 0.715;
    this.shadow = draw("ellipse", { class: "xp-shadow", cx: x + long / 2, cy: ground + 3, rx: long * 0.5, ry: 6 }, svg);
    this.frame = draw("g", {}, svg);
    draw("line", { class: "xp-axle", x1: long * 0.1, x2: long * 0.92, y1: axle, y2: axle }, this.frame);
    this.springs = [0.1, 0.29, 0.72, 0.9].map((share) => ({ x: long * share, from: axle, path: draw("path", { class: "xp-spring", d: "" }, this.frame) }));
    this.body = draw("g", {}, this.frame);
    this.coachwork(long, high, box);
    const inside = { x: 9, y: 20, width: box - 18, height: high - 31 };
    draw("rect", { class: "xp-inside", x: inside.x, y: inside.y, width: inside.width, height: inside.height, rx: 5 }, this.body);
    this.orders(inside, narrow);
    const floor = { class: "xp-coach-text", y: 14 };
    this.parcelText = draw("text", { ...floor, x: inside.x + 3 }, this.body, "");
    draw("text", { ...floor, x: inside.x + inside.width - 2, "text-anchor": "end" }, this.body, narrow ? count(this.load, "order") : count(this.load, "standing order"));
    const room = { x: inside.x + 4, y: inside.y + 5, width: inside.width - this.orderWidth - 16, height: inside.height - 8 };
    const places = data.reason === "peak" ? Math.min(data.stop + 1, data.candidates) : data.stop;
    this.cargo = new Cargo(this.body, room, groupsOf(places, places > MOST_CRATES + 1 ? COUNTED : places), data);
    this.wheels = [0.195, 0.815].map((share) => this.wheel(long * share, axle, wheel));
    this.lines = draw("path", { class: "xp-speed", d: `M-4,${axle - 60} h-16 M-2,${axle - 40} h-22 M-4,${axle - 20} h-14` }, this.frame);
  }

  coachwork(long, high, box) {
    const { body } = this;
    const nose = long - 3;
    draw("path", {
      class: "xp-coach",
      d: `M8,0 H${box - 4} Q${box + 2},0 ${box + 3},6 L${box + 3},${high * 0.17} H${long * 0.845} Q${long * 0.875},${high * 0.17} ${long * 0.89},${high * 0.22}`
        + ` L${long * 0.955},${high * 0.54} Q${nose},${high * 0.58} ${nose},${high * 0.68} V${high - 5} Q${nose},${high} ${nose - 6},${high} H6 Q0,${high} 0,${high - 6} V8 Q0,0 8,0 Z`,
    }, body);
    draw("path", { class: "xp-glass", d: `M${box + 10},${high * 0.25} H${long * 0.848} L${long * 0.912},${high * 0.55} H${box + 10} Z` }, body);
    draw("path", { class: "xp-seam", d: `M${box + 3},${high * 0.18} V${high - 4} M${long * 0.868},${high * 0.58} V${high - 8} M${box + 12},${high * 0.66} h10` }, body);
    draw("rect", { class: "xp-lamp", x: nose - 7, y: high * 0.68, width: 7, height: 11, rx: 2 }, body);
    draw("rect", { class: "xp-fender", x: long * 0.9, y: high - 10, width: long * 0.1 + 2, height: 9, rx: 3 }, body);
    draw("rect", { class: "xp-fender", x: -4, y: high - 9, width: 12, height: 8, rx: 3 }, body);
  }

  // Standing orders: one for each customer, behind the driver, aboard before loading begins.
  orders(inside, narrow) {
    const width = clamp(inside.width * 0.22, narrow ? 26 : 40, 66);
    this.orderWidth = width;
    const bed = { x: inside.x + inside.width - width - 4, y: inside.y + 5, width, height: inside.height - 8 };
    draw("line", { class: "xp-rack", x1: bed.x - 5, x2: bed.x - 5, y1: inside.y + 4, y2: inside.y + inside.height - 2 }, this.body);
    const grid = gridFor(this.load, bed, 1.15, 26);
    this.anchors = this.data.requests.map((request, i) => {
      const x = bed.x + bed.width - ((i % grid.columns) + 1) * grid.wide;
      const y = bed.y + bed.height - (Math.floor(i / grid.columns) + 1) * grid.high;
      const gap = Math.min(2.5, grid.wide * 0.16);
      const made = draw("rect", { class: "xp-order", x, y, width: grid.wide - gap, height: grid.high - gap, rx: 1.5, "data-request": request.r, "data-position": 0 }, this.body);
      draw("title", {}, made, `standing order of request ${request.r + 1}`);
      return made;
    });
  }

  wheel(x, y, radius) {
    const group = draw("g", {}, this.frame);
    draw("circle", { class: "xp-tyre", cx: x, cy: y, r: radius }, group);
    draw("circle", { class: "xp-rim", cx: x, cy: y, r: radius * 0.56 }, group);
    const spokes = draw("path", { class: "xp-spokes", d: `M${-radius * 0.5},0 H${radius * 0.5} M0,${-radius * 0.5} V${radius * 0.5}` }, group);
    return { x, y, spokes };
  }

  // The one on the dock who says "that's enough".
  expediter(x, narrow) {
    const feet = this.ground - 44;
    const group = draw("g", { class: "xp-person", transform: `translate(${x} ${feet})` }, this.svg);
    draw("path", { class: "xp-legs", d: "M-4,0 L-3,-17 M4,0 L3,-17" }, group);
    draw("rect", { class: "xp-coat", x: -7, y: -36, width: 14, height: 21, rx: 4 }, group);
    draw("circle", { class: "xp-face", cy: -43, r: 6 }, group);
    draw("path", { class: "xp-cap", d: "M-7,-44 A7,7 0 0 1 7,-44 L10,-43 V-42 H-7 Z" }, group);
    this.arm = draw("path", { class: "xp-arm", d: "M0,0 V13" }, group);
    this.bubble = draw("g", { class: "xp-bubble", transform: `translate(${narrow ? -34 : -52} -82)` }, group);
    draw("path", { d: narrow ? "M0,0 h54 v20 h-14 l-4,8 l-4,-8 h-32 Z" : "M0,0 h92 v20 h-34 l-5,8 l-4,-8 h-49 Z" }, this.bubble);
    draw("text", { x: narrow ? 27 : 46, y: 14, "text-anchor": "middle" }, this.bubble, narrow ? "enough!" : "that’s enough");
  }

  show(frame) {
    const { data, load } = this;
    const weight = (load + frame.admitted + frame.lifted * 0.8) / (load + data.candidates);
    const sink = SINK * weight;
    const drive = ease(frame.checked);
    put(this.frame, "transform", `translate(${(this.x + 12 * drive).toFixed(2)} 0)`);
    put(this.shadow, "transform", `translate(${(12 * drive).toFixed(2)} 0)`);
    put(this.body, "transform", `translate(0 ${(this.rest + sink).toFixed(2)})`);
    for (const spring of this.springs) put(spring.path, "d", coil(spring.x, spring.from, 21 - sink));
    for (const wheel of this.wheels) put(wheel.spokes, "transform", `translate(${wheel.x} ${wheel.y}) rotate(${(20 + 160 * drive).toFixed(1)})`);
    put(this.lines, "opacity", drive > 0 && drive < 1 ? 1 : 0);
    const state = (place) => stateOf(data.words[place], place, frame, data);
    this.cargo.show((place) => (place < frame.aboard ? state(place) : null));
    put(this.parcelText, "text", count(frame.aboard, "parcel"));
    put(this.cargo.layer, "data-delivered", frame.delivered > 0.4);
    this.pile.show(
      (place) => (place < frame.aboard || this.inAir(place, frame) ? null : state(place)),
      (place) => clamp(frame.drafted * (data.deepest + 1) - data.words[place].j + 1, 0, 1),
    );
    this.showFlight(frame, sink);
    this.windows.forEach((window, i) => put(window, "data-lights", frame.delivered > 0 && frame.delivered * load >= i + 0.999 ));
    put(this.arm, "transform", `translate(5 -32) rotate(${frame.decided ? -150 : frame.loading ? -75 : -20})`);
    put(this.bubble, "visibility", frame.decided && frame.phase === "load" && data.stop < data.candidates ? "visible" : "hidden");
    const rest = data.words.length - frame.aboard;
    put(this.dockText, "text", data.words.length ? `${frame.decided ? "left" : "on the dock"}: ${frame.drafted ? rest : 0}` : "dock");
  }

  inAir(place, frame) {
    return frame.lifted > 0 ? place === this.data.stop : place === frame.aboard && frame.admitted - frame.aboard > 1e-6;
  }

  showFlight(frame, sink) {
    const part = frame.lifted > 0 ? frame.lifted : frame.admitted - frame.aboard;
    put(this.flying, "visibility", part > 1e-6 ? "visible" : "hidden");
    if (part <= 1e-6) return;
    const from = this.pile.spot(this.pile.crateOf(frame.aboard));
    const slot = this.cargo.spot(Math.max(0, this.cargo.crateOf(frame.aboard)));
    const to = { x: slot.x + this.x, y: slot.y + this.rest + sink };
    put(this.flying, "transform", `translate(${mix(from.x, to.x, part).toFixed(1)} ${(mix(from.y, to.y, part) - 34 * Math.sin(Math.PI * part)).toFixed(1)})`);
    put(this.flying, "data-tried", frame.lifted > 0);
  }

  light(chosen) {
    this.svg.classList.toggle("has-light", chosen !== null);
    this.cargo.light(chosen);
    this.pile.light(chosen);
    for (const [i, window] of this.windows.entries()) window.toggleAttribute("data-mate", chosen !== null && chosen.request === i);
    for (const [i, anchor] of this.anchors.entries()) anchor.toggleAttribute("data-mate", chosen !== null && chosen.request === i);
  }

  describe(frame) {
    const left = this.data.words.length - frame.aboard;
    put(this.svg, "aria-label", `A van with ${count(this.load, "standing order")} and ${count(frame.aboard, "parcel")}; ${left} on the dock.`);
  }
}

// A coil of four turns from the body down to the axle.
function coil(x, bottom, height) {
  const step = height / 8;
  const turns = Array.from({ length: 7 }, (_, i) => `L${(x + (i % 2 ? -5 : 5)).toFixed(1)},${(bottom - step * (i + 1)).toFixed(2)}`);
  return `M${x},${bottom} ${turns.join(" ")} L${x},${(bottom - height).toFixed(2)}`;
}

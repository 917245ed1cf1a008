// The van on its springs, its load and its standing orders: the same story for the eye.
const VAN_HEIGHT = 262;
const VAN_HEIGHT_NARROW = 226;
const SINK = 15; // px from nothing at all to everything aboard
const CLEARANCE = 21; // px between the axle and the body when nothing at all is aboard
const MOST_CRATES = 48; // one crate a word up to here, and as long as its word can be read on it
const COUNTED = 24; // crates at most when they are counted
const DRIVE = 12; // px towards the house
const FLIGHT = 0.45; // of the delivery's time: how long one customer's parcels are in the air
const COACH_TEXT = 11.5; // px, where there is room for both numbers beside each other

class Van {
  constructor(holder) {
    this.holder = holder;
  }

  build(data) {
    this.data = data;
    this.load = data.requests.length;
    this.narrow = widths.get(this.holder) < 520;
    const { svg, width, height } = canvas(this.holder, this.narrow ? VAN_HEIGHT_NARROW : VAN_HEIGHT, { role: "img" });
    this.svg = svg;
    this.state = (place) => stateOf(data.words[place], place, this.frame, data);
    this.scene = new Scene(svg, data, { width, height, narrow: this.narrow, state: this.state });
    this.ground = this.scene.ground;
    this.x = this.scene.dockEnd + (this.narrow ? 8 : 12);
    this.long = width - this.scene.dockEnd - this.scene.houseWide - (this.narrow ? 32 : 48);
    this.high = clamp(this.long * 0.48, 100, 168);
    this.chassis();
    this.coachwork();
    this.hold();
    this.scene.expediter();
    this.flying = draw("rect", { class: "xp-flying", width: 20, height: 13, x: -10, y: -6.5, rx: 2.5 }, svg);
    this.parcels = data.requests.map((request) => this.parcel(request, svg));
  }

  // What travels from the van to one customer's window: nothing where no guess of theirs passed.
  parcel({ r, accepted }, svg) {
    if (!accepted) return null;
    const node = draw("rect", { class: "xp-delivered", width: 13, height: 9, x: -6.5, y: -4.5, rx: 2 }, svg);
    return { node, from: this.data.words.findIndex((word) => word.r === r && word.fate === "passed") };
  }

  chassis() {
    const { svg, long, ground } = this;
    const radius = clamp(long * 0.055, 12, 19);
    const axle = ground - radius;
    this.axle = axle;
    this.rest = axle - CLEARANCE - this.high; // y of the roof when nothing at all is aboard
    this.shadow = draw("ellipse", { class: "xp-shadow", cx: this.x + long / 2, cy: ground + 3, rx: long * 0.5, ry: 6 }, svg);
    this.moving = draw("g", {}, svg);
    draw("line", { class: "xp-axle", x1: long * 0.1, x2: long * 0.92, y1: axle, y2: axle }, this.moving);
    const spring = (share) => ({ x: long * share, path: draw("path", { class: "xp-spring", d: "" }, this.moving) });
    this.springs = [0.1, 0.29, 0.72, 0.9].map(spring);
    this.body = draw("g", {}, this.moving);
    this.wheels = [0.195, 0.815].map((share) => this.wheel(long * share, axle, radius));
    this.wind = draw("path", { class: "xp-speed", d: `M-4,${axle - 60} h-16 M-2,${axle - 40} h-22 M-4,${axle - 20} h-14` }, this.moving);
  }

  wheel(x, y, radius) {
    const group = draw("g", { transform: at(x, y) }, this.moving);
    draw("circle", { class: "xp-tyre", r: radius }, group);
    draw("circle", { class: "xp-rim", r: radius * 0.56 }, group);
    const half = radius * 0.5;
    return draw("path", { class: "xp-spokes", d: `M${-half},0 H${half} M0,${-half} V${half}` }, group);
  }

  coachwork() {
    const { body, long, high } = this;
    const box = long * 0.715; // where the cab begins
    const nose = long - 3;
    const outline = [
      `M8,0 H${box - 4} Q${box + 2},0 ${box + 3},6 L${box + 3},${high * 0.17}`, // roof of the box, step down to the cab
      `H${long * 0.845} Q${long * 0.875},${high * 0.17} ${long * 0.89},${high * 0.22} L${long * 0.955},${high * 0.54}`, // cab, windscreen
      `Q${nose},${high * 0.58} ${nose},${high * 0.68} V${high - 5} Q${nose},${high} ${nose - 6},${high}`, // nose
      `H6 Q0,${high} 0,${high - 6} V8 Q0,0 8,0 Z`,
    ];
    const glass = `M${box + 10},${high * 0.25} H${long * 0.848} L${long * 0.912},${high * 0.55} H${box + 10} Z`;
    const seams = `M${box + 3},${high * 0.18} V${high - 4} M${long * 0.868},${high * 0.58} V${high - 8} M${box + 12},${high * 0.66} h10`;
    draw("path", { class: "xp-coach", d: outline.join(" ") }, body);
    draw("path", { class: "xp-glass", d: glass }, body);
    this.driver({ x: box + 10, sill: high * 0.55, width: long * 0.912 - box - 10, high });
    draw("path", { class: "xp-seam", d: seams }, body);
    draw("rect", { class: "xp-lamp", x: nose - 7, y: high * 0.68, width: 7, height: 11, rx: 2 }, body);
    draw("rect", { class: "xp-fender", x: long * 0.9, y: high - 10, width: long * 0.1 + 2, height: 9, rx: 3 }, body);
    draw("rect", { class: "xp-fender", x: -4, y: high - 9, width: 12, height: 8, rx: 3 }, body);
    this.inside = { x: 9, y: 20, width: box - 18, height: high - 31 };
    draw("rect", { class: "xp-inside", ...this.inside, rx: 5 }, body);
  }

  // Whoever drives sits behind the glass and looks at the road.
  driver({ x, sill, width, high }) {
    const unit = Math.min(high * 0.068, width * 0.17); // px, radius of the head
    const group = draw("g", { class: "xp-driver", transform: `${at(x + 1.8 * unit, sill)} scale(${unit.toFixed(2)})` }, this.body);
    draw("path", { class: "xp-jacket", d: "M-1.5,0 Q-1.5,-1.25 0,-1.25 Q1.5,-1.25 1.5,0 Z" }, group);
    draw("circle", { class: "xp-face", cy: -2, r: 1 }, group);
    draw("path", { class: "xp-cap", d: "M-1.1,-2.1 A1.1,1.1 0 0 1 1.1,-2.1 H1.75 V-1.8 H-1.1 Z" }, group);
    draw("path", { class: "xp-wheel", d: "M2.6,0 L2.1,-1.6" }, group);
  }

  // The hold: parcels behind, standing orders in front of them, and above both what they are.
  hold() {
    const { inside, data, narrow, body } = this;
    const forOrders = clamp(inside.width * 0.22, narrow ? 26 : 40, 66);
    this.orders({ x: inside.x + inside.width - forOrders - 4, y: inside.y + 5, width: forOrders, height: inside.height - 8 });
    const room = { x: inside.x + 4, y: inside.y + 5, width: inside.width - forOrders - 16, height: inside.height - 8 };
    const places = data.reason === "peak" ? Math.min(data.stop + 1, data.candidates) : data.stop; // and the one that is tried
    const single = places <= MOST_CRATES + 1 || readable(gridFor(places, room, CRATE.shape, CRATE.widest));
    this.cargo = new Cargo(body, room, groupsOf(places, single ? places : COUNTED), data);
    const orders = count(this.load, narrow ? "order" : "standing order");
    const needed = textWidth(count(data.stop, "parcel"), COACH_TEXT, 600) + textWidth(orders, COACH_TEXT, 600) + 12;
    const looks = { class: "xp-coach-text", y: 14, style: `font-size: ${(COACH_TEXT * Math.min(1, inside.width / needed)).toFixed(2)}px` };
    this.parcelText = draw("text", { ...looks, x: inside.x + 3 }, body, "");
    draw("text", { ...looks, x: inside.x + inside.width - 2, "text-anchor": "end" }, body, orders);
  }

  // One standing order for each customer, behind the driver, aboard before loading begins.
  orders(bed) {
    draw("line", { class: "xp-rack", x1: bed.x - 5, x2: bed.x - 5, y1: bed.y - 1, y2: bed.y + bed.height + 1 }, this.body);
    const grid = gridFor(this.load, bed, 1.15, 26);
    const gap = Math.min(2.5, grid.wide * 0.16);
    this.anchors = this.data.requests.map((request, i) => {
      const x = bed.x + bed.width - ((i % grid.columns) + 1) * grid.wide;
      const y = bed.y + bed.height - (Math.floor(i / grid.columns) + 1) * grid.high;
      const box = { class: "xp-order", x, y, width: grid.wide - gap, height: grid.high - gap, rx: 1.5 };
      const made = draw("rect", { ...box, ...whose(request.r, 0) }, this.body);
      draw("title", {}, made, `standing order of request ${request.r + 1}`);
      return made;
    });
  }

  show(frame) {
    const { data } = this;
    this.frame = frame;
    const sink = (SINK * (this.load + frame.admitted + frame.lifted * 0.8)) / (this.load + data.candidates);
    const driven = ease(frame.checked);
    put(this.moving, "transform", at(this.x + DRIVE * driven, 0));
    put(this.shadow, "transform", at(DRIVE * driven, 0));
    put(this.body, "transform", at(0, this.rest + sink));
    for (const spring of this.springs) put(spring.path, "d", coil(spring.x, this.axle, CLEARANCE - sink));
    for (const spokes of this.wheels) put(spokes, "transform", `rotate(${(20 + 160 * driven).toFixed(1)})`);
    put(this.wind, "opacity", driven > 0 && driven < 1 ? 1 : 0);
    this.cargo.show((place) => (place < frame.aboard ? this.state(place) : null));
    put(this.parcelText, "text", count(frame.aboard, "parcel"));
    put(this.cargo.layer, "data-delivered", frame.delivered > 0.4);
    const flying = frame.lifted > 0 || frame.admitted - frame.aboard > 1e-6;
    this.scene.show(frame, (place) => flying && place === frame.aboard);
    put(this.flying, "visibility", flying ? "visible" : "hidden");
    if (flying) this.showFlight(frame, sink);
    this.showDelivery(frame, sink);
  }

  // Every customer's passed parcels on their way from the hold to the window that they light.
  showDelivery(frame, sink) {
    this.parcels.forEach((parcel, i) => {
      if (!parcel) return;
      const end = arrives(i, this.data);
      const part = clamp((frame.delivered - end * (1 - FLIGHT)) / FLIGHT, 0, 1);
      const air = part > 0 && part < 1 - 1e-6;
      put(parcel.node, "visibility", air ? "visible" : "hidden");
      if (!air) return;
      const slot = this.cargo.spot(this.cargo.crateOf(parcel.from));
      const [from, to] = [{ x: slot.x + this.x + DRIVE, y: slot.y + this.rest + sink }, this.scene.sills[i]];
      const way = ease(part);
      put(parcel.node, "transform", at(mix(from.x, to.x, way), mix(from.y, to.y, way) - 40 * Math.sin(Math.PI * way)));
    });
  }

  // The word between dock and van: one that goes aboard, or the first that does not pay, on its way there and back.
  showFlight(frame, sink) {
    const part = frame.lifted > 0 ? frame.lifted : frame.admitted - frame.aboard;
    const from = this.scene.pile.spot(this.scene.pile.crateOf(frame.aboard));
    const slot = this.cargo.spot(Math.max(0, this.cargo.crateOf(frame.aboard)));
    const x = mix(from.x, slot.x + this.x, part);
    const y = mix(from.y, slot.y + this.rest + sink, part) - 34 * Math.sin(Math.PI * part);
    put(this.flying, "transform", at(x, y));
    put(this.flying, "data-tried", frame.lifted > 0);
  }

  light(chosen) {
    this.svg.classList.toggle("has-light", chosen !== null);
    this.cargo.light(chosen);
    this.scene.pile.light(chosen);
    for (const owned of [this.scene.windows, this.anchors]) {
      owned.forEach((node, i) => node.toggleAttribute("data-mate", chosen !== null && chosen.request === i));
    }
  }

  describe(frame) {
    const [orders, parcels] = [count(this.load, "standing order"), count(frame.aboard, "parcel")];
    put(this.svg, "aria-label", `A van with ${orders} and ${parcels}; ${this.data.words.length - frame.aboard} on the dock.`);
  }
}

// A coil of four turns from the axle up to the body.
function coil(x, bottom, height) {
  const step = height / 8;
  const turns = Array.from({ length: 7 }, (_, i) => `L${(x + (i % 2 ? -5 : 5)).toFixed(1)},${(bottom - step * (i + 1)).toFixed(2)}`);
  return `M${x},${bottom} ${turns.join(" ")} L${x},${(bottom - height).toFixed(2)}`;
}

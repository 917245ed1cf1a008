// Parcels: one crate a word while words can be read, counted crates when there are many. Used for the dock and for the van.

// Equal cells for `number` things in a box, as large as may be; of nearly equal ones those that leave no gaps. `shape`: width through height.
function gridFor(number, box, shape, widest) {
  let best = { worth: 0 };
  for (let columns = 1; columns <= Math.max(1, number); columns += 1) {
    const rows = Math.ceil(Math.max(1, number) / columns);
    const wide = Math.min(box.width / columns, (box.height / rows) * shape * 1.4, widest);
    const high = Math.min(wide / shape, box.height / rows);
    const worth = Math.min(wide, high * shape) * (1 - 2 * ((rows * columns - number) / Math.max(1, rows * columns)));
    if (worth >= best.worth) best = { worth, columns, rows, wide, high };
  }
  return best;
}

// Places 0..number−1 in counted groups of equal size, at most `most` groups.
function groupsOf(number, most) {
  const size = Math.max(1, Math.ceil(number / most));
  return Array.from({ length: Math.ceil(number / size) }, (_, i) => Array.from({ length: Math.min(size, number - i * size) }, (_, k) => i * size + k));
}

class Cargo {
  // groups: places of the order in each crate. `fromTop`: the first crate lies on top of the pile, so that it leaves first.
  // `numbers`: a counted crate shows nothing but its number.
  constructor(parent, box, groups, data, { shape = 1.75, widest = 62, fromTop = false, numbers = false } = {}) {
    Object.assign(this, { box, data, groups, fromTop, numbers });
    this.grid = gridFor(groups.length, box, shape, widest);
    this.layer = draw("g", {}, parent);
    this.crates = groups.map((places, i) => this.crate(places, i));
  }

  // The middle of a crate. Rows are filled from the floor up.
  spot(i) {
    const { columns, wide, high } = this.grid;
    const slot = this.fromTop ? this.groups.length - 1 - i : i;
    const row = Math.floor(slot / columns);
    return { x: this.box.x + ((slot % columns) + 0.5) * wide, y: this.box.y + this.box.height - (row + 0.5) * high };
  }

  crate(places, i) {
    const { x, y } = this.spot(i);
    const wide = this.grid.wide - Math.min(3, this.grid.wide * 0.14);
    const high = this.grid.high - Math.min(3, this.grid.high * 0.14);
    const first = this.data.words[places[0]];
    const group = draw("g", { class: "xp-crate", transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`, "data-request": first.r, "data-position": first.j }, this.layer);
    const one = places.length === 1;
    const tag = one ? 0 : this.numbers ? wide : Math.min(17, wide * 0.5); // a counted crate shows its number beside its words' states
    const slice = (wide - tag) / places.length;
    if (!one) draw("rect", { class: "xp-tag", x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 2 }, group);
    const slices = places.map((place, k) => draw("rect", { x: -wide / 2 + tag + k * slice, y: -high / 2, width: slice, height: high, rx: one ? 2.5 : 0 }, group));
    const readable = one ? wide >= 24 && high >= 11.5 : true;
    group.toggleAttribute("data-small", !readable);
    const text = readable ? draw("text", { x: one ? 0 : -wide / 2 + tag / 2, y: 3.8, "text-anchor": "middle" }, group, one ? fit(first.t, wide - 3, 10.5, "") : "") : null;
    const badge = draw("g", { class: "xp-badge", transform: `translate(${readable && one ? wide / 2 - 3 : 0} ${readable && one ? -high / 2 + 3 : 0})` }, group);
    if (readable && one) draw("circle", { r: 6 }, badge);
    const mark = one ? draw("path", { d: "", transform: `scale(${clamp(high / 15, 0.4, readable ? 0.8 : 1.1)})` }, badge) : null;
    draw("title", {}, group, one ? `${first.t} · request ${first.r + 1}, word ${first.j}` : `${places.length} words, the ${places[0] + 1}th surest first`);
    return { group, slices, text, mark, places, plain: readable && one };
  }

  // `stateAt(place)` → a state, or null where the word is not here.
  show(stateAt, opacityAt = () => 1) {
    for (const crate of this.crates) {
      let here = 0;
      let seen = 1;
      let last = null;
      crate.places.forEach((place, k) => {
        const state = stateAt(place);
        put(crate.slices[k], "data-state", state ?? "gone");
        here += state !== null;
        if (state !== null) { last = state; seen = opacityAt(place); }
      });
      put(crate.group, "visibility", here && seen ? "visible" : "hidden");
      put(crate.group, "data-state", last ?? "gone");
      put(crate.group, "opacity", seen);
      if (crate.places.length > 1) put(crate.text, "text", here);
      const marked = last === "passed" || last === "refused" || last === "behind";
      if (crate.mark) put(crate.mark, "d", marked ? MARKS[last] : "");
      if (crate.mark) put(crate.mark.parentNode, "visibility", marked && here ? "inherit" : "hidden");
    }
  }

  light(chosen) {
    for (const { group, places } of this.crates) {
      const mate = chosen !== null && places.some((place) => this.data.words[place].r === chosen.request);
      group.toggleAttribute("data-mate", mate);
      group.toggleAttribute("data-lit", mate && places.some((place) => this.data.words[place].r === chosen.request && this.data.words[place].j === chosen.position));
    }
  }

  crateOf(place) {
    return this.groups.findIndex((places) => places.includes(place));
  }
}

// Parcels: one crate a word while words can be read, counted crates when there are many. Used for the dock and for the van.

// Equal cells for `number` things in a box, as large as may be; of nearly equal grids the one that leaves no gaps.
// `shape` is a cell's width through its height.
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
  const places = Array.from({ length: number }, (_, place) => place);
  return Array.from({ length: Math.ceil(number / size) }, (_, i) => places.slice(i * size, (i + 1) * size));
}

const CRATE = { shape: 1.75, widest: 62 }; // a crate's width through its height, and its largest width in px

// Whether a word can be read on a grid's crates.
const readable = ({ wide, high }) => wide >= 29 && high >= 14;

class Cargo {
  // groups: places of the order in each crate. `fromTop`: the first crate lies on top of the pile, so that it leaves first.
  // `numbers`: a counted crate shows nothing but its number.
  constructor(parent, box, groups, data, { shape = CRATE.shape, widest = CRATE.widest, fromTop = false, numbers = false } = {}) {
    Object.assign(this, { box, data, groups, fromTop, numbers });
    this.grid = gridFor(groups.length, box, shape, widest);
    this.layer = draw("g", {}, parent);
    this.crates = groups.map((places) => ({ places, group: null }));
    this.chosen = null;
  }

  // The middle of a crate. Rows are filled from the floor up.
  spot(i) {
    const { columns, wide, high } = this.grid;
    const slot = this.fromTop ? this.groups.length - 1 - i : i;
    const row = Math.floor(slot / columns);
    return { x: this.box.x + ((slot % columns) + 0.5) * wide, y: this.box.y + this.box.height - (row + 0.5) * high };
  }

  // A crate is made when one of its words is first here: of a pile that is aboard nothing needs drawing.
  make(crate, i) {
    const { places } = crate;
    const { x, y } = this.spot(i);
    const wide = this.grid.wide - Math.min(3, this.grid.wide * 0.14);
    const high = this.grid.high - Math.min(3, this.grid.high * 0.14);
    const first = this.data.words[places[0]];
    const group = draw("g", { class: "xp-crate", transform: at(x, y), ...whose(first.r, first.j) }, this.layer);
    const made = places.length === 1 ? this.single(group, first, wide, high) : this.counted(group, places, wide, high);
    Object.assign(crate, { group, ...made });
    this.lightCrate(crate);
  }

  // A crate that is one word: the word on it while there is room, and its mark.
  single(group, word, wide, high) {
    const told = wide >= 24 && high >= 11.5; // the word stands on it
    group.toggleAttribute("data-small", !told);
    const slices = [draw("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 2.5 }, group)];
    const tight = wide < 44; // then the word stands left, out of the mark's way
    const place = tight ? { x: 3.5 - wide / 2, "text-anchor": "start" } : { "text-anchor": "middle" };
    if (told) draw("text", { ...place, y: 3.8 }, group, fit(word.t, wide - (tight ? 10 : 5), 10.5, ""));
    const badge = draw("g", { class: "xp-badge", transform: told ? at(wide / 2 - 2, 3 - high / 2) : at(0, 0) }, group);
    if (told) draw("circle", { r: Math.min(5.6, high * 0.36) }, badge);
    const mark = draw("path", { d: "", transform: `scale(${clamp(high / 15, 0.4, told ? Math.min(0.75, high * 0.048) : 1.1)})` }, badge);
    draw("title", {}, group, `${word.t} · request ${word.r + 1}, word ${word.j}`);
    return { slices, mark, number: null };
  }

  // A counted crate: its number, and a slice for each of its words.
  counted(group, places, wide, high) {
    const tag = this.numbers ? wide : Math.min(17, wide * 0.5);
    const slice = (wide - tag) / places.length;
    draw("rect", { class: "xp-tag", x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 2 }, group);
    const slices = places.map((_, k) => draw("rect", { x: tag - wide / 2 + k * slice, y: -high / 2, width: slice, height: high }, group));
    const number = draw("text", { x: (tag - wide) / 2, y: 3.8, "text-anchor": "middle" }, group, "");
    draw("title", {}, group, `words ${places[0] + 1} to ${places.at(-1) + 1} of the pile, surest first`);
    return { slices, mark: null, number };
  }

  // `stateAt(place)` → a state, or null where the word is not here.
  show(stateAt, opacityAt = () => 1) {
    this.crates.forEach((crate, i) => {
      const states = crate.places.map(stateAt);
      const newest = states.findLastIndex((state) => state !== null);
      const last = newest < 0 ? null : states[newest];
      const seen = newest < 0 ? 0 : opacityAt(crate.places[newest]);
      if (!crate.group && !seen) return;
      if (!crate.group) this.make(crate, i);
      const here = states.filter((state) => state !== null).length;
      states.forEach((state, k) => put(crate.slices[k], "data-state", state ?? "gone"));
      put(crate.group, "visibility", seen ? "visible" : "hidden");
      put(crate.group, "data-state", last ?? "gone");
      put(crate.group, "opacity", seen);
      if (crate.number) put(crate.number, "text", here);
      if (!crate.mark) return;
      const marked = last === "passed" || last === "refused" || last === "behind";
      put(crate.mark, "d", marked ? MARKS[last] : "");
      put(crate.mark.parentNode, "visibility", marked ? "inherit" : "hidden");
    });
  }

  light(chosen) {
    this.chosen = chosen;
    for (const crate of this.crates) this.lightCrate(crate);
  }

  lightCrate({ group, places }) {
    const words = this.chosen ? places.map((place) => this.data.words[place]) : [];
    const mates = words.filter((word) => word.r === this.chosen.request);
    group?.toggleAttribute("data-mate", mates.length > 0);
    group?.toggleAttribute("data-lit", mates.some((word) => word.j === this.chosen.position));
  }

  crateOf(place) {
    return this.groups.findIndex((places) => places.includes(place));
  }
}

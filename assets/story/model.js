// A model as its layers, a slat each. One reading is a light that goes through all of them, and only then a word comes out.
const MOST_SLATS = 48; // of a larger model only so many layers are drawn
const GLOW = 0.3; // how much of the model is lit at once

class Model {
  constructor(parent, kind) {
    this.row = html("div", `sy-model sy-model-${kind}`, parent);
    this.kind = kind;
  }

  // layers: 0 where nobody knows; then the model is one piece.
  build(layers, ui) {
    this.row.replaceChildren();
    const name = layers ? fill(ui[this.kind], { layers }) : ui[`${this.kind}_unknown`];
    html("span", "sy-model-name", this.row, name);
    const bed = html("span", "sy-slats", this.row);
    bed.setAttribute("aria-hidden", "true");
    this.slats = Array.from({ length: clamp(layers, 1, MOST_SLATS) }, () => html("i", "", bed));
    this.tally = html("span", "sy-tally", this.row);
  }

  // part: 0..1 of one reading, 0 and 1 at rest; tally: what it has done so far.
  show(part, tally) {
    const at = part * (1 + GLOW);
    const number = this.slats.length;
    this.slats.forEach((slat, i) => put(slat, "data-lit", part > 0 && part < 1 && at >= i / number && at - GLOW < (i + 1) / number));
    put(this.tally, "text", tally);
  }
}

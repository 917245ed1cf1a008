// The words and pictures of one scene at one moment. Knows no clock.
class Scenes {
  constructor(root) {
    const find = (name) => root.querySelector(name);
    this.root = root;
    this.parts = { title: find(".sy-title"), text: find(".sy-text"), van: find(".sy-van"), vanName: find(".sy-van-name"),
      vanText: find(".sy-van span"), after: find(".sy-after"), letter: find(".sy-letter"), compare: find(".sy-compare"),
      stage: find(".sy-stage"), cards: find(".sy-cards"), dock: find(".sy-dock"), label: find(".sy-label") };
    this.letter = new Letter(this.parts.letter);
    this.stage = new Stage(find(".xp"), { alone: false });
  }

  build(data) {
    const { ui } = data;
    this.data = data;
    this.letter.build(data);
    put(this.parts.vanName, "text", `${ui.van}:`);
    put(this.parts.dock, "text", ui.dock);
    put(this.parts.label, "text", data.label);
    this.compare(data);
    this.parts.cards.replaceChildren();
    for (const [name, told] of data.cards) {
      const item = html("li", "", this.parts.cards);
      html("b", "", item, name);
      html("span", "", item, told);
    }
  }

  // A row a load: the parcels of one customer, as many as were guessed; so many of them are filled as went aboard on average.
  compare({ compare, ui }) {
    this.parts.compare.replaceChildren();
    html("figcaption", "", this.parts.compare, ui.rush_title);
    const most = Math.max(1, ...compare.map((row) => row.most));
    this.rows = compare.map((row) => {
      const made = html("div", "sy-row", this.parts.compare);
      html("b", "", made, row.label);
      const parcels = html("span", "sy-parcels", made);
      const cells = Array.from({ length: most }, (_, i) => {
        const cell = html("span", "sy-parcel", parcels);
        cell.toggleAttribute("data-made", i < row.most);
        return html("span", "", cell);
      });
      html("span", "", made, row.text);
      html("small", "", made, row.share);
      return { cells, each: row.each };
    });
  }

  // Put a scene up at its beginning.
  raise(scene) {
    const { parts, stage } = this;
    const staged = scene.show !== "";
    this.scene = scene;
    put(this.root, "data-scene", scene.name);
    put(parts.title, "text", `${scene.number}. ${scene.title}`);
    put(parts.text, "text", scene.text);
    put(parts.vanText, "text", scene.van);
    put(parts.after, "text", scene.after);
    parts.van.hidden = !scene.van;
    parts.after.hidden = !scene.after;
    parts.letter.hidden = !scene.letter;
    parts.stage.hidden = !staged;
    parts.compare.hidden = scene.run !== "busy";
    parts.cards.hidden = scene.name !== "machines";
    parts.dock.hidden = scene.name !== "machines";
    put(parts.stage, "data-show", scene.show);
    if (!staged) return;
    const data = this.data.runs[scene.run];
    if (stage.data?.revision !== data.revision) stage.receive({ data, setTriggerValue: () => {} });
    stage.refit();
  }

  // part: 0..1 of the scene's motion.
  show(part) {
    const { scene, stage, parts } = this;
    put(parts.after, "data-here", part >= 1);
    if (scene.letter) this.letter.show(scene.letter, part);
    if (scene.run === "busy") {
      for (const { cells, each } of this.rows) {
        cells.forEach((cell, i) => put(cell, "style", `width: ${(100 * clamp(each * ease(part) - i, 0, 1)).toFixed(1)}%`));
      }
    }
    if (scene.play.length) stage.player.seek(playhead(stage.player.line, scene.play, part));
  }
}

// Where the stage's playhead stands when a scene that plays these phases has come this far: each phase gets an equal part of the time.
function playhead(line, names, part) {
  const phases = names.map((name) => phaseOf(line, name));
  const turn = Math.min(Math.floor(part * phases.length), phases.length - 1);
  const { motion, end } = phases[turn];
  return mix(motion, end, clamp(part * phases.length - turn, 0, 1));
}

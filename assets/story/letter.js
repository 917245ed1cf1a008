// One request's answer as it is written: typed word by word, continued by guesses, scored, and at last judged by the big model.
class Letter {
  constructor(figure) {
    this.figure = figure;
  }

  build(data) {
    const { letter, ui, marks, layers, reading } = data;
    this.ui = ui;
    this.reading = reading;
    this.letter = letter;
    this.figure.replaceChildren();
    this.title = html("figcaption", "", this.figure);
    const models = html("div", "sy-models", this.figure);
    this.big = new Model(models, "big");
    this.small = new Model(models, "small");
    this.big.build(layers.big, ui);
    this.small.build(layers.small, ui);
    html("p", "sy-prompt", this.figure, letter.prompt);
    const answer = html("p", "sy-answer", this.figure);
    if (letter.cut) answer.append("… ");
    this.before = letter.before.map((word) => {
      const made = html("span", "sy-past", answer, word);
      answer.append(" ");
      return made;
    });
    html("span", "sy-break", answer); // the guesses begin a line: one row, along which no chance rises
    this.guesses = letter.guesses.map((guess) => this.chip(guess, marks, answer));
    this.own = letter.own === null ? null : this.chip({ t: letter.own, fate: "own" }, marks, null);
    this.own?.chip.setAttribute("data-own", "");
    if (this.own) answer.insertBefore(this.own.chip, this.guesses[letter.accepted + (this.replaced() ? 1 : 0)]?.chip ?? null);
    this.evidence(ui);
  }

  // What a reading of several words takes, beside that of one word after the other. Nothing where nobody measured it.
  evidence(ui) {
    const { reading } = this;
    this.proof = html("dl", "sy-proof", this.figure);
    if (!reading.words) return;
    const values = { ...reading, several_count: reading.words };
    for (const [name, value, share] of [[ui.singly, ui.singly_value, 1], [ui.together, "{several_ms}", reading.share]]) {
      html("dt", "", this.proof, fill(name, values));
      const row = html("dd", "sy-rate", this.proof);
      html("span", "sy-rate-bar", row).style.width = `${(100 * share).toFixed(1)}%`;
      html("span", "", row, fill(value, values));
    }
  }

  // Every word of the big model takes a reading of its own; the small one's guesses take a quick pass, or one each, and one reading.
  showModels(mode, part) {
    const { ui, letter } = this;
    const within = (steps, share) => (share < 1 ? (share * steps) % 1 : 0);
    if (mode === "typed") this.big.show(within(this.before.length, part), part > 0 ? ui.reading_each : "");
    if (mode !== "guesses") return;
    const quick = Math.min(1, 2 * part); // then the big model's turn
    this.small.show(within(letter.at_once ? 1 : this.guesses.length, quick), quick < 1 ? "" : ui[letter.at_once ? "pass" : "passes"]);
    this.big.show(clamp(2 * part - 1, 0, 1), part < 1 ? "" : ui.reading_all);
  }

  // The guess that the own word stands for.
  replaced() {
    return this.letter.guesses[this.letter.accepted]?.fate === "refused";
  }

  chip(guess, marks, answer) {
    const chip = html("span", "sy-chip", answer);
    const bar = html("span", "sy-chance", chip);
    const fill = html("span", "sy-chance-fill", bar);
    const number = html("span", "sy-number", chip);
    html("span", "sy-word", chip, guess.t);
    const mark = html("span", "sy-fate", chip);
    return { chip, bar, fill, number, mark, guess, told: marks[guess.fate] };
  }

  // mode: typed, guesses, scored or fates; part: 0..1 of the scene's motion.
  show(mode, part) {
    put(this.figure, "data-mode", mode);
    put(this.title, "text", { typed: this.ui.answer, guesses: this.ui.guesses, scored: this.ui.scored, fates: this.ui.fates }[mode]);
    const typed = mode === "typed" ? Math.floor(part * this.before.length + 1e-6) : this.before.length;
    this.before.forEach((word, i) => put(word, "data-here", i < typed));
    const number = this.guesses.length;
    this.showModels(mode, part);
    put(this.proof, "data-here", part >= 1);
    this.guesses.forEach((made, i) => {
      const turn = clamp(part * number - i, 0, 1);
      const guessed = 2 * part >= (this.letter.at_once ? 1 : (i + 1) / number) - 1e-6; // a block is there in one go
      put(made.chip, "data-here", mode !== "typed" && (mode !== "guesses" || guessed));
      put(made.chip, "data-state", mode === "fates" && turn > 0.2 ? made.guess.fate : "waiting");
      const scored = mode === "scored" ? turn : 0;
      put(made.bar, "style", `visibility: ${scored ? "visible" : "hidden"}`);
      put(made.fill, "style", `height: ${(100 * made.guess.a * ease(scored)).toFixed(1)}%`);
      put(made.number, "text", scored > 0.9 ? percent(made.guess.a) : "");
      this.judge(made, mode === "fates" && turn > 0.2);
    });
    if (!this.own) return;
    put(this.own.chip, "data-here", mode === "fates" && part >= Math.min(1, (this.letter.accepted + 1) / Math.max(number, 1)) - 1e-6);
    put(this.own.chip, "data-state", "own");
    this.judge(this.own, true);
  }

  judge({ mark, told }, judged) {
    put(mark, "text", `${told.mark} ${told.label}`);
    put(mark, "data-here", judged);
  }
}

// One request's answer as it is written: typed word by word, continued by guesses, scored, and at last judged by the big model.
class Letter {
  constructor(figure) {
    this.figure = figure;
  }

  build(data) {
    const { letter, ui, marks } = data;
    this.ui = ui;
    this.letter = letter;
    this.figure.replaceChildren();
    this.title = html("figcaption", "", this.figure);
    html("p", "sy-prompt", this.figure, letter.prompt);
    const answer = html("p", "sy-answer", this.figure);
    if (letter.cut) answer.append("… ");
    this.before = letter.before.map((word) => {
      const made = html("span", "sy-past", answer, word);
      answer.append(" ");
      return made;
    });
    html("span", "sy-break", answer); // on a phone the guesses begin a line
    this.guesses = letter.guesses.map((guess) => this.chip(guess, marks, answer));
    this.own = letter.own === null ? null : this.chip({ t: letter.own, fate: "own" }, marks, null);
    this.own?.chip.setAttribute("data-own", "");
    if (this.own) answer.insertBefore(this.own.chip, this.guesses[letter.accepted + (this.replaced() ? 1 : 0)]?.chip ?? null);
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
    this.guesses.forEach((made, i) => {
      const together = mode === "guesses" && this.letter.at_once; // a block is there in one go
      const turn = clamp(together ? 2 * part : part * number - i, 0, 1);
      put(made.chip, "data-here", mode !== "typed" && (mode !== "guesses" || turn > 0.2));
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

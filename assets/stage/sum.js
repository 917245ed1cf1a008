// The sum of one admission in a sentence: what it brings, what it costs, and what that does to the score. This is the lesson.
class Sum {
  constructor(card) {
    this.title = card.querySelector(".xp-sum-title");
    this.word = card.querySelector(".xp-sum-word");
    this.sentence = card.querySelector(".xp-sentence");
  }

  build(data) {
    this.data = data;
  }

  show(frame) {
    const [title, word, sentence, mood] = this.read(frame);
    put(this.title, "text", title);
    put(this.word, "text", word);
    put(this.sentence, "text", sentence);
    put(this.sentence, "data-mood", mood);
  }

  // → [title, the word it is about, sentence, mood]
  read(frame) {
    const { data } = this;
    const { sum } = data.text;
    if (frame.delivered > 0.4) {
      const fates = ["passed", "refused", "behind", "left"].map((fate) => data.words.filter((word) => word.fate === fate).length);
      const tally = data.words.length ? `${fates[0]} passed, ${fates[1]} refused, ${fates[2]} behind, ${fates[3]} left` : "";
      return ["What the trip brought", tally, fill(sum.got, { tau: data.tau.toFixed(1), got: data.got }), "plain"];
    }
    if (frame.decided) {
      const title = data.stop < data.candidates ? "Why loading stops here" : "Loading is done";
      return [title, this.named(data.stop), data.end, data.reason === "peak" ? "stop" : "plain"];
    }
    if (!frame.aboard) {
      const start = { words: count(data.requests.length, "word"), ms: data.ms[0].toFixed(2), theta: rate(data.path[0]) };
      return ["Before loading", "", fill(sum.start, start), "plain"];
    }
    const k = frame.aboard;
    const template = data.rise[k - 1] > 0 ? sum.up : data.rise[k - 1] < 0 ? sum.down : sum.level;
    const values = { words: this.gain(k).toFixed(2), ms: (data.ms[k] - data.ms[k - 1]).toFixed(2), theta: rate(data.path[k]) };
    return [`Word ${k} goes aboard`, this.named(k - 1), fill(template, values), data.rise[k - 1] > 0 ? "up" : "down"];
  }

  gain(k) {
    return this.data.words[k - 1].a;
  }

  named(place) {
    const word = this.data.words[place];
    if (!word || place >= this.data.candidates) return "";
    return `“${shorten(word.t, 14)}” · request ${word.r + 1}, word ${word.j}`;
  }
}

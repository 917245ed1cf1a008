// The story's clock: in every scene first the words, a pause to read them, then motion, then the words that follow from it.
const WORD = 250; // ms for reading a word aloud in the mind
const BREATH = 1200; // ms around every piece of reading
const stories = new WeakMap(); // one story a mounted element; Streamlit calls again with the same element

class Story {
  constructor(root) {
    this.root = root;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.scenes = new Scenes(root);
    this.guess = new Guess(root, this.scenes.stage, { asking: () => this.asking, answered: (place) => this.reveal(place) });
    this.bar = new Bar(root, { back: () => this.back(), play: () => this.play(), next: () => this.next(), jump: (index) => this.go(index) });
    root.querySelector(".sy-dock").addEventListener("click", () => this.dock());
    this.resized = new ResizeObserver(() => this.data && this.draw());
    this.resized.observe(root);
  }

  receive({ data, setTriggerValue }) {
    this.dock = () => setTriggerValue("dock", `${Date.now()}`);
    if (this.data) return;
    this.data = data;
    this.scenes.build(data);
    this.guess.build(data);
    this.bar.build(data.scenes);
    this.auto = !this.still.matches;
    this.go(data.start - 1);
  }

  get asking() {
    return Boolean(this.scene?.asks);
  }

  go(index) {
    this.index = clamp(index, 0, this.data.scenes.length - 1);
    this.guess.place = null;
    this.raise(this.data.scenes[this.index]);
    this.address();
  }

  // The second half of the scene that asked.
  reveal(place) {
    this.guess.place = place;
    this.raise({ ...this.data.reveal, number: this.data.scenes[this.index].number });
  }

  raise(scene) {
    this.scene = scene;
    this.pause = BREATH + WORD * wordsIn(scene.text, scene.van);
    this.motion = 1000 * scene.seconds;
    this.hold = BREATH + WORD * wordsIn(scene.after) + (scene.name === "stop" ? 2 * BREATH : 0);
    this.ms = this.still.matches ? this.pause + this.motion : 0;
    this.running = !this.still.matches && !this.asking;
    this.guess.parts.form.hidden = !this.asking;
    this.scenes.raise(scene);
    this.draw();
    this.wake();
  }

  next() {
    if (this.asking) this.reveal(null);
    else if (this.index < this.data.scenes.length - 1) this.go(this.index + 1);
  }

  back() {
    if (this.scene.name === "stop") this.go(this.index);
    else this.go(this.index - 1);
  }

  play() {
    if (this.still.matches) return this.next();
    if (this.running) {
      this.auto = false;
      this.running = false;
      return this.draw();
    }
    this.auto = true;
    if (this.asking) return undefined; // the story waits for the reader's mark
    if (this.ms >= this.total) return this.last ? this.go(0) : this.next();
    this.running = true;
    return this.wake();
  }

  get last() {
    return this.index === this.data.scenes.length - 1;
  }

  get total() {
    return this.pause + this.motion + this.hold;
  }

  get part() {
    if (this.asking) return 1; // the pile stands sorted
    return this.motion ? clamp((this.ms - this.pause) / this.motion, 0, 1) : Number(this.ms >= this.pause);
  }

  wake() {
    this.draw();
    this.before = performance.now();
    if (!this.awake && this.running) this.awake = requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.awake = 0;
    if (!this.root.isConnected) return this.end(); // the reader went to another page: leave its address alone
    if (!this.running) return;
    this.ms += Math.min(Math.max(now - this.before, 0), 200); // a hidden page stands still
    this.before = now;
    // Without autoplay a scene is told to its end and stays.
    if (this.ms >= this.total || (!this.auto && this.ms >= this.pause + this.motion)) {
      this.running = false;
      if (this.auto && !this.last) return this.next();
    }
    this.draw();
    if (this.running) this.awake = requestAnimationFrame((later) => this.tick(later));
    return undefined;
  }

  draw() {
    const { part } = this;
    this.scenes.show(part);
    if (this.asking && this.scenes.stage.bars.peek === null) this.guess.move(this.guess.mark); // the mark is in the window from the first moment
    const revealed = this.scene.name === "stop";
    const told = revealed && part >= 1;
    this.guess.verdict(revealed, told);
    if (this.asking || revealed) this.guess.draw(told);
    const waiting = this.asking ? this.data.ui.waiting : "";
    this.bar.show({ index: this.index, running: this.running, still: this.still.matches, waiting, part: waiting ? 0 : this.ms / this.total });
    const facts = { index: this.index + 1, running: this.running, auto: this.auto, part: part.toFixed(2), asking: this.asking };
    for (const [name, value] of Object.entries(facts)) put(this.root, `data-${name}`, String(value));
  }

  // The scene's number in the address, without a new entry in the history: Back leaves the page.
  address() {
    const place = new URL(location.href);
    place.searchParams.set("scene", this.index + 1);
    history.replaceState(history.state, "", place);
  }

  end() {
    this.running = false;
    this.resized.disconnect();
    this.bar.end();
    this.scenes.stage.end();
  }
}

const wordsIn = (...texts) => texts.join(" ").split(/\s+/).filter(Boolean).length;

export default function mount(component) {
  const root = component.parentElement.querySelector(".sy");
  if (!stories.has(root)) stories.set(root, new Story(root));
  const story = stories.get(root);
  story.receive(component);
  return () => {
    if (root.isConnected) return;
    story.end();
    stories.delete(root);
  };
}

// Who moves the playhead. Python is asked for another step exactly once, and nothing happens until a new picture arrives.
const PATIENCE = 30000; // ms after which an unanswered wish is given up, so that the reader can ask again
const LATE = 600; // ms of waiting that nobody needs to hear of

class Player {
  constructor(show, send) {
    this.show = show; // (player) → draw the present
    this.send = send; // (kind, id) → ask Python
    this.speed = 1;
    this.mode = "paused"; // paused, playing, stepping (towards this.target) or fast
    this.pending = null; // {kind, then, mode} while Python works: what was asked for, what follows, and how the playhead moved then
    this.queued = null; // a reset that was asked for meanwhile
    this.asked = 0;
    this.late = false; // Python has been asked a while ago
    this.seen = true; // the browser has painted the picture that came last
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  // A new picture. What was wanted decides where the playhead stands; a change that nobody asked for settles as Python says.
  receive(data) {
    const wanted = this.pending;
    const ahead = this.mode === "fast" && this.seen && !this.queued;
    this.answered();
    this.seen = false;
    requestAnimationFrame(() => { this.seen = true; });
    this.data = data;
    this.line = timeline(data);
    this.held = 0;
    const settle = { start: 0, load: phaseOf(this.line, "load")?.end ?? this.line.total, end: this.line.total };
    if (this.mode === "fast") {
      this.ms = this.line.total;
      if (ahead) return this.ask("advance"); // the next step is made while this one is drawn
      requestAnimationFrame(() => this.mode === "fast" && this.ask("advance")); // none runs ahead of what has been seen
    } else if (this.mode === "playing") {
      this.ms = 0;
    } else {
      this.mode = "paused";
      this.settled = !wanted;
      // Fast-forward shows ends only, also the one that was still on its way when it was stopped.
      const atEnd = wanted?.kind === "back" || wanted?.mode === "fast";
      this.ms = atEnd ? settle.end : wanted ? settle.start : settle[data.settle];
      if (wanted?.then === "step") this.step();
    }
    this.wake();
    return this.queued && this.ask(this.queued);
  }

  ask(kind, then = null) {
    this.queued = this.pending && kind === "reset" ? kind : null; // whoever resets means it, whatever is still on its way
    if (this.pending) return;
    this.asked += 1;
    this.pending = { kind, then, mode: this.mode };
    this.giveUp = setTimeout(() => { this.queued = null; this.answered(); this.pause(); }, PATIENCE);
    this.lateness = setTimeout(() => { this.late = true; this.show(this); }, LATE);
    this.send(kind, `${this.data.revision}/${Date.now().toString(36)}.${this.asked}`); // never twice, not even after a reload
    this.show(this);
  }

  // Nothing is on its way any more.
  answered() {
    clearTimeout(this.giveUp);
    clearTimeout(this.lateness);
    this.pending = null;
    this.late = false;
  }

  play() {
    if (this.mode === "playing") return this.pause();
    if (this.settled) this.ms = 0; // the reader has not seen this step from its begin yet
    this.settled = false;
    this.mode = "playing";
    this.held = 0;
    return this.ms < this.line.total ? this.wake() : this.ask("advance");
  }

  pause() {
    this.mode = "paused";
    this.show(this);
  }

  fast() {
    if (this.mode === "fast") return this.pause();
    this.mode = "fast";
    this.ms = this.line.total;
    this.show(this);
    return this.ask("advance");
  }

  reset() {
    this.mode = "paused";
    this.ask("reset");
  }

  seek(ms) {
    this.mode = "paused";
    this.settled = false;
    this.ms = clamp(ms, 0, this.line.total);
    this.show(this);
  }

  // Show one phase: its caption, then its motion, then rest at its end. A second call while it moves goes on to the one after.
  toPhase(index) {
    const phase = this.line.phases[index];
    if (this.still.matches) return this.seek(phase.end);
    this.mode = "stepping";
    this.settled = false;
    this.target = phase.end;
    this.ms = Math.max(phase.start + 1, phase.motion - 250 * this.speed);
    return this.wake();
  }

  step() {
    if (this.mode === "stepping") this.ms = this.target;
    if (this.ms >= this.line.total) return this.ask("advance", "step");
    const { index } = frameAt(this.line, this.ms);
    const done = this.ms >= this.line.phases[index].end - 1e-6;
    return this.toPhase(done ? index + 1 : index);
  }

  back() {
    const { index } = frameAt(this.line, this.ms);
    if (this.ms > 0) return this.seek(index ? this.line.phases[index - 1].end : 0);
    return this.data.canBack ? this.ask("back") : undefined;
  }

  nudge(way) {
    const { stops } = this.line;
    const next = way > 0 ? stops.find((stop) => stop.ms > this.ms + 1e-6) : stops.findLast((stop) => stop.ms < this.ms - 1e-6);
    if (next) this.seek(next.ms);
  }

  end() {
    this.mode = "paused";
    this.queued = null;
    this.answered();
  }

  wake() {
    this.show(this);
    this.before = performance.now();
    if (!this.awake && (this.mode === "playing" || this.mode === "stepping")) {
      this.awake = requestAnimationFrame((now) => this.tick(now));
    }
  }

  tick(now) {
    this.awake = 0;
    if (this.mode !== "playing" && this.mode !== "stepping") return;
    const passed = Math.min(Math.max(now - this.before, 0), 200) * this.speed; // a hidden page stands still
    this.before = now;
    this.move(passed);
    this.show(this);
    if (this.mode !== "paused" && !this.pending) this.awake = requestAnimationFrame((later) => this.tick(later));
  }

  move(passed) {
    if (this.mode === "stepping") {
      this.ms = Math.min(this.ms + passed, this.target);
      if (this.ms === this.target) this.mode = "paused";
    } else if (this.ms < this.line.total) {
      if (this.still.matches) this.leap(passed);
      else this.ms = Math.min(this.ms + passed, this.captionAfter() + 1, this.line.total);
    } else if ((this.held += passed) >= (this.still.matches ? READ : HOLD)) {
      this.ask("advance");
    }
  }

  // No frame leaps over a caption's begin, however late it comes: the caption stands for its whole second on a slow machine, too.
  captionAfter() {
    return this.line.phases[frameAt(this.line, this.ms).index].end;
  }

  // Reduced motion: every phase stands as its finished picture for as long as it would have played.
  leap(passed) {
    const { index } = frameAt(this.line, this.ms);
    const phase = this.line.phases[index];
    this.ms = this.ms < phase.end ? phase.end : this.ms;
    this.held += passed;
    if (this.held >= phase.end - phase.start && index + 1 < this.line.phases.length) {
      this.held = 0;
      this.ms = this.line.phases[index + 1].end;
    }
  }
}

"""The course of a training that ends by steps or by the clock: which step is next, how fast it learns, what is kept for a restart."""

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from models.recipes.draft import LEAN
from models.recipes.target import DECAY, WARMUP, kept_record, resume, save_state

SAVED, JUDGED = 100, 500  # steps between two savings, and between two judgements


class Course:
    """One network on its way. `for picks in course.run(take): course.learn(loss, ...)`; it knows nothing of what is lost or judged."""

    def __init__(
        self, work: Path, net: torch.nn.Module, opts: list, record: dict, peak: float, minutes: float | None = None, steps: int = 0
    ):
        """A state in `work` is gone on from. record: what is to be known of this training; minutes count the training alone."""
        self.work, self.net, self.opts, self.peak, self.minutes, self.steps = work, net, opts, peak, minutes, steps
        self.record, self.step, self.done, self.losses = {**record, "seconds": 0.0}, 0, 0.0, []
        self.first = 0
        if earlier := kept_record(work):
            self.first, self.record["seconds"] = resume(work, net, opts), earlier["seconds"]
        self.bar = tqdm(total=steps if minutes is None else None, unit="step", mininterval=5)

    def run(self, take: Callable[[], object], judge: Callable[[], dict]) -> Iterator[object]:
        """What `take` draws for each step that is still to be taken: those that were taken are drawn and left. judge: entries for the
        record, asked now and then and at the end, when the last state is saved."""
        started, earlier = time.time(), self.record["seconds"]
        for self.step in count():
            drawn = take()
            self.bar.update()
            if self.step < self.first:
                continue
            self.record["seconds"] = earlier + time.time() - started
            self.done = self.step / self.steps if self.minutes is None else self.record["seconds"] / (60 * self.minutes)
            if self.done >= 1:
                break
            yield drawn
            if (self.step + 1) % SAVED == 0:
                self._save(self.step + 1, judge if (self.step + 1) % JUDGED == 0 else None)
        self._save(self.step, judge)

    @property
    def lean(self) -> float:
        """How much of the divergence is in the loss: 1 at first, then less, 0 over the last part."""
        return max(0.0, 1 - self.done / LEAN)

    def learn(self, loss: float) -> None:
        """Take the step that the gradients point to; loss, nats, of the step."""
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        speed = self.peak * min(1.0, (self.step + 1) / WARMUP) * min(1.0, (1 - self.done) / DECAY)
        for opt in self.opts:
            for group in opt.param_groups:
                group["lr"] = speed
            opt.step()
            opt.zero_grad()
        self.losses.append(loss)
        self.record["train_loss"] = float(np.mean(self.losses[-100:]))
        self.bar.set_postfix(loss=f"{self.record['train_loss']:.3f}", done=f"{self.done:.0%}")

    def _save(self, step: int, judge: Callable[[], dict] | None) -> None:
        if judge:
            self.record |= (found := judge())
            tqdm.write(f"step {step}: {found}")
        save_state(self.work, self.net, self.opts, step, self.record)

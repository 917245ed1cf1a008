"""The steps a reader has seen, and which one is on screen. A frozen value: every action gives the next history."""

from dataclasses import dataclass, replace

from expediter.core.settings import Settings
from expediter.core.trace import StepTrace

KEEP = 120  # live steps kept for stepping back; a step of 64 requests is about 300 kB


@dataclass(frozen=True, slots=True)
class History:
    """Never empty. `picture` grows with every change of what is on screen, so no picture is ever taken for another."""

    traces: tuple[StepTrace, ...]  # oldest first
    at: int = 0  # index of the step on screen
    live: bool = False  # False: a recorded run, all of it known from the start
    settled: bool = True  # draw the decision at once, with the playhead at the end of Load
    picture: int = 0
    changed: int | None = None  # the live run's first step that was not made like the ones before it

    @property
    def shown(self) -> StepTrace:
        """The step on screen."""
        return self.traces[self.at]

    @property
    def seen(self) -> tuple[StepTrace, ...]:
        """Every step up to the one on screen, oldest first."""
        return self.traces[: self.at + 1]

    @property
    def newest(self) -> bool:
        """True when no later step is known."""
        return self.at == len(self.traces) - 1

    @property
    def can_back(self) -> bool:
        """True when there is an earlier step to show."""
        return self.at > 0

    @property
    def mixed(self) -> bool:
        """True when the step on screen cannot be made again from its settings: they, or the table, changed on the way to it."""
        return self.changed is not None and self.shown.step >= self.changed

    def _show(self, at: int, settled: bool) -> "History":
        return replace(self, at=at, settled=settled, picture=self.picture + 1)

    def forward(self) -> "History":
        """The next known step; after a recording's last step its first one again."""
        return self._show((self.at + 1) % len(self.traces), settled=False)

    def back(self) -> "History":
        """The step before, drawn as decided; the first one stays."""
        return self._show(max(self.at - 1, 0), settled=True)

    def opened(self, at: int) -> "History":
        """The step at this index, drawn as decided."""
        return self._show(at, settled=True)

    def rewound(self) -> "History":
        """The first step, to be watched from its beginning."""
        return self._show(0, settled=False)

    def then(self, trace: StepTrace, settled: bool = False) -> "History":
        """A step that the engine has just made, shown. Only the newest KEEP steps stay."""
        changed = self.changed
        if trace.step == 0:
            changed = None
        elif changed is None and terms(trace) != terms(self.traces[-1]):
            changed = trace.step
        traces = (*self.traces, trace)[-KEEP:]
        return replace(self, traces=traces, at=len(traces) - 1, settled=settled, picture=self.picture + 1, changed=changed)


def obeys(trace: StepTrace, settings: Settings) -> bool:
    """Whether a step was made with these settings."""
    wanted = (settings.load, settings.depth, settings.temperature, settings.workload, settings.policy, settings.seed)
    return terms(trace)[:-1] == wanted


def terms(trace: StepTrace) -> tuple:
    """What has to stay the same for a run to be made again from its begin: the settings and the table."""
    return trace.load, trace.depth, trace.temperature, trace.workload, trace.policy, trace.seed, trace.table

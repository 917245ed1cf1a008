"""Where the time of a step goes."""

from collections.abc import Sequence

from expediter.core.trace import StepTrace

PHASES = ("draft", "score", "schedule", "verify", "commit")


def mean_seconds(traces: Sequence[StepTrace]) -> dict[str, float]:
    """Mean wall time of each phase over the steps that drafted, seconds; empty when none did. Reading fresh prompts is no part of it."""
    drafted = [trace.seconds for trace in traces if any(request.drafts for request in trace.requests)]
    return {phase: sum(getattr(seconds, phase) for seconds in drafted) / len(drafted) for phase in PHASES} if drafted else {}

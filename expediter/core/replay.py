"""What a recorded step would have brought under another plan, as far as the recording can tell."""

from collections.abc import Sequence
from dataclasses import dataclass

from expediter.core.trace import RequestTrace, StepTrace


@dataclass(frozen=True, slots=True)
class Replay:
    """Outcome of other lengths on the same drafts. Exact where `unknown` is 0, else at least `words`."""

    words: int  # tokens committed, as far as known
    unknown: int  # requests that would have sent drafts whose check the recording never made


def replay(trace: StepTrace, lengths: Sequence[int]) -> Replay:
    """Count what would have passed if request r had sent lengths[r] of its drafts. [R].

    Whether a draft passes does not depend on what was sent behind it, so shorter plans are known exactly. Longer ones are known where
    the recording saw a refusal or an end mark: nothing behind it counts.
    """
    outcomes = [_outcome(request, length) for request, length in zip(trace.requests, lengths, strict=True)]
    return Replay(sum(words for words, _ in outcomes), sum(not known for _, known in outcomes))


def _outcome(request: RequestTrace, length: int) -> tuple[int, bool]:
    """Committed tokens of one request, and whether that is all there is to know."""
    if request.own is None and length >= request.accepted:
        return request.accepted, True  # the answer ended on an accepted draft
    known = length <= request.sent or request.accepted < request.sent
    return min(length, request.accepted) + 1, known

"""Scheduled decoding of known requests: what the engine commits for each, step by step."""

from collections.abc import Iterator
from contextlib import AbstractContextManager

from expediter.core.answers import ServedAnswer
from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.engine.loader import Pair
from expediter.engine.loop import Engine
from expediter.engine.requests import ROOM


def served_answers(
    pair: Pair, settings: Settings, profile: Profile, tokens: int, turns: AbstractContextManager
) -> Iterator[dict[int, ServedAnswer]]:
    """Answers of the first settings.load requests, at most `tokens` long, after every step until all are done."""
    engine = Engine(pair, settings, profile, limit=(ROOM, ROOM))
    answers = {number: ServedAnswer(number) for number in range(settings.load)}
    open_ = set(answers)
    while open_:
        with turns:
            trace = engine.step()
        for request in trace.requests:
            if request.number in open_:
                answers[request.number] = answers[request.number].then(request, tokens)
                if request.ended or len(answers[request.number].tokens) >= tokens:
                    open_.discard(request.number)
        yield dict(answers)

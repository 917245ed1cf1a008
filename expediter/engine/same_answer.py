"""Both proofs of the page Same answer, as runs that can be watched: `watch` gets the share done and the whole picture so far."""

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import numpy as np

from expediter.core.answers import POLICIES, PlainAnswer, SideBySide, compare
from expediter.core.first_two import NONE, Sampling
from expediter.core.goodness import visible
from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.core.workloads import prompt
from expediter.engine.first_two import exact, first_two
from expediter.engine.loader import Pair
from expediter.engine.plain import plain_answers
from expediter.engine.served import served_answers
from expediter.engine.wrong_rules import RULES

PLAIN = 0.3  # share of the work that plain decoding is
LOOKS = 64  # points of the running p-value


def side_by_side(
    pair: Pair,
    model,
    settings: Settings,
    profile: Profile,
    tokens: int,
    turns: AbstractContextManager,
    watch: Callable[[float, SideBySide], None],
) -> SideBySide:
    """Answers of settings.load requests at temperature 0: plain by `model` (see plain.reference), then under every policy."""
    prompts = {number: prompt(settings.workload, settings.seed, number) for number in range(settings.load)}
    plain: dict[int, PlainAnswer] = {}
    place = pair.target.place
    picture = SideBySide(pair.name, place.name, settings.load, tokens, str(place), {}, {}, {}, {})

    def shown(share: float) -> None:
        watch(share, picture.spelled(pair.pieces))

    def grew(answers: dict[int, PlainAnswer]) -> None:
        nonlocal picture
        plain.update(answers)
        picture = replace(picture, plain=dict(sorted(plain.items())))
        shown(PLAIN * sum(len(answer.tokens) for answer in plain.values()) / (tokens * settings.load))

    whole = plain_answers(model, pair, prompts, tokens, turns, grew)
    picture = replace(picture, plain={number: whole[number] for number in prompts})
    for place_in_line, policy in enumerate(POLICIES):
        asked = replace(settings, policy=policy, temperature=0.0)
        for served in served_answers(pair, asked, profile, tokens, turns):
            comparison = compare(policy, picture.plain, served)
            picture = replace(picture, served={**picture.served, policy: served}, comparisons={**picture.comparisons, policy: comparison})
            done = sum(len(answer.tokens) for answer in served.values()) / sum(len(a.tokens) for a in picture.plain.values())
            shown(PLAIN + (1 - PLAIN) * (place_in_line + min(done, 1.0)) / len(POLICIES))
    return picture.spelled(pair.pieces)


def sampling(
    pair: Pair,
    model,
    settings: Settings,
    profile: Profile,
    text: str,
    samples: int,
    rule: str,
    turns: AbstractContextManager,
    watch: Callable[[float, Sampling], None],
) -> Sampling:
    """`samples` first-two-token samples behind the prompt `text` under settings.policy, tested against `model`'s exact distribution.

    rule: a key of wrong_rules.RULES. The number of samples is part of the test: it is fixed before the first one is drawn.
    """
    with turns:
        joint = exact(model, pair.encode(text), settings.temperature, samples, pair.end)
    used = sorted(set(joint.tokens.ravel().tolist()) - {NONE})
    picture = Sampling(
        pair.name, settings.policy, rule, settings.temperature, text, samples, str(pair.target.place), joint,
        np.zeros(len(joint.p), dtype=np.int64), (), (0,) * (settings.depth + 1), visible(joint.p, samples),
        {token: pair.pieces[token] for token in used},
    )  # fmt: skip
    sent: Counter[int] = Counter()
    for step in first_two(pair, settings, profile, text, samples, turns, RULES[rule]):
        sent.update(step.sent)
        counts = picture.counts + joint.count(step.samples)
        picture = replace(picture, counts=counts, sent=tuple(sent[length] for length in range(settings.depth + 1)))
        looked = picture.trail[-1][0] if picture.trail else 0
        if picture.drawn - looked >= samples / LOOKS or picture.complete:
            picture = replace(picture, trail=(*picture.trail, (picture.drawn, picture.fit.p_value)))
        watch(picture.drawn / samples, picture)
    return picture

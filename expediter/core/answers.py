"""Answers at temperature 0, plain and scheduled, compared token by token."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from expediter.core.trace import RequestTrace

POLICIES = ("early-stop", "global", "stale", "fixed:2", "threshold:0.5", "all", "off")  # every kind there is


@dataclass(frozen=True, slots=True)
class PlainAnswer:
    """One request's answer by the target alone, one token at a time."""

    number: int  # of the request
    workload: str
    prompt: str
    tokens: tuple[int, ...]  # [n]
    leads: tuple[float, ...]  # best logit − second best logit at each    [n]


@dataclass(frozen=True, slots=True)
class ServedAnswer:
    """The same request's answer by draft, schedule and check."""

    number: int
    tokens: tuple[int, ...] = ()  # [n]
    guessed: tuple[bool, ...] = ()  # True: a draft that passed; False: the target's own token [n]
    steps: int = 0  # that it took

    def then(self, step: RequestTrace, limit: int) -> "ServedAnswer":
        """With what one more step committed, cut at `limit` tokens."""
        own = () if step.own_token is None else (step.own_token,)
        tokens = (*self.tokens, *step.tokens[: step.accepted], *own)
        guessed = (*self.guessed, *[True] * step.accepted, *[False] * len(own))
        return ServedAnswer(self.number, tokens[:limit], guessed[:limit], self.steps + 1)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first token at which two answers part. Behind it they continue different texts, so nothing more is compared."""

    number: int  # of the request
    place: int  # of the token, from 0
    plain: int  # token of plain decoding
    served: int  # token of scheduled decoding
    lead: float  # by how much plain decoding's best logit led the second there


@dataclass(frozen=True, slots=True)
class Comparison:
    """All requests of one policy against plain decoding."""

    policy: str
    compared: int  # tokens set side by side, a differing one included
    differences: tuple[Difference, ...]  # at most one a request
    delivered: int  # tokens of all scheduled answers
    steps: int  # steps that the answers took, summed over the requests; plain decoding takes one a token

    @property
    def same(self) -> bool:
        """Not one token differs."""
        return not self.differences

    @property
    def pace(self) -> float:
        """Tokens a step and request; plain decoding has 1."""
        return self.delivered / max(self.steps, 1)


def compare(policy: str, plain: Mapping[int, PlainAnswer], served: Mapping[int, ServedAnswer]) -> Comparison:
    """Set every request's answers side by side as far as both go."""
    compared, differences = 0, []
    for number, answer in plain.items():
        got = served[number].tokens if number in served else ()
        both = list(zip(answer.tokens, got, strict=False))
        place = next((i for i, (a, b) in enumerate(both) if a != b), None)
        if place is not None:
            differences.append(Difference(number, place, *both[place], answer.leads[place]))
        compared += len(both) if place is None else place + 1
    delivered = sum(len(answer.tokens) for answer in served.values())
    return Comparison(policy, compared, tuple(differences), delivered, sum(answer.steps for answer in served.values()))


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Plain and scheduled answers of the same requests, as far as they have come."""

    pair: str
    number_format: str  # float32 or bfloat16
    requests: int
    limit: int  # tokens an answer
    machine: str
    plain: Mapping[int, PlainAnswer]  # by request number; a recording keeps only some
    served: Mapping[str, Mapping[int, ServedAnswer]]  # policy → by request number
    comparisons: Mapping[str, Comparison]  # policy → all its requests, kept or not
    words: Mapping[int, str]  # token → text, for the tokens of the kept answers

    @property
    def compared(self) -> int:
        """Tokens set side by side, over all policies."""
        return sum(found.compared for found in self.comparisons.values())

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Over all policies."""
        return tuple(difference for found in self.comparisons.values() for difference in found.differences)

    def keeping(self, numbers: int) -> "SideBySide":
        """With the answers of the first so many requests, and of half as many that part; comparisons stay whole."""
        parted = sorted({difference.number for difference in self.differences})[: numbers // 2]
        kept = {number for number in self.plain if number < numbers or number in parted}
        plain = {number: self.plain[number] for number in sorted(kept)}
        served = {policy: {n: answers[n] for n in sorted(kept)} for policy, answers in self.served.items()}
        return replace(self, plain=plain, served=served).spelled(self.words)

    def spelled(self, words: Mapping[int, str] | Sequence[str]) -> "SideBySide":
        """With the text of every token that its answers hold."""
        used = {token for answer in self.plain.values() for token in answer.tokens}
        used |= {token for answers in self.served.values() for answer in answers.values() for token in answer.tokens}
        return replace(self, words={token: words[token] for token in sorted(used)})

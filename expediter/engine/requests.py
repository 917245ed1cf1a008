"""The requests being served: one slot each, their committed tokens in one array. Only the loop changes them."""

import numpy as np

ROOM = 160  # tokens of prompt and answer; a CPU's attention must not drown the cost of the words


class Requests:
    """State by slot. The last committed token of a request is its anchor: known, but not yet read by the target."""

    def __init__(self, slots: int, room: int = ROOM):
        self.room = room
        self.tokens = np.zeros((slots, room + 16), dtype=np.int64)  # [S, room + 16]  prompt, then answer
        self.length = np.zeros(slots, dtype=np.int64)  # [S]  committed tokens, anchor included
        self.prompt_length = np.zeros(slots, dtype=np.int64)  # [S]
        self.limit = np.full(slots, room, dtype=np.int64)  # [S]  length at which the request is done
        self.number = np.full(slots, -1, dtype=np.int64)  # [S]  -1: nothing here yet
        self.workload = [""] * slots
        self.prompt = [""] * slots

    @property
    def slots(self) -> int:
        """How many requests fit."""
        return len(self.length)

    def grow(self, slots: int) -> None:
        """Make room for more; what is there stays."""
        more = slots - self.slots
        if more <= 0:
            return
        self.tokens = np.pad(self.tokens, ((0, more), (0, 0)))
        self.length = np.pad(self.length, (0, more))
        self.prompt_length = np.pad(self.prompt_length, (0, more))
        self.limit = np.pad(self.limit, (0, more), constant_values=self.room)
        self.number = np.pad(self.number, (0, more), constant_values=-1)
        self.workload += [""] * more
        self.prompt += [""] * more

    def start(self, slot: int, number: int, ids: list[int], limit: int, workload: str, prompt: str) -> None:
        """Put a fresh request into a slot. ids must leave room for an answer.

        Raises ValueError for a prompt that is empty or too long.
        """
        if not 2 <= len(ids) < self.room:
            raise ValueError(f"A prompt has {len(ids)} tokens; it needs at least 2 and at most {self.room - 1}: shorten it.")
        self.tokens[slot, : len(ids)] = ids
        self.length[slot] = self.prompt_length[slot] = len(ids)
        self.limit[slot], self.number[slot] = limit, number
        self.workload[slot], self.prompt[slot] = workload, prompt

    def commit(self, slot: int, ids: list[int], end: frozenset[int]) -> bool:
        """Append what was accepted and the target's own word, up to the first end mark. → whether the request is done"""
        closed = next((i for i, token in enumerate(ids) if token in end), None)
        ids = ids if closed is None else ids[: closed + 1]
        start = self.length[slot]
        self.tokens[slot, start : start + len(ids)] = ids
        self.length[slot] += len(ids)
        return closed is not None or bool(self.length[slot] >= self.limit[slot])

    def anchors(self, load: int) -> np.ndarray:
        """The last committed token of the first `load` slots. → [R]"""
        return self.tokens[np.arange(load), self.length[:load] - 1]

    def answer(self, slot: int) -> np.ndarray:
        """The committed tokens behind the prompt."""
        return self.tokens[slot, self.prompt_length[slot] : self.length[slot]]

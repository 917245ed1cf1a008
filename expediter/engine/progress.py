"""How far a command has come, on standard error: the share done and a sentence."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tqdm import tqdm

Report = Callable[..., None]  # (share done 0..1, one sentence or nothing), what a job's `report` is


@contextmanager
def progress() -> Iterator[Report]:
    """A bar on a terminal; elsewhere, as in a log, one line for every tenth that is done."""
    if sys.stderr is None:  # closed before we began
        yield lambda share, sentence="": None
    elif sys.stderr.isatty():
        with tqdm(total=100, unit="%", file=sys.stderr, bar_format="{percentage:3.0f} %|{bar:30}| {elapsed} {desc}") as bar:

            def show(share: float, sentence: str = "") -> None:
                bar.set_description_str(sentence, refresh=False)
                bar.update(round(100 * share) - bar.n)

            yield show
    else:
        yield _Lines().show


class _Lines:
    """One line a tenth."""

    def __init__(self):
        self._tenth = -1

    def show(self, share: float, sentence: str = "") -> None:
        if int(10 * share + 1e-9) > self._tenth:
            self._tenth = int(10 * share + 1e-9)
            print(f"{round(100 * share):3d} % {sentence}".rstrip(), file=sys.stderr, flush=True)

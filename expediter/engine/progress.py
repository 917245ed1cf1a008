"""The bar of commands that do the same work as a page: the share done and a sentence."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tqdm import tqdm


@contextmanager
def progress() -> Iterator[Callable[[float, str], None]]:
    """Yields what a job's `report` is: (share done 0..1, one sentence)."""
    with tqdm(total=100, unit="%", file=sys.stderr, bar_format="{percentage:3.0f} %|{bar:30}| {desc}") as bar:

        def show(share: float, sentence: str) -> None:
            bar.set_description_str(sentence, refresh=False)
            bar.update(round(100 * share) - bar.n)

        yield show

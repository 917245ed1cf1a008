"""A lock that serves in the order of asking. An ordinary lock lets a busy loop take it again and again while a reader waits."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 0.4  # seconds of waiting that nobody needs to hear of


class Turns:
    """Use it as a context manager, or through `turn` to be told when the wait is long. Not to be entered twice by one thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._next = 0  # the ticket that is drawn next
        self._served = 0  # the ticket whose turn it is

    def __enter__(self) -> None:
        self._enter(lambda: None)

    def __exit__(self, *failure: object) -> None:
        with self._changed:
            self._served += 1
            self._changed.notify_all()

    @contextmanager
    def turn(self, waiting: Callable[[], None]) -> Iterator[None]:
        """One turn. Calls `waiting` once when it does not come within PATIENCE."""
        self._enter(waiting)
        try:
            yield
        finally:
            self.__exit__()

    def _enter(self, waiting: Callable[[], None]) -> None:
        with self._changed:
            ticket, self._next = self._next, self._next + 1
            soon = self._changed.wait_for(lambda: self._served == ticket, PATIENCE)
        try:
            if not soon:
                waiting()
        except BaseException:  # Streamlit ends a run with an exception from any of its calls; a drawn ticket must not stay unused
            self._wait(ticket)
            self.__exit__()
            raise
        self._wait(ticket)

    def _wait(self, ticket: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._served == ticket)

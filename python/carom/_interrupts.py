"""Ctrl-C during a call of the library."""
from __future__ import annotations

import contextlib
import signal
import threading
from typing import Any, Callable, Iterator


@contextlib.contextmanager
def deferred(stop: Callable[[BaseException], None]) -> Iterator[None]:
    """Passes the exception of Ctrl-C to `stop` while the block runs, in place of raising it.

    Python raises the exception of a signal at the first instruction of the next callback, before a `try` in it begins, and
    ctypes drops it there: the run would go on.

    Parameters
    ----------
    stop : callable
        Keeps the exception, which the caller raises after the block, and requests the end of the call.
    """
    given = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(given):
        yield  # Python delivers signals to the main thread; an ignored signal remains ignored
        return
    handle = given

    def note(number: int, frame: Any) -> None:
        try:
            handle(number, frame)
        except BaseException as raised:
            stop(raised)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is note:
            signal.signal(signal.SIGINT, handle)

"""Signals during calls of the library, as Ctrl-C."""
from __future__ import annotations

import contextlib
import signal
import threading
from typing import Any, Callable, Iterator

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM") if hasattr(signal, name))


@contextlib.contextmanager
def caught(note: Callable[[BaseException], None]) -> Iterator[None]:
    """Passes exceptions of signal handlers to `note`.

    Python calls the handlers at the first instruction of a callback of the library. An exception there is outside of any
    `try` of the callback, and ctypes would print and discard it. `note` may raise it again.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Python calls handlers in the main thread
        return
    handlers: dict[int, Any] = {}
    active = True

    def handle(number: int, frame: Any) -> None:
        if not active:
            handlers[number](number, frame)
            return
        try:
            handlers[number](number, frame)
        except BaseException as raised:
            note(raised)

    try:
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, handle)
        yield
    finally:
        active = False
        for number, handler in handlers.items():
            if signal.getsignal(number) is handle:
                signal.signal(number, handler)

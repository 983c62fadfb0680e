"""Progress of runs: a bar in terminals and notebooks, or a function of the caller."""
from __future__ import annotations

import sys
import time
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Union

from carom import _declarations as declarations
from carom._library import decoded
from carom.errors import UsageError


@dataclass(frozen=True)
class Progress:
    """Progress of a placement, a compression, a run or a verification. Counts are totals since the start of the run.

    Attributes
    ----------
    phase : str
        "place", "compress", "run" or "verify".
    time, until_time : float
        Simulated time, and its limit (0: none).
    events, collisions, merges : int
        Physical events; collisions between particles; merges of clusters.
    fraction : float
        Part done, from 0 to 1; negative: unknown.
    events_per_s, wall_s, left_s : float
        Speed; duration so far; estimated remaining duration (negative: unknown).
    """

    phase: str
    time: float
    until_time: float
    events: int
    collisions: int
    merges: int
    fraction: float
    events_per_s: float
    wall_s: float
    left_s: float


def progress_of(given: Any) -> Progress:
    """The progress that the library reports."""
    names = [name for name in Progress.__dataclass_fields__ if name != "phase"]
    return Progress(phase=decoded(given.phase), **{name: getattr(given, name) for name in names})


#: `progress` of a simulation: None (a bar for runs of over a second, in terminals and notebooks), True, False or a function.
Choice = Union[None, bool, Callable[[Progress], None]]


def checked(choice: Any) -> Choice:
    """The argument `progress` of a call.

    Raises
    ------
    UsageError
        It is none of the choices.
    """
    if choice is not None and not isinstance(choice, bool) and not callable(choice):
        raise UsageError("`progress` is %r: it must be None, True, False or a function" % (choice,))
    return choice


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    active = shell.get_ipython() if shell is not None else None
    return active is not None and active.__class__.__name__ == "ZMQInteractiveShell"


class _Line:
    """A bar on one line of the terminal, where tqdm is not installed."""

    _WIDTH = 30

    def __init__(self) -> None:
        self._shown = 0

    def show(self, fraction: float, text: str) -> None:
        done = int(self._WIDTH * fraction)
        line = "[%s%s] %3.0f %% %s" % ("#" * done, " " * (self._WIDTH - done), 100 * fraction, text)
        sys.stderr.write("\r" + line.ljust(self._shown))
        sys.stderr.flush()
        self._shown = len(line)

    def close(self) -> None:
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()


class _Tqdm:
    """The bar of tqdm, which also draws in notebooks."""

    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(total=1.0, leave=False, bar_format="{l_bar}{bar}| {elapsed} < {remaining}{postfix}")

    def show(self, fraction: float, text: str) -> None:
        self._bar.n = fraction
        self._bar.set_postfix_str(text)

    def close(self) -> None:
        self._bar.close()


def shows(choice: "bool | None") -> bool:
    """Whether a bar is shown: as chosen, or (None) in terminals and notebooks."""
    if choice is None:
        return _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())
    return choice


def new_bar() -> Any:
    """A bar of tqdm, or on one line of the terminal."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # notebooks without ipywidgets have a bar of text
            from tqdm.auto import tqdm
    except ImportError:
        return _Line()
    return _Tqdm(tqdm)


class Reporter:
    """Shows the progress of one run. The bar appears after a second."""

    _AFTER_S = 1.0

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._bar: Any = None
        self._began = time.monotonic()
        self._shows = not callable(choice) and shows(choice)

    def report(self, given: declarations.carom_progress) -> None:
        """Receives the progress that the library reports."""
        progress = progress_of(given)
        if callable(self._choice):
            self._choice(progress)
        elif self._shows and time.monotonic() - self._began > self._AFTER_S:
            self._bar = self._bar or new_bar()
            self._bar.show(min(1.0, max(0.0, progress.fraction)), self._text(progress))

    @staticmethod
    def _text(progress: Progress) -> str:
        if progress.phase in ("place", "compress"):
            return "placement" if progress.phase == "place" else "compression"
        return "time %.4g, %.3g events/s" % (progress.time, progress.events_per_s)

    def close(self) -> None:
        """Removes the bar."""
        if self._bar is not None:
            self._bar.close()

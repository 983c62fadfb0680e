"""Checks of arguments."""
from __future__ import annotations

import math
import numbers
import reprlib
from typing import Any, Callable, Mapping

import numpy as np

from carom.errors import UsageError

#: Largest count that the library receives. A larger one, as of a limit that is never reached, becomes this one.
MOST = 2**63 - 1


def _scalar(value: Any) -> Any:
    """A number as itself, an array of numpy without dimensions as its number; nan for everything else."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    return value if isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)) else math.nan


def number(value: Any, what: str, *, least: float = -math.inf, above: float = -math.inf, finite: bool = True) -> float:
    """A number as a float.

    Parameters
    ----------
    value
        The argument.
    what : str
        The argument in messages, as "`every`".
    least, above : float
        The smallest number that is permitted; the largest that is too small.
    finite : bool
        Whether infinity is refused.

    Raises
    ------
    UsageError
        It is no such number.
    """
    given = _scalar(value)
    try:
        found = float(given)
    except OverflowError:
        found = math.inf if given > 0 else -math.inf
    if found >= least and (found > above or above == -math.inf) and not (finite and math.isinf(found)):
        return found
    bounds = " above %g" % above if above > -math.inf else " of at least %g" % least if least > -math.inf else ""
    raise UsageError("%s is %s: it must be a %snumber%s" % (what, reprlib.repr(value), "finite " if finite else "", bounds))


def whole(value: Any, what: str, least: int = 0, most: "int | None" = None) -> int:
    """A whole number, also one such as 1e4, as an int.

    Parameters
    ----------
    value
        The argument.
    what : str
        The argument in messages.
    least, most : int
        The range; None: beyond `MOST` the number becomes `MOST`.

    Raises
    ------
    UsageError
        It is no whole number, or out of range.
    """
    given = _scalar(value)
    found = int(given) if isinstance(given, numbers.Integral) or math.isfinite(given) else None
    if found is not None and found == given and found >= least and (most is None or found <= most):
        return min(found, MOST) if most is None else found
    bounds = "of at least %d" % least if most is None else "from %d to %d" % (least, most)
    raise UsageError("%s is %s: it must be a whole number %s" % (what, reprlib.repr(value), bounds))


def mapping(value: Any, what: str) -> "dict[str, Any]":
    """A dictionary; None: an empty one.

    Raises
    ------
    UsageError
        It is no dictionary.
    """
    if value is not None and not isinstance(value, Mapping):
        raise UsageError("%s is %s: it must be a dictionary" % (what, reprlib.repr(value)))
    return dict(value or {})


def function(value: Any, what: str) -> "Callable[..., Any]":
    """A function.

    Raises
    ------
    UsageError
        It cannot be called.
    """
    if not callable(value):
        raise UsageError("%s is %s: it must be a function" % (what, reprlib.repr(value)))
    return value  # type: ignore[no-any-return]

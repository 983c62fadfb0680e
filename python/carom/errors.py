"""Exceptions of carom: one class for each status of a call."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from carom import _declarations as declarations


class CaromError(Exception):
    """Base class of all exceptions of carom.

    Attributes
    ----------
    message : str
        Text of the library, with the remedy; the command prints the same, with its options.
    status : int
        Exit code that the command has in this case.
    """

    status = declarations.CAROM_INTERNAL

    def __init__(self, message: str = "", **details: Any) -> None:
        self.message = message[len("error: "):] if message.startswith("error: ") else message
        super().__init__(self.message)
        self._details = details
        for name, value in details.items():
            setattr(self, name, value)

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self.message, self._details)


def _rebuilt(kind: type[CaromError], message: str, details: dict[str, Any]) -> CaromError:
    return kind(message, **details)


class UsageError(CaromError, ValueError):
    """A wrong call: an unknown option, a value out of range, a call that the engine does not support."""

    status = declarations.CAROM_USAGE


class DataError(CaromError):
    """A file or a state with errors."""

    status = declarations.CAROM_BAD_DATA


@dataclass(frozen=True)
class Fault:
    """An error of a scene and its place.

    Attributes
    ----------
    file : str
        Name of the scene file; "scene" for a scene from Python.
    line, column : int
        Place, from 1; 0 if the error has none.
    key : str
        Path of the key, as "box.packing_fraction"; "" if unknown.
    message, hint : str
        What is wrong, and the remedy ("" if the message contains it).
    """

    file: str
    line: int
    column: int
    key: str
    message: str
    hint: str = ""


class SceneError(DataError):
    """A scene with errors.

    Attributes
    ----------
    faults : tuple of Fault
        All errors, in the order of the scene.
    """

    faults: tuple[Fault, ...] = ()


class InputError(CaromError, FileNotFoundError):
    """A file that does not exist or cannot be opened for reading."""

    status = declarations.CAROM_NO_INPUT

    def __str__(self) -> str:
        return self.message


class CreateError(CaromError, OSError):
    """An output that cannot be created, or that exists already."""

    status = declarations.CAROM_NO_CREATE

    def __str__(self) -> str:
        return self.message


class OutputError(CaromError, OSError):
    """A read or write that failed."""

    status = declarations.CAROM_IO

    def __str__(self) -> str:
        return self.message


class EarlyStop(CaromError):
    """A stop request during the creation of a simulation."""

    status = declarations.CAROM_EARLY


class DynamicsError(CaromError):
    """The dynamics ended the run.

    Attributes
    ----------
    stop : str
        "collapse", "no_progress", "squeezed" or "stretched".
    """

    status = declarations.CAROM_DYNAMICS
    stop: str = ""


class ViolationError(CaromError):
    """A verification found a violation."""

    status = declarations.CAROM_VIOLATION


class InternalError(CaromError):
    """No memory, or an error in carom."""

    status = declarations.CAROM_INTERNAL


_CLASSES = {kind.status: kind for kind in (UsageError, DataError, InputError, CreateError, OutputError, EarlyStop,
                                           DynamicsError, ViolationError, InternalError)}


#: Options of the command in messages, other than in quoted commands, and the arguments that have their place.
_OPTIONS = ((re.compile(r"(?<!run )--(force|resume)\b"), r"`\1=True`"), (re.compile(r"with -o\b"), "as `output`"))


def error_of(status: int, message: str, **details: Any) -> CaromError:
    """The exception of a status."""
    for option, argument in _OPTIONS:
        message = option.sub(argument, message)
    return _CLASSES.get(status, CaromError)(message or "carom: status %d" % status, **details)

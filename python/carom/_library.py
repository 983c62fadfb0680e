"""Finds libcarom, declares its functions, and converts its statuses to exceptions."""
from __future__ import annotations

import ctypes
import os
import pathlib
import sys
import warnings
import weakref
from typing import Any, Callable, Iterator

from carom import _bundle
from carom import _declarations as declarations
from carom.errors import UsageError, error_of

_FOLDER = pathlib.Path(__file__).resolve().parent
SONAME = "libcarom.so.1"  # with the number of the binary interface, CAROM_ABI of CMakeLists.txt


def _candidates() -> Iterator[str]:
    """File names of the library, the preferred ones first."""
    if "CAROM_LIBRARY" in os.environ:
        yield os.environ["CAROM_LIBRARY"]
        return
    _bundle.prepare()
    yield str(_bundle.FOLDER / SONAME)  # within a wheel
    checkout = _FOLDER.parent.parent
    if (checkout / "include/carom/carom.h").exists():
        yield str(checkout / "build/release/libcarom.so")
    yield os.path.join(sys.prefix, "lib", SONAME)  # installed with the interpreter, as by conda
    yield SONAME  # installed in a folder of the loader


def _load() -> ctypes.CDLL:
    tried = []
    for name in _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            if os.path.exists(name):
                raise ImportError("libcarom cannot be loaded: %s" % error) from None
            tried.append(name)
    raise ImportError("libcarom is not installed%s. Install the package with `pip install .`, build the checkout with `make "
                      "build`, or set CAROM_LIBRARY to the file libcarom.so"
                      % (" (looked for %s)" % ", ".join(tried) if tried else ""))


def _declare(library: ctypes.CDLL) -> None:
    for name, result, parameters in declarations.FUNCTIONS:
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError("%s is another version than this package: it has no function `%s`"
                              % (library._name, name)) from None
        function.restype = result
        function.argtypes = parameters


lib = _load()
_declare(lib)


def path_of(library: ctypes.CDLL = lib) -> str:
    """File name of the loaded library."""
    return str(library._name)


def encoded(text: "str | os.PathLike[str]") -> bytes:
    """Text or a file name for a call of the library.

    Raises
    ------
    UsageError
        The text has a zero character, which would end it.
    """
    data = os.fsencode(text)
    if b"\0" in data:
        raise UsageError("%r contains a zero character" % (text,))
    return data


def decoded(text: bytes | None) -> str:
    """Text that belongs to the library."""
    return "" if text is None else text.decode("utf-8", "surrogateescape")


def owned(address: int | None) -> str:
    """Text that the library has allocated for the caller: copies and frees it."""
    if not address:
        return ""
    try:
        return decoded(ctypes.cast(address, ctypes.c_char_p).value)
    finally:
        lib.carom_free(address)


def names(function: Any, *arguments: Any) -> Iterator[str]:
    """Texts of a function of the library, which returns NULL beyond the last: ``function(*arguments, number)``."""
    number = 0
    while True:
        text = function(*arguments, number)
        if text is None:
            return
        yield decoded(text)
        number += 1


def check(status: int, message: bytes | str | None = None, **details: Any) -> None:
    """Raises the exception of a status, unless it is CAROM_OK.

    Parameters
    ----------
    status : int
        Result of a call.
    message : bytes or str
        Message of the object of the call.
    details
        Attributes of the exception.
    """
    if status != declarations.CAROM_OK:
        raise error_of(status, decoded(message) if isinstance(message, bytes) else message or "", **details)


def warn(message: str) -> None:
    """Warns the first caller outside of the package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "carom":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def field_type(struct: Any, name: str) -> Any:
    """Type of a field of a structure of ctypes, such as a function pointer that a callback must have."""
    return dict(struct._fields_)[name]


def method_pointer(kind: Any, method: Callable[..., Any]) -> Any:
    """A function pointer of the type `kind` that calls a method, and does not keep its object alive."""
    weak = weakref.WeakMethod(method)

    def call(*arguments: Any) -> Any:
        found = weak()
        return None if found is None else found(*arguments)

    return kind(call)


class Handle:
    """An object of the library, freed with its last reference. A forked process frees none of those before the fork: they may
    have open files.

    Parameters
    ----------
    address : int
        The object.
    free : callable
        The function of the library that frees it.
    """

    __slots__ = ("address", "_free", "_process", "__weakref__")

    def __init__(self, address: int | None, free: Any) -> None:
        if not address:
            raise MemoryError("carom: no memory")
        self.address = ctypes.c_void_p(address)
        self._free = free
        self._process = os.getpid()

    def close(self) -> None:
        """Frees the object now. The handle cannot be used any more."""
        address, self.address = self.address, ctypes.c_void_p()
        if address:
            self._free(address)

    def __del__(self) -> None:
        if getattr(self, "address", None) and self._process == os.getpid():
            self.close()

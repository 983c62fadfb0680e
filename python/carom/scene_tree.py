"""Trees of scenes: maps and lists that are changed by attributes, items and paths."""
from __future__ import annotations

import ctypes
import functools
import json
import os
from collections.abc import MutableMapping, MutableSequence
from typing import Any, Iterator, Mapping, NoReturn

import numpy as np

from carom import _declarations as declarations
from carom import _yaml
from carom._library import encoded, lib, owned
from carom.errors import Fault, SceneError
from carom.scene_arrays import ArrayError, Lowered, listed

NAME = "scene"  # of a scene from Python, in messages


# ---- Keys of the scene language ----

@functools.lru_cache(maxsize=None)
def keys_below(path: str) -> dict[str, dict[str, Any]]:
    """The keys below a path of a scene by name, with `help`, `unit`, `default` and `kind`; "": those of a scene."""
    text = ctypes.c_void_p()
    status = lib.carom_keys(encoded(path), ctypes.byref(text))
    return {} if status != declarations.CAROM_OK else {key["name"]: key for key in json.loads(owned(text.value))}


# ---- Values ----

def plain(value: Any, path: str) -> Any:
    """A copy of a value in maps, lists, numbers, text and arrays."""
    if isinstance(value, Node):
        value = value._data
    if isinstance(value, np.generic):  # first: np.float64 is a float, too, and has a repr of its own from numpy 2 on
        return value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.ndarray):
        return value.item() if value.ndim == 0 and value.dtype.kind in "biufU" else value.copy()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                _refuse(path, "the key %r is no text" % (key,))
        return {key: plain(below, join(path, key)) for key, below in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [plain(below, join(path, n)) for n, below in enumerate(value)]
    _refuse(path, "a value of type %s; expected a number, text, a list, a dict or a numpy array" % type(value).__name__)


def join(path: str, step: Any) -> str:
    return "%s.%s" % (path, step) if path else str(step)


def _refuse(key: str, message: str) -> NoReturn:
    raise scene_error([ArrayError(key, message)])


def scene_error(errors: list[ArrayError]) -> SceneError:
    """The exception of errors that are found without the library."""
    return SceneError("\n".join("%s: error: %s: %s" % (NAME, error.key, error.message) for error in errors),
                      faults=tuple(Fault(NAME, 0, 0, error.key, error.message) for error in errors))


def equal(a: Any, b: Any) -> bool:
    """Whether two trees have the same values; 1 and 1.0 are equal, 1 and True are not."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape and \
            a.dtype.kind == b.dtype.kind and bool(np.all(a == b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and isinstance(a, str) == isinstance(b, str) and bool(a == b)


def text_of(value: Any, key: str) -> str:
    """The value of a key as text of the scene language on one line.

    Raises
    ------
    SceneError
        It has a type that scenes do not have.
    """
    out = Lowered({})
    tree = listed(out, plain(value, key), key)
    if out.errors:
        raise scene_error(out.errors)
    return _yaml.flow(tree)


# ---- Nodes ----

class Node:
    """A map or list within a scene. Changes of it change the scene."""

    _data: Any
    _path: str

    def __eq__(self, other: object) -> bool:
        return equal(self._data, other._data if isinstance(other, Node) else plain(other, self._path))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return _yaml.flow(short(self._data))

    def _wrap(self, value: Any, step: Any) -> Any:
        if isinstance(value, dict):
            return Keys(value, join(self._path, step))
        if isinstance(value, list):
            return Items(value, join(self._path, step))
        return value


def short(value: Any) -> Any:
    """A tree with descriptions in place of arrays."""
    if isinstance(value, np.ndarray):
        return "array%s" % (value.shape,)
    if isinstance(value, dict):
        return {key: short(below) for key, below in value.items()}
    return [short(below) for below in value] if isinstance(value, list) else value


class Keys(Node, MutableMapping):  # type: ignore[type-arg]
    """A map within a scene: keys are attributes and items, and a path with dots reaches further down.

    Examples
    --------
    >>> import carom
    >>> scene = carom.Scene(box={"size": [10, 10, 10]})
    >>> scene.box.boundary = ["wall", "periodic", "periodic"]
    >>> scene["box.boundary.0"]
    'wall'
    """

    def __init__(self, data: dict[str, Any], path: str, absent: "Keys | None" = None) -> None:
        object.__setattr__(self, "_data", data)
        object.__setattr__(self, "_path", path)
        object.__setattr__(self, "_absent", absent)  # the map that receives this one with its first key

    def _attach(self) -> None:
        parent, name = self._absent, self._path.rpartition(".")[2]
        if parent is not None:
            parent._attach()
            object.__setattr__(self, "_data", parent._data.setdefault(name, self._data))
            object.__setattr__(self, "_absent", None)

    def __getitem__(self, path: Any) -> Any:
        here, steps = self, str(path).split(".")
        for n, step in enumerate(steps):
            if isinstance(here, Keys) and step in here._data:
                here = here._wrap(here._data[step], step)
            elif isinstance(here, Items) and step.isdigit() and int(step) < len(here):
                here = here[int(step)]
            else:
                raise KeyError(join(self._path, ".".join(steps[:n + 1])))
        return here

    def __setitem__(self, path: Any, value: Any) -> None:
        *steps, last = str(path).split(".")
        value = plain(value, join(self._path, path))
        self._attach()
        here: Any = self
        for step in steps:
            if isinstance(here, Keys) and not isinstance(here._data.get(step), (dict, list)):
                here._data[step] = {}
            here = here[step] if isinstance(here, Keys) else here[_index(here, step)]
            if not isinstance(here, Node):
                raise KeyError(join(self._path, path))
        if isinstance(here, Items):
            here._data[_index(here, last)] = value
        else:
            here._data[last] = value

    def __delitem__(self, path: Any) -> None:
        parent, _, last = str(path).rpartition(".")
        here = self[parent] if parent else self
        if isinstance(here, Items):
            del here._data[_index(here, last)]
        elif isinstance(here, Keys) and last in here._data:
            del here._data[last]
        else:
            raise KeyError(join(self._path, path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._data:
            return self._wrap(self._data[name], name)
        known = keys_below(self._path).get(name)
        if known is None:
            raise AttributeError("a scene has no key '%s'" % join(self._path, name))
        if known["kind"] == "map":
            return Keys({}, join(self._path, name), absent=self)
        if known["kind"] == "list":
            return Items([], join(self._path, name), absent=self)
        default = "" if known["default"] in (None, "") else " (default: %s)" % known["default"]
        raise AttributeError("the key '%s' is not set%s" % (join(self._path, name), default))

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        elif hasattr(type(self), name):
            raise AttributeError("'%s' is computed, or a method; a key of that name is set by item" % name)
        else:
            self[name] = value

    def __delattr__(self, name: str) -> None:
        if name not in self._data:
            raise AttributeError("the key '%s' is not set" % join(self._path, name))
        del self._data[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._data, *keys_below(self._path)})


def _index(items: "Items", step: str) -> int:
    if not step.lstrip("-").isdigit() or not -len(items) <= int(step) < len(items):
        raise KeyError("%s: the list has %d items, counted from 0" % (join(items._path, step), len(items)))
    return int(step)


class Items(Node, MutableSequence):  # type: ignore[type-arg]
    """A list within a scene."""

    def __init__(self, data: list[Any], path: str, absent: "Keys | None" = None) -> None:
        self._data = data
        self._path = path
        self._absent = absent

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._wrap(value, n) for n, value in list(enumerate(self._data))[index]]
        return self._wrap(self._data[index], index % max(len(self), 1))

    def __setitem__(self, index: Any, value: Any) -> None:
        self._data[index] = plain(list(value) if isinstance(index, slice) else value, join(self._path, index))

    def __delitem__(self, index: Any) -> None:
        del self._data[index]

    def __len__(self) -> int:
        return len(self._data)

    def insert(self, index: int, value: Any) -> None:
        """Inserts an item before `index`."""
        value = plain(value, join(self._path, index))
        if self._absent is not None:
            self._absent._attach()
            self._data = self._absent._data.setdefault(self._path.rpartition(".")[2], self._data)
            self._absent = None
            index = len(self._data)  # items that came meanwhile by another reference are before it
        self._data.insert(index, value)

"""Scenes: what a simulation starts from."""
from __future__ import annotations

import copy
import ctypes
import functools
import html
import json
import os
import pathlib
from collections.abc import MutableMapping, MutableSequence
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, NoReturn

import numpy as np

from carom import _declarations as declarations
from carom import _yaml
from carom._checks import mapping
from carom._library import Handle, check, decoded, encoded, lib, owned
from carom.errors import Fault, InputError, SceneError, UsageError, error_of
from carom.scene_arrays import ArrayError, Lowered, listed, lowered

_NAME = "scene"  # of a scene from Python, in messages
_MOST_SETS = 1000


# ---- Keys of the scene language ----

@functools.lru_cache(maxsize=None)
def keys_below(path: str) -> dict[str, dict[str, Any]]:
    """The keys below a path of a scene by name, with `help`, `unit`, `default` and `kind`; "": those of a scene."""
    text = ctypes.c_void_p()
    status = lib.carom_keys(encoded(path), ctypes.byref(text))
    return {} if status != declarations.CAROM_OK else {key["name"]: key for key in json.loads(owned(text.value))}


def starters() -> list[str]:
    """Names of the scenes to start from: `Scene.starter(name)`.

    Examples
    --------
    >>> import carom
    >>> "gas" in carom.starters()
    True
    """
    text = ctypes.c_void_p()
    check(lib.carom_starter(b"", ctypes.byref(text)))
    names = [line.split()[0] for line in owned(text.value).splitlines()]
    return [name for name in names if "engine" in Scene.starter(name)]  # not those of sweeps


# ---- Values ----

def _plain(value: Any, path: str) -> Any:
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
        return {key: _plain(below, _join(path, key)) for key, below in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [_plain(below, _join(path, n)) for n, below in enumerate(value)]
    _refuse(path, "a value of type %s; expected a number, text, a list, a dict or a numpy array" % type(value).__name__)


def _join(path: str, step: Any) -> str:
    return "%s.%s" % (path, step) if path else str(step)


def _refuse(key: str, message: str) -> NoReturn:
    raise scene_error([ArrayError(key, message)])


def scene_error(errors: list[ArrayError]) -> SceneError:
    """The exception of errors that are found without the library."""
    return SceneError("\n".join("%s: error: %s: %s" % (_NAME, error.key, error.message) for error in errors),
                      faults=tuple(Fault(_NAME, 0, 0, error.key, error.message) for error in errors))


def flow_of(value: Any, key: str) -> str:
    """A value as text of the scene language on one line; `key` is its path in messages.

    Raises
    ------
    SceneError
        It contains what a scene cannot contain.
    """
    out = Lowered({})
    tree = listed(out, _plain(value, key), key)
    if out.errors:
        raise scene_error(out.errors)
    return _yaml.flow(tree)


def _equal(a: Any, b: Any) -> bool:
    """Whether two trees have the same values; 1 and 1.0 are equal, 1 and True are not."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape and \
            a.dtype.kind == b.dtype.kind and bool(np.all(a == b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_equal, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and isinstance(a, str) == isinstance(b, str) and bool(a == b)


# ---- Nodes ----

class Node:
    """A map or list within a scene. Changes of it change the scene."""

    _data: Any
    _path: str

    def __eq__(self, other: object) -> bool:
        return _equal(self._data, other._data if isinstance(other, Node) else _plain(other, self._path))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return _yaml.flow(_short(self._data))

    def _wrap(self, value: Any, step: Any) -> Any:
        if isinstance(value, dict):
            return Keys(value, _join(self._path, step))
        if isinstance(value, list):
            return Items(value, _join(self._path, step))
        return value


def _short(value: Any) -> Any:
    """A tree with descriptions in place of arrays."""
    if isinstance(value, np.ndarray):
        return "array%s" % (value.shape,)
    if isinstance(value, dict):
        return {key: _short(below) for key, below in value.items()}
    return [_short(below) for below in value] if isinstance(value, list) else value


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
                raise KeyError(_join(self._path, ".".join(steps[:n + 1])))
        return here

    def __setitem__(self, path: Any, value: Any) -> None:
        *steps, last = str(path).split(".")
        value = _plain(value, _join(self._path, path))
        self._attach()
        here: Any = self
        for step in steps:
            if isinstance(here, Keys) and not isinstance(here._data.get(step), (dict, list)):
                here._data[step] = {}
            here = here[step] if isinstance(here, Keys) else here[_index(here, step)]
            if not isinstance(here, Node):
                raise KeyError(_join(self._path, path))
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
            raise KeyError(_join(self._path, path))

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
            raise AttributeError("a scene has no key '%s'" % _join(self._path, name))
        if known["kind"] == "map":
            return Keys({}, _join(self._path, name), absent=self)
        if known["kind"] == "list":
            return Items([], _join(self._path, name), absent=self)
        default = "" if known["default"] in (None, "") else " (default: %s)" % known["default"]
        raise AttributeError("the key '%s' is not set%s" % (_join(self._path, name), default))

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        elif hasattr(type(self), name):
            raise AttributeError("'%s' is computed, or a method; a key of that name is set by item" % name)
        else:
            self[name] = value

    def __delattr__(self, name: str) -> None:
        if name not in self._data:
            raise AttributeError("the key '%s' is not set" % _join(self._path, name))
        del self._data[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._data, *keys_below(self._path)})


def _index(items: "Items", step: str) -> int:
    if not step.lstrip("-").isdigit() or not -len(items) <= int(step) < len(items):
        raise KeyError("%s: the list has %d items, counted from 0" % (_join(items._path, step), len(items)))
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
        self._data[index] = _plain(list(value) if isinstance(index, slice) else value, _join(self._path, index))

    def __delitem__(self, index: Any) -> None:
        del self._data[index]

    def __len__(self) -> int:
        return len(self._data)

    def insert(self, index: int, value: Any) -> None:
        """Inserts an item before `index`."""
        value = _plain(value, _join(self._path, index))
        if self._absent is not None:
            self._absent._attach()
            self._data = self._absent._data.setdefault(self._path.rpartition(".")[2], self._data)
            self._absent = None
        self._data.insert(index, value)


# ---- Checks ----

@dataclass(frozen=True)
class Step:
    """A time step of a run, and the element that determines it.

    Attributes
    ----------
    kind : str
        "layers", "springs", "stretch", ...
    step : float
        Shortest step of this kind at the start.
    bound : float
        Stability bound of the step; 0: none.
    elements : int
        Number of elements of this kind.
    element : str
        The element that determines the step; "": no single one.
    particles : tuple of int
        Its particles.
    position : numpy.ndarray
        Mean of their positions, shape (dimension,); nan before a compression.
    warning : str
        A sentence on few elements that cost more than all others, with the remedy; "": there are none.
    """

    kind: str
    step: float
    bound: float
    elements: int
    element: str
    particles: tuple[int, ...]
    position: np.ndarray = field(compare=False)
    warning: str


@dataclass(frozen=True)
class Check:
    """What a run of a scene needs.

    Attributes
    ----------
    dimension : int
    particles : int
        Without vertices of meshes.
    vertices : int
        Of the meshes that take part.
    packing_fraction : float
        Volume of the particles over that of the box.
    box : numpy.ndarray
        Sides, shape (dimension,).
    memory_bytes : int
        Memory of the run, about.
    frame_bytes : int
        Size of a frame in the result file, without compression.
    frames : int
        Number of frames; 0: unknown.
    steps : tuple of Step
        Time steps; the event-driven engines have none.
    notes : str
        One line for each mesh that was repaired.
    report : dict
        The same as `carom check --json` prints without a trial run.
    """

    dimension: int
    particles: int
    vertices: int
    packing_fraction: float
    box: np.ndarray = field(compare=False)
    memory_bytes: int
    frame_bytes: int
    frames: int
    steps: tuple[Step, ...]
    notes: str
    report: dict[str, Any] = field(repr=False)


def faults_of(count: Any, fault: Any, address: Any) -> tuple[Fault, ...]:
    """The faults of the message of an object.

    Parameters
    ----------
    count, fault : callable
        `carom_scene_fault_count` and `carom_scene_fault`, or those of simulations.
    address : ctypes.c_void_p
        The object.
    """
    one = (fault(address, n).contents for n in range(count(address)))
    return tuple(Fault(decoded(f.file), f.line, f.column, decoded(f.key), decoded(f.message), decoded(f.hint)) for f in one)


def raise_faults(status: int, message: str, faults: tuple[Fault, ...]) -> None:
    """Raises the exception of a call on a scene or simulation, unless it succeeded.

    Parameters
    ----------
    status : int
        Result of the call.
    message : str
        Message of the object.
    faults : tuple of Fault
        Its faults.
    """
    if status == declarations.CAROM_BAD_DATA or (status == declarations.CAROM_USAGE and faults):
        raise SceneError(message, faults=faults)
    if status != declarations.CAROM_OK:
        raise error_of(status, message, **({"faults": faults} if status == InputError.status else {}))


# ---- Scenes ----

class Scene(Keys):
    """A scene: what a simulation starts from.

    Parameters
    ----------
    tree : dict, optional
        The keys of the scene, as in a scene file.
    **keys
        The same as keywords.

    Notes
    -----
    Keys are attributes and items: ``scene.box.size = [10, 10, 10]``, ``scene["particles.0.count"] = 500``,
    ``del scene["observe"]``. Lists are lists. Numpy arrays may stand for lists of numbers. In an item of `particles` they
    give all particles: `place` (N, dimension), `velocity` (N, dimension), `orientation` (N, dimension), `angular_velocity`
    (N, 3) or (N,) in two dimensions, `radius` (N,), `mass` (N,), `species` (N,) of names. In an item of `meshes`, `vertices`
    (V, 3) and `faces` (F, 3) take the place of `file`.

    A scene may lack `run`: the calls that run it then give the limits.

    The scene is checked when it is used, by the reader of the command and with its messages: `SceneError`.

    Examples
    --------
    >>> import carom
    >>> scene = carom.Scene(engine="hard", dimension=2, box={"size": [10, 10]}, species={"disk": {"diameter": 1}},
    ...                     particles=[{"species": "disk", "count": 20, "place": "random", "velocity": {"maxwell": 1}}])
    >>> scene.box.size[0] = 12
    >>> scene["particles.0.count"]
    20
    >>> scene.check().particles
    20
    """

    def __init__(self, tree: "Mapping[str, Any] | None" = None, **keys: Any) -> None:
        if tree is not None and not isinstance(tree, Mapping):
            raise UsageError("a scene is made of a dictionary or of keywords, not of %r; Scene.load(path) reads a file" % (tree,))
        given = _plain({**(tree or {}), **keys}, "")
        super().__init__({"carom": 1, **given} if "carom" not in given else given, "")
        self._text: str | None = None  # of a file
        self._name = _NAME
        self._folder: str | None = None
        self._cwd = ""
        self._base: dict[str, Any] = {}

    @classmethod
    def load(cls, path: "str | os.PathLike[str]", set: "Mapping[str, Any] | None" = None, *,
             partial: bool = False) -> "Scene":
        """Reads a scene file.

        Parameters
        ----------
        path : path
            The file.
        set : dict, optional
            Keys to change, by path: ``{"run.until.time": 10}``.
        partial : bool
            The scene is completed later: only the form of the file is checked now.

        Raises
        ------
        SceneError
            The scene has errors.
        InputError
            The file cannot be read.
        """
        name = os.fspath(path)
        try:
            text = pathlib.Path(name).read_bytes()
        except OSError:
            handle = Handle(lib.carom_scene_new(), lib.carom_scene_free)
            check_scene(lib.carom_scene_load(handle.address, encoded(name)), handle)
            raise
        scene = cls._of_text(name, text, os.path.dirname(name))
        for key, value in mapping(set, "`set`").items():
            scene[key] = value
        if not partial:
            scene._open()
        return scene

    @classmethod
    def starter(cls, name: str) -> "Scene":
        """A scene to start from, as `carom init` writes it.

        Parameters
        ----------
        name : str
            One of `carom.starters()`.
        """
        text = ctypes.c_void_p()
        status = lib.carom_starter(encoded(name), ctypes.byref(text))
        content = owned(text.value)
        check(status, content)
        return cls._of_text(name + ".yaml", content.encode(), None)

    @classmethod
    def _of_text(cls, name: str, text: bytes, folder: "str | None") -> "Scene":
        handle = Handle(lib.carom_scene_new(), lib.carom_scene_free)
        out = ctypes.c_void_p()
        status = lib.carom_scene_tree(handle.address, encoded(name), text, len(text), ctypes.byref(out))
        tree = json.loads(owned(out.value)) if status == declarations.CAROM_OK else None
        if not isinstance(tree, dict):  # the reader lists all that is wrong
            check(lib.carom_scene_allow_endless(handle.address))
            check_scene(lib.carom_scene_load_text(handle.address, encoded(name), text, len(text)), handle)
        scene = cls()
        scene._data = tree
        scene._base = copy.deepcopy(tree)
        scene._text = text.decode("utf-8-sig")
        scene._name = name
        scene._folder = folder
        scene._cwd = os.getcwd()
        return scene

    # ---- The library's view ----

    def _files(self) -> "str | None":
        """The folder of the files that the scene names, from the present working directory."""
        if self._folder is None or os.getcwd() == self._cwd:
            return self._folder
        return os.path.join(self._cwd, self._folder)

    def _lowered(self, inline: "int | None" = None) -> Lowered:
        out = lowered(self._data) if inline is None else lowered(self._data, inline)
        if out.errors:
            raise scene_error(out.errors)
        return out

    def _open(self) -> Handle:
        """A scene of the library, loaded and checked. Faults have their places in the file, with the changes as overrides;
        without a file, in the text `yaml`."""
        low = self._lowered()
        handle = Handle(lib.carom_scene_new(), lib.carom_scene_free)
        address = handle.address
        check(lib.carom_scene_allow_endless(address))
        folder = self._files()
        check(lib.carom_scene_set_folder(address, None if folder is None else encoded(folder)))
        low.give(address)
        text = self._text
        if text is None or not all(map(_is_step, low.tree)):
            text = _yaml.block(low.tree)
        else:
            for call, change in _changes(self._base, low.tree):
                check(call(address, encoded(change)), lib.carom_scene_message(address))
        content = text.encode("utf-8", "surrogateescape")  # the reader refuses what is not UTF-8
        check_scene(lib.carom_scene_load_text(address, encoded(self._name), content, len(content)), handle)
        return handle

    def check(self) -> Check:
        """Draws the initial state and estimates the run, as `carom check` does.

        Raises
        ------
        SceneError
            The scene has errors, or particles overlap.
        InputError
            A file that the scene names cannot be read.
        """
        handle = self._open()
        estimate = declarations.carom_estimate()
        check_scene(lib.carom_scene_check(handle.address, ctypes.byref(estimate)), handle)
        notes = decoded(lib.carom_scene_message(handle.address))
        text = ctypes.c_void_p()
        check(lib.carom_scene_report(handle.address, None, ctypes.byref(text)), lib.carom_scene_message(handle.address))
        d = estimate.dimension
        return Check(d, estimate.particles, estimate.vertices, estimate.packing_fraction, np.array(estimate.box[:d]),
                     estimate.memory_bytes, estimate.frame_bytes, estimate.frames, tuple(_steps(handle, d)), notes,
                     json.loads(owned(text.value)))

    @property
    def resolved(self) -> str:
        """The scene with all defaults, as YAML."""
        handle = self._open()
        return decoded(lib.carom_scene_resolved(handle.address))

    @property
    def yaml(self) -> str:
        """The scene as set, as YAML. A scene of a file that has not been changed is the text of the file, with its comments;
        otherwise the text has no comments. Large arrays appear by name."""
        if self._text is not None and _equal(self._base, self._data):
            return self._text
        return _yaml.block(self._lowered().tree)

    @property
    def tree(self) -> dict[str, Any]:
        """The scene as a dict of dicts, lists, values and arrays, a copy."""
        return copy.deepcopy(self._data)

    def save(self, path: "str | os.PathLike[str]", force: bool = False) -> None:
        """Writes the scene to a file that the command can run. Large arrays go to files beside it, `NAME.particles_0.xyz` and
        `NAME.meshes_0.obj`.

        Parameters
        ----------
        path : path
            The file.
        force : bool
            Replace an existing file.
        """
        from carom.scene_files import save
        save(self, os.fspath(path), force)

    def copy(self) -> "Scene":
        """An independent scene."""
        return copy.deepcopy(self)

    # ---- Views ----

    def __eq__(self, other: object) -> bool:
        """Scenes are equal if all keys and arrays are."""
        if not isinstance(other, Scene):
            return NotImplemented
        return _equal(self._data, other._data)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.yaml

    def __repr__(self) -> str:
        name = "" if self._text is None else " '%s'" % self._name
        return "<carom.Scene%s: %s>" % (name, ", ".join("%s %s" % (key, self._data[key]) for key in ("engine", "dimension", "title")
                                                  if isinstance(self._data.get(key), (str, int))) or "empty")

    def _repr_html_(self) -> str:
        lines = _yaml.block(_short(self._data)).splitlines() if self._text is None else self.yaml.splitlines()
        more = "" if len(lines) <= 60 else "\n... %d more lines" % (len(lines) - 60)
        return "<pre>%s%s</pre>" % (html.escape("\n".join(lines[:60])), more)


def check_scene(status: int, handle: Handle) -> None:
    """Raises the exception of a call on a scene, unless it succeeded."""
    raise_faults(status, decoded(lib.carom_scene_message(handle.address)),
                 faults_of(lib.carom_scene_fault_count, lib.carom_scene_fault, handle.address))


def _steps(handle: Handle, dimension: int) -> Iterator[Step]:
    n = 0
    while True:
        found = lib.carom_scene_step(handle.address, n)
        if not found:
            return
        s = found.contents
        yield Step(decoded(s.kind), s.step, s.bound, s.elements, decoded(s.element), tuple(s.particles[:s.particle_count]),
                   np.array(s.position[:dimension]), decoded(s.warning))
        n += 1


def _changes(base: Any, tree: Any) -> list[tuple[Any, str]]:
    """The calls that make `base` into `tree`. Many small changes of a key become one of the whole key."""
    changes = list(_differences(base, tree, ""))
    if len(changes) <= _MOST_SETS:
        return changes
    return [change for key in {**base, **tree} for change in
            ([(lib.carom_scene_unset, key)] if key not in tree else
             [] if key in base and _same(base[key], tree[key]) else [(lib.carom_scene_set, "%s=%s" % (key, _yaml.flow(tree[key])))])]


def _same(a: Any, b: Any) -> bool:
    """As `_equal`, for trees without arrays that also agree in the types of their numbers."""
    return type(a) is type(b) and _equal(a, b)


def _differences(base: Any, tree: Any, path: str) -> Iterator[tuple[Any, str]]:
    if isinstance(base, dict) and isinstance(tree, dict) and all(_is_step(key) for key in [*base, *tree]):
        for key in base:
            if key not in tree:
                yield lib.carom_scene_unset, _join(path, key)
        for key, value in tree.items():
            if key in base:
                yield from _differences(base[key], value, _join(path, key))
            else:
                yield lib.carom_scene_set, "%s=%s" % (_join(path, key), _yaml.flow(value))
    elif isinstance(base, list) and isinstance(tree, list) and len(base) == len(tree):
        for n, value in enumerate(tree):
            yield from _differences(base[n], value, _join(path, n))
    elif not _same(base, tree):
        yield lib.carom_scene_set, "%s=%s" % (path, _yaml.flow(tree))


def _is_step(key: str) -> bool:
    """Whether a path can contain the key."""
    return key != "" and "." not in key and "=" not in key

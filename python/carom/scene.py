"""Scenes: what a simulation starts from."""
from __future__ import annotations

import copy
import ctypes
import html
import json
import os
import pathlib
from typing import Any, Iterator, Mapping

from carom import _declarations as declarations
from carom import _yaml
from carom._checks import mapping
from carom._library import Handle, check, decoded, encoded, lib, owned
from carom.errors import UsageError
from carom.scene_arrays import Lowered, lowered
from carom.scene_check import Check, check_scene, checked
from carom.scene_tree import NAME, Keys, equal, join, plain, scene_error, short

_MOST_SETS = 1000


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
        given = plain({**(tree or {}), **keys}, "")
        super().__init__({"carom": 1, **given} if "carom" not in given else given, "")
        self._text: str | None = None  # of a file
        self._name = NAME
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
        return checked(self._open())

    @property
    def resolved(self) -> str:
        """The scene with all defaults, as YAML."""
        handle = self._open()
        return decoded(lib.carom_scene_resolved(handle.address))

    @property
    def yaml(self) -> str:
        """The scene as set, as YAML. A scene of a file that has not been changed is the text of the file, with its comments;
        otherwise the text has no comments. Large arrays appear by name."""
        if self._text is not None and equal(self._base, self._data):
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
        return equal(self._data, other._data)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.yaml

    def __repr__(self) -> str:
        name = "" if self._text is None else " '%s'" % self._name
        return "<carom.Scene%s: %s>" % (name, ", ".join("%s %s" % (key, self._data[key]) for key in ("engine", "dimension", "title")
                                                  if isinstance(self._data.get(key), (str, int))) or "empty")

    def _repr_html_(self) -> str:
        lines = _yaml.block(short(self._data)).splitlines() if self._text is None else self.yaml.splitlines()
        more = "" if len(lines) <= 60 else "\n... %d more lines" % (len(lines) - 60)
        return "<pre>%s%s</pre>" % (html.escape("\n".join(lines[:60])), more)


# ---- Changes of a file ----

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
    return type(a) is type(b) and equal(a, b)


def _differences(base: Any, tree: Any, path: str) -> Iterator[tuple[Any, str]]:
    if isinstance(base, dict) and isinstance(tree, dict) and all(_is_step(key) for key in [*base, *tree]):
        for key in base:
            if key not in tree:
                yield lib.carom_scene_unset, join(path, key)
        for key, value in tree.items():
            if key in base:
                yield from _differences(base[key], value, join(path, key))
            else:
                yield lib.carom_scene_set, "%s=%s" % (join(path, key), _yaml.flow(value))
    elif isinstance(base, list) and isinstance(tree, list) and len(base) == len(tree):
        for n, value in enumerate(tree):
            yield from _differences(base[n], value, join(path, n))
    elif not _same(base, tree):
        yield lib.carom_scene_set, "%s=%s" % (path, _yaml.flow(tree))


def _is_step(key: str) -> bool:
    """Whether a path can contain the key."""
    return key != "" and "." not in key and "=" not in key

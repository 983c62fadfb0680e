"""Scenes."""
from __future__ import annotations

import copy
import ctypes
import json
from typing import Any

from carom import _declarations as declarations
from carom._library import Handle, check, decoded, encoded, lib, owned
from carom.errors import SceneError


class Scene:
    """A scene: what a simulation starts from."""

    def __init__(self, tree: dict[str, Any] | None = None, **keys: Any) -> None:
        self._path: str | None = None
        self._tree = {"carom": 1, **copy.deepcopy(tree or {}), **keys}
        self._sets: list[str] = []

    @classmethod
    def load(cls, path: Any, set: dict[str, Any] | None = None) -> "Scene":
        scene = cls()
        scene._path = str(path)
        scene._sets = ["%s=%s" % (key, json.dumps(value)) for key, value in (set or {}).items()]
        scene._open()
        return scene

    @classmethod
    def starter(cls, name: str) -> "Scene":
        text = ctypes.c_void_p()
        status = lib.carom_starter(name.encode(), ctypes.byref(text))
        content = owned(text.value)
        check(status, content)
        scene = cls()
        scene._text = content
        return scene

    def _open(self) -> Handle:
        """A new scene of the library, loaded and checked."""
        handle = Handle(lib.carom_scene_new(), lib.carom_scene_free)
        for text in self._sets:
            check(lib.carom_scene_set(handle.address, text.encode()))
        if self._path is not None:
            status = lib.carom_scene_load(handle.address, encoded(self._path))
        else:
            text = getattr(self, "_text", None) or json.dumps({"run": {"until": {"time": 1e300}}, **self._tree})
            status = lib.carom_scene_load_text(handle.address, b"scene", text.encode(), len(text.encode()))
        message = decoded(lib.carom_scene_message(handle.address))
        if status == declarations.CAROM_BAD_DATA:
            raise SceneError(message)
        check(status, message)
        return handle

    @property
    def resolved(self) -> str:
        """The scene as YAML with all defaults."""
        return decoded(lib.carom_scene_resolved(self._open().address))

"""Scenes as files: what `Scene.save` writes."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable

import numpy as np

from carom import _yaml
from carom.errors import CreateError
from carom.scene_arrays import Mesh, Points

if TYPE_CHECKING:
    from carom.scene import Scene


def save(scene: "Scene", path: str, force: bool) -> None:
    """Writes a scene and the files of its arrays."""
    folder, base = os.path.split(path)
    stem = os.path.splitext(base)[0]
    low = scene._lowered()
    text = scene.yaml
    moved = _move_files(low.tree, scene._files() or "", folder)
    files = {}
    for n, entry in enumerate(_entries(low.tree, "particles")):
        name = "particles_%d" % n
        if name in low.points:
            file = "%s.%s.xyz" % (stem, name)
            files[file] = _xyz(low.points[name])
            _name_file(entry, file, low.points[name])
    for n, entry in enumerate(_entries(low.tree, "meshes")):
        name = "meshes_%d" % n
        if name in low.meshes:
            file = "%s.%s.obj" % (stem, name)
            files[file] = _obj(low.meshes[name])
            del entry["array"]
            entry["file"] = file
    files[base] = _yaml.block(low.tree) if files or moved else text
    for file in files:
        if not force and os.path.exists(os.path.join(folder, file)):
            raise CreateError("'%s' exists; force=True replaces it" % os.path.join(folder, file))
    for file, content in files.items():
        try:
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                out.write(content)
        except OSError as error:
            raise CreateError("'%s' cannot be written: %s" % (os.path.join(folder, file), error.strerror)) from None


def _entries(tree: dict[str, Any], key: str) -> list[dict[str, Any]]:
    listed = tree.get(key)
    return [entry if isinstance(entry, dict) else {} for entry in listed] if isinstance(listed, list) else []


def _name_file(entry: dict[str, Any], file: str, points: Points) -> None:
    """Directions stay in the scene: the quaternions of a file would round them."""
    entry["place"] = {"file": file}
    for form in ("velocity", "angular_velocity"):
        if entry.get(form) == "array":
            entry[form] = "file"
    if points.orientations is not None:
        entry["orientation"] = {"each": points.orientations.tolist()}


def _move_files(tree: dict[str, Any], before: str, after: str) -> bool:
    """Names the files of a scene from another folder. Whether one has changed."""
    moved = False
    places = [entry.get("place") for entry in _entries(tree, "particles")]
    for holder in [place for place in places if isinstance(place, dict)] + _entries(tree, "meshes"):
        file = holder.get("file")
        if isinstance(file, str) and not os.path.isabs(file):
            holder["file"] = os.path.relpath(os.path.join(before, file), after or ".")
            moved = moved or holder["file"] != file
    return moved


def _lines(columns: "list[np.ndarray]", words: "list[str] | None" = None) -> Iterable[str]:
    """Rows of numbers with all their digits."""
    for n, row in enumerate(np.column_stack(columns).tolist()):
        numbers = " ".join(map(repr, row))
        yield numbers if words is None else "%s %s" % (words[n], numbers)


def _xyz(points: Points) -> str:
    count, dimension = points.positions.shape
    names = ["pos:R:%d" % dimension]
    columns = [points.positions]
    if points.velocities is not None:
        names.append("velo:R:%d" % dimension)
        columns.append(points.velocities)
    for name, array in (("radius", points.radii), ("mass", points.masses)):
        if array is not None:
            names.append("%s:R:1" % name)
            columns.append(array)
    if points.angular_velocities is not None:
        flat = points.angular_velocities.ndim == 1
        names.append("angular_velocity:R:3")
        columns.append(np.column_stack([np.zeros((count, 2)), points.angular_velocities]) if flat else points.angular_velocities)
    words = None
    if points.species is not None and points.names is not None:
        names.insert(0, "species:S:1")
        words = [points.names[k] for k in points.species]
    return "%d\nProperties=%s\n%s\n" % (count, ":".join(names), "\n".join(_lines(columns, words)))


def _obj(mesh: Mesh) -> str:
    vertices = "\n".join("v " + line for line in _lines([mesh.vertices]))
    faces = "\n".join("f %d %d %d" % tuple(face) for face in (mesh.faces.astype(np.int64) + 1).tolist())
    return "%s\n%s\n" % (vertices, faces)

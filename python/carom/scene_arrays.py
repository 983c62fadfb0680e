"""Numpy arrays in scenes: their checks, and what the library receives in their place."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from carom import _declarations as declarations
from carom._library import check, encoded, field_type, lib

#: Entries of at most so many particles are written into the text of the scene, if the scene language can express them.
INLINE = 64


class ArrayError(Exception):
    """An array that does not fit its key."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key, self.message = key, message


@dataclass
class Points:
    """Particles in arrays of the types that the library takes."""

    positions: np.ndarray
    velocities: "np.ndarray | None" = None
    radii: "np.ndarray | None" = None
    masses: "np.ndarray | None" = None
    angular_velocities: "np.ndarray | None" = None
    orientations: "np.ndarray | None" = None
    species: "np.ndarray | None" = None
    names: "list[str] | None" = None

    def give(self, scene: ctypes.c_void_p, name: str) -> None:
        """Passes a copy to a scene of the library."""
        count, dimension = self.positions.shape
        arrays = declarations.carom_point_arrays(count=count, dimension=dimension)
        for key in ("positions", "velocities", "radii", "masses", "angular_velocities", "orientations", "species"):
            _point_to(arrays, key, getattr(self, key))
        if self.names is not None:
            texts = (ctypes.c_char_p * len(self.names))(*[encoded(text) for text in self.names])
            arrays.species_names = ctypes.cast(texts, ctypes.POINTER(ctypes.c_char_p))
            arrays.species_count = len(self.names)
        check(lib.carom_scene_set_points(scene, encoded(name), ctypes.byref(arrays)), lib.carom_scene_message(scene))


@dataclass
class Mesh:
    """A mesh in arrays of the types that the library takes."""

    vertices: np.ndarray
    faces: np.ndarray

    def give(self, scene: ctypes.c_void_p, name: str) -> None:
        """Passes a copy to a scene of the library."""
        arrays = declarations.carom_mesh_arrays(vertex_count=len(self.vertices), triangle_count=len(self.faces))
        _point_to(arrays, "vertices", self.vertices)
        _point_to(arrays, "triangles", self.faces)
        check(lib.carom_scene_set_mesh(scene, encoded(name), ctypes.byref(arrays)), lib.carom_scene_message(scene))


def _point_to(struct: ctypes.Structure, key: str, array: "np.ndarray | None") -> None:
    if array is not None:
        setattr(struct, key, ctypes.cast(array.ctypes.data, field_type(struct, key)))


@dataclass
class Lowered:
    """A tree without arrays, and the arrays that it names."""

    tree: dict[str, Any]
    points: dict[str, Points] = field(default_factory=dict)
    meshes: dict[str, Mesh] = field(default_factory=dict)
    errors: list[ArrayError] = field(default_factory=list)

    def give(self, scene: ctypes.c_void_p) -> None:
        """Passes all arrays to a scene of the library."""
        for name, points in self.points.items():
            points.give(scene, name)
        for name, mesh in self.meshes.items():
            mesh.give(scene, name)

    def keep(self, action: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a conversion; an error of it is noted, so that all errors are reported together."""
        try:
            return action(*arguments)
        except ArrayError as error:
            self.errors.append(error)
            return None


def lowered(tree: dict[str, Any], inline: int = INLINE) -> Lowered:
    """Separates a tree from its large arrays.

    Parameters
    ----------
    tree : dict
        A scene with numpy arrays.
    inline : int
        Entries of at most so many particles become lists of the tree.
    """
    out = Lowered({})
    dimension = tree.get("dimension", 3)
    for key, value in tree.items():
        if key == "particles" and isinstance(value, list):
            out.tree[key] = [_entry(out, item, n, dimension, inline) for n, item in enumerate(value)]
        elif key == "meshes" and isinstance(value, list):
            out.tree[key] = [_mesh(out, item, n) for n, item in enumerate(value)]
        else:
            out.tree[key] = listed(out, value, key)
    return out


def listed(out: Lowered, value: Any, key: str) -> Any:
    """The same with lists in place of arrays."""
    if isinstance(value, np.ndarray):
        return out.keep(_list_of, value, key)
    if isinstance(value, dict):
        return {name: listed(out, below, "%s.%s" % (key, name)) for name, below in value.items()}
    if isinstance(value, list):
        return [listed(out, below, "%s.%d" % (key, n)) for n, below in enumerate(value)]
    return value


def _list_of(array: np.ndarray, key: str) -> Any:
    if array.dtype.kind not in "biufU":
        raise ArrayError(key, "an array of %s; expected numbers or text" % array.dtype)
    return array.tolist()


def numbers_of(value: Any, key: str) -> np.ndarray:
    """A contiguous array of float64."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise ArrayError(key, "the items have different lengths; expected an array of numbers") from None
    if array.dtype.kind not in "iuf":
        raise ArrayError(key, "an array of %s; expected real numbers" % array.dtype)
    return np.asarray(array, dtype=np.float64, order="C")


def _expect(array: np.ndarray, shapes: "list[tuple[int, ...]]", key: str, why: str) -> np.ndarray:
    if array.shape not in shapes:
        raise ArrayError(key, "shape %s; expected %s: %s" % (_shape(array.shape), " or ".join(map(_shape, shapes)), why))
    return array


def _shape(shape: "tuple[int, ...]") -> str:
    return "(%s%s)" % (", ".join(map(str, shape)), "," if len(shape) == 1 else "")


# ---- Particles ----

def _given(value: Any, form: str) -> Any:
    """The array in `value` or in {form: value}; None: no array."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(value.get(form), np.ndarray):
        return value[form]
    return value if isinstance(value, np.ndarray) else None


def _entry(out: Lowered, entry: Any, n: int, dimension: Any, inline: int) -> Any:
    key = "particles.%d" % n
    if not isinstance(entry, dict):
        return listed(out, entry, key)
    place = _given(entry.get("place"), "at")
    points = None if place is None else out.keep(_positions, place, key + ".place", dimension)
    if place is not None and points is None:
        return {}  # with a fault, beside which others of the entry mean nothing
    if points is None:
        rest = {name: value for name, value in entry.items()
                if name not in ("radius", "mass") or not isinstance(value, (np.ndarray, list))}
        for name in entry:
            if name not in rest:
                out.errors.append(ArrayError("%s.%s" % (key, name), "an array needs `place` to be an array of positions"))
        return {name: listed(out, _each(name, value), "%s.%s" % (key, name)) for name, value in rest.items()}
    return _with_points(out, entry, points, n, inline if dimension == points.positions.shape[1] else -1)


def _each(name: str, value: Any) -> Any:
    """`velocity: ARRAY` beside a `place` that is no array."""
    if name in ("velocity", "angular_velocity", "orientation") and isinstance(value, np.ndarray):
        return {"each": value}
    return value


def _positions(value: Any, key: str, dimension: Any) -> Points:
    array = numbers_of(value, key)
    if array.ndim != 2 or array.shape[1] not in (2, 3) or (dimension in (2, 3) and array.shape[1] < dimension):
        wanted = "(N, %d)" % dimension if dimension in (2, 3) else "(N, 2) or (N, 3)"
        raise ArrayError(key, "shape %s; expected %s: the positions of N particles" % (_shape(array.shape), wanted))
    return Points(array)


def _with_points(out: Lowered, entry: dict[str, Any], points: Points, n: int, inline: int) -> dict[str, Any]:
    """An entry whose positions are an array. Small ones stay in the text, if it can hold all that is given."""
    key, name = "particles.%d" % n, "particles_%d" % n
    rest = dict(entry)
    one = {form: out.keep(_vector, rest, form, key, points) for form in ("velocity", "orientation")}
    turning = out.keep(_spins, rest, key, points)
    points.radii = out.keep(_sizes, rest, "radius", key, points)
    points.masses = out.keep(_sizes, rest, "mass", key, points)
    out.keep(_species, rest, key, points)
    points.velocities, points.orientations, points.angular_velocities = one["velocity"], one["orientation"], turning
    arrays = (points.radii, points.masses, points.species)
    if len(points.positions) <= inline and all(array is None for array in arrays):
        rest["place"] = {"at": points.positions.tolist()}
        for form, array in (("velocity", points.velocities), ("orientation", points.orientations), ("angular_velocity", turning)):
            if array is not None:
                rest[form] = {"each": array.tolist()}
    else:
        rest["place"] = {"array": name}
        for form, array in (("velocity", points.velocities), ("orientation", points.orientations), ("angular_velocity", turning)):
            if array is not None:
                rest[form] = "array"
        out.points[name] = points
    return {form: listed(out, value, "%s.%s" % (key, form)) for form, value in rest.items()}


def _vector(rest: dict[str, Any], form: str, key: str, points: Points) -> "np.ndarray | None":
    """The vectors of all particles. One vector for all stays in the entry."""
    given = _given(rest.get(form), "each")
    if given is None:
        return None
    array = numbers_of(given, "%s.%s" % (key, form))
    array = _in_plane(array, points)
    dimension = points.positions.shape[1]
    if array.shape == (dimension,):
        rest[form] = {"along" if form == "orientation" else "each": array.tolist()}
        return None
    return _expect(array, [points.positions.shape], "%s.%s" % (key, form), "one vector for each position")


def _in_plane(array: np.ndarray, points: Points) -> np.ndarray:
    """Vectors of a scene in two dimensions without their third components, which frames give and which are 0."""
    flat = points.positions.shape[1] == 2 and array.shape == (len(points.positions), 3) and not array[:, 2].any()
    return np.ascontiguousarray(array[:, :2]) if flat else array


def _spins(rest: dict[str, Any], key: str, points: Points) -> "np.ndarray | None":
    given = _given(rest.get("angular_velocity"), "each")
    if given is None:
        return None
    key = key + ".angular_velocity"
    array = numbers_of(given, key)
    count, dimension = points.positions.shape
    if dimension == 3 and array.shape == (3,):
        rest["angular_velocity"] = {"each": array.tolist()}
        return None
    if dimension == 2 and array.shape == (count, 3) and not array[:, :2].any():
        array = np.ascontiguousarray(array[:, 2])
    return _expect(array, [(count, 3) if dimension == 3 else (count,)], key, "one for each position")


def _sizes(rest: dict[str, Any], form: str, key: str, points: Points) -> "np.ndarray | None":
    if form not in rest:
        return None
    array = numbers_of(rest.pop(form), "%s.%s" % (key, form))
    count = len(points.positions)
    if array.ndim == 0:
        return np.full(count, array)
    return _expect(array, [(count,)], "%s.%s" % (key, form), "one number for each position")


def _species(rest: dict[str, Any], key: str, points: Points) -> None:
    """Names of the species of all particles; the entry then names each species that occurs, with its number."""
    if not isinstance(rest.get("species"), (np.ndarray, list)):
        return
    key = key + ".species"
    array = np.asarray(rest["species"])
    if array.dtype.kind != "U":
        raise ArrayError(key, "an array of %s; expected names of species, as np.array(names)[numbers]" % array.dtype)
    _expect(array, [(len(points.positions),)], key, "one species for each position")
    values, index, counts = np.unique(array, return_inverse=True, return_counts=True)
    points.names = [str(value) for value in values]
    points.species = np.ascontiguousarray(index.reshape(-1), dtype=np.uint32)
    rest["species"] = {str(value): int(count) for value, count in zip(values, counts)}


# ---- Meshes ----

def _mesh(out: Lowered, entry: Any, n: int) -> Any:
    key = "meshes.%d" % n
    if not isinstance(entry, dict) or not ("vertices" in entry or "faces" in entry):
        return listed(out, entry, key)
    rest = {name: value for name, value in entry.items() if name not in ("vertices", "faces")}
    mesh = out.keep(_mesh_of, entry, key)
    name = "meshes_%d" % n
    if mesh is not None:
        out.meshes[name] = mesh
    return {**listed(out, rest, key), "array": name}


def _mesh_of(entry: dict[str, Any], key: str) -> Mesh:
    for name, other in (("vertices", "faces"), ("faces", "vertices")):
        if name not in entry:
            raise ArrayError(key, "`%s` without `%s`: a mesh needs both" % (other, name))
    vertices = numbers_of(entry["vertices"], key + ".vertices")
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        raise ArrayError(key + ".vertices", "shape %s; expected (N, 3): the positions of N vertices" % _shape(vertices.shape))
    faces = np.asarray(entry["faces"])
    if faces.ndim != 2 or faces.shape[1] != 3:
        raise ArrayError(key + ".faces", "shape %s; expected (M, 3): three vertices of each triangle" % _shape(faces.shape))
    if faces.dtype.kind not in "iu":
        raise ArrayError(key + ".faces", "an array of %s; expected whole numbers" % faces.dtype)
    if faces.size and (faces.min() < 0 or faces.max() >= len(vertices)):
        wrong = int(np.flatnonzero((faces < 0).any(axis=1) | (faces >= len(vertices)).any(axis=1))[0])
        raise ArrayError(key + ".faces", "triangle %d has the vertices %s; there are %d, numbered from 0"
                         % (wrong, faces[wrong].tolist(), len(vertices)))
    return Mesh(vertices, np.ascontiguousarray(faces, dtype=np.uint32))

"""Results as objects of other packages, which are imported when they are used."""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.errors import DataError, UsageError
from carom.frame import Frame

if TYPE_CHECKING:
    from carom.results import Result


def needed(module: str) -> Any:
    """Imports an optional package.

    Raises
    ------
    ImportError
        It is not installed; the message says so.
    """
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        if missing.name is not None and missing.name.partition(".")[0] == module.partition(".")[0]:
            raise ImportError("this needs the package %s, which is not installed: pip install %s"
                              % (module, module.partition(".")[0].lower()), name=module) from None
        raise


def _three(vectors: np.ndarray) -> np.ndarray:
    """Vectors with a third component, 0 in two dimensions."""
    out = np.zeros((len(vectors), 3))
    out[:, :vectors.shape[1]] = vectors
    return out


def _names(frame: Frame) -> np.ndarray:
    """Name of the species of each particle."""
    return np.array(frame.species_names or ("X",))[frame.species]


def to_ase(result: "Result", frames: Any) -> Any:
    ase = needed("ase")
    chosen = result.frames[frames]
    return _atoms(ase, chosen) if isinstance(chosen, Frame) else [_atoms(ase, frame) for frame in chosen]


def _atoms(ase: Any, frame: Frame) -> Any:
    box = np.zeros((3, 3))
    box[:frame.dimension, :frame.dimension] = frame["edges"]
    periodic = [side == "periodic" for side in frame.boundary] + [False] * (3 - frame.dimension)
    atoms = ase.Atoms("X%d" % len(frame), positions=_three(frame.positions), cell=box, pbc=periodic,
                      masses=frame.masses, velocities=_three(frame.velocities), info={"time": frame.time})
    atoms.new_array("type", _names(frame))
    for name, array in (("species", frame.species), ("radius", frame.radii), ("id", frame.ids)):
        atoms.new_array(name, np.array(array))
    return atoms


def to_mdanalysis(result: "Result") -> Any:
    mda = needed("MDAnalysis")
    memory = needed("MDAnalysis.coordinates.memory")
    if len(result.frames) == 0:
        raise DataError("'%s' has no frames" % result.path)
    first = result.frames[0]
    count = len(first)
    universe = mda.Universe.empty(count, trajectory=True, velocities=True)
    for attribute, values in (("names", _names(first)), ("types", _names(first)), ("masses", first.masses),
                              ("radii", first.radii), ("ids", first.ids)):
        universe.add_TopologyAttr(attribute, np.array(values))
    shape = (len(result.frames), count, 3)
    positions, velocities = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    boxes = np.zeros((len(result.frames), 6), np.float32)
    for n in range(len(result.frames)):
        frame = result._read_frame(n)
        positions[n, :, :frame.dimension] = frame.positions
        velocities[n, :, :frame.dimension] = frame.velocities
        edges = np.eye(3)
        edges[:frame.dimension, :frame.dimension] = frame["edges"]
        boxes[n] = mda.lib.mdamath.triclinic_box(*edges)
    times = result.times

    class Reader(memory.MemoryReader):  # type: ignore[name-defined]
        """Frames in memory at the times of the result, which need not have equal distances."""

        def _read_next_timestep(self, ts: Any = None) -> Any:
            step = super()._read_next_timestep(ts)
            step.data["time"] = float(times[step.frame])
            return step

    universe.load_new(positions, format=Reader, dimensions=boxes, velocities=velocities)
    return universe


def to_pandas(result: "Result", number: int) -> Any:
    pandas = needed("pandas")
    frame = result.frames[number]
    columns: dict[str, Any] = {"species": _names(frame)}
    for letter, part in zip("xyz", frame.positions.T):
        columns[letter] = part
    for letter, part in zip("xyz", frame.velocities.T):
        columns["v" + letter] = part
    for letter, part in zip("xyz", frame.images.T):
        columns["image_" + letter] = part
    columns.update(radius=frame.radii, mass=frame.masses)
    for name in ("cluster", "layers"):
        if name in frame:
            columns[name] = getattr(frame, name)
    for name, letter in (("angular_velocities", "w"), ("orientations", "u")):
        if Frame._ARRAYS[name] in frame:
            columns.update((letter + axis, part) for axis, part in zip("xyz", getattr(frame, name).T))
    table = pandas.DataFrame(columns, index=pandas.Index(frame.ids, name="id"))[frame.present]
    table.attrs["time"] = frame.time
    return table


def to_trimesh(result: "Result", name: "str | None", number: int) -> Any:
    trimesh = needed("trimesh")
    meshes = result.meshes
    if not meshes:
        raise DataError("'%s' has no meshes" % result.path)
    if name is None:
        if len(meshes) > 1:
            raise UsageError("'%s' has several meshes, %s: name one" % (result.path, ", ".join(meshes)))
        name = next(iter(meshes))
    if name not in meshes:
        raise UsageError("'%s' has no mesh '%s'; it has %s" % (result.path, name, ", ".join(meshes)))
    mesh = meshes[name]
    return trimesh.Trimesh(vertices=mesh.vertices(number), faces=mesh.faces.astype(np.int64), process=False)

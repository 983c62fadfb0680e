"""The state of a simulation: saving, copies, differences, and changes between runs."""
from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Sequence

import numpy as np

from carom import _declarations as declarations
from carom._library import Handle, check, decoded, encoded, lib
from carom.errors import SceneError, UsageError
from carom.scene import Scene
from carom.scene_arrays import ArrayError, numbers_of
from carom.scene_check import check_scene

if TYPE_CHECKING:
    from carom.simulation import Simulation

# ---- saving ----------------------------------------------------------------------------------------------------------


def save(sim: "Simulation", path: Any) -> None:
    """Writes the exact state to a file."""
    with sim._exclusive("being saved"):
        status = lib.carom_sim_save(sim._address, encoded(path))
        sim._check(status)


def saved_bytes(sim: "Simulation") -> bytes:
    """The contents of the file of `save`."""
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        path = pathlib.Path(folder, "state.carom")
        save(sim, path)
        return path.read_bytes()


@contextlib.contextmanager
def file_of(state: bytes) -> Iterator[str]:
    """A file with saved bytes."""
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        path = pathlib.Path(folder, "state.carom")
        path.write_bytes(state)
        yield str(path)


def saved_scene(path: Any, scene: Scene | None = None) -> Handle:
    """The scene of a saved simulation; `scene` has its arrays."""
    handle = Handle(lib.carom_scene_new(), lib.carom_scene_free)
    check(lib.carom_scene_allow_endless(handle.address))
    if scene is not None:
        scene._lowered().give(handle.address)
    try:
        check_scene(lib.carom_scene_load_saved(handle.address, encoded(path)), handle)
    except SceneError as error:
        if scene is None and any(fault.message.startswith("unknown array") for fault in error.faults):
            raise UsageError("the scene of '%s' has arrays, which the file does not contain: give the scene, as in "
                             "Simulation.load(path, scene)" % os.fspath(path)) from None
        raise
    return handle


def scene_of_text(text: str) -> Scene:
    """A scene from its resolved text."""
    return Scene._of_text("saved", text.encode(), None)


# ---- differences -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """What differs between two simulations. It is false if they are equal.

    Attributes
    ----------
    channels : dict of (float, tuple)
        For each channel of frames that differs, the largest difference and its index; nan, and (), if the channel is in
        one of them only or has another shape.
    keys : tuple of str
        Parts that differ besides: "scene", "time", "events", "state_hash".
    """

    channels: dict[str, tuple[float, tuple[int, ...]]]
    keys: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.channels) or bool(self.keys)

    def __str__(self) -> str:
        if not self:
            return "equal"
        lines = ["%s differs" % key for key in self.keys]
        lines += ["%s differs by %.6g at %s" % (name, by, list(at)) if at or by == by
                  else "%s: in one of them only, or of another shape" % name for name, (by, at) in self.channels.items()]
        return "\n".join(lines)


def diff(one: "Simulation", other: "Simulation") -> Difference:
    """Compares the states of two simulations bit by bit."""
    a, b = one.frame, other.frame
    channels: dict[str, tuple[float, tuple[int, ...]]] = {}
    for name in dict.fromkeys([*a.channels, *b.channels]):
        if name not in a.channels or name not in b.channels:
            channels[name] = (float("nan"), ())
            continue
        found = _difference(np.asarray(a[name]), np.asarray(b[name]))
        if found is not None:
            channels[name] = found
    keys = [key for key, differs in (("scene", _scene(one) != _scene(other)), ("time", one.time != other.time),
                                     ("events", one.events != other.events),
                                     ("state_hash", a.state_hash != b.state_hash)) if differs]
    return Difference(channels, tuple(keys))


def _scene(sim: "Simulation") -> str:
    return decoded(lib.carom_sim_scene(sim._address))


def _difference(x: np.ndarray, y: np.ndarray) -> tuple[float, tuple[int, ...]] | None:
    if x.shape != y.shape:
        return float("nan"), ()
    both = (x == y) | ((x != x) & (y != y))
    if both.all():
        return None
    with np.errstate(all="ignore"):
        by = np.abs(np.where(both, 0, x.astype(float) - y.astype(float)))
    at = np.unravel_index(int(np.argmax(np.where(np.isnan(by), np.inf, by))), x.shape)
    return float(by[at]), tuple(int(k) for k in at)


# ---- changes ---------------------------------------------------------------------------------------------------------


def _ids(ids: Any) -> np.ndarray:
    given = np.asarray(ids)
    if given.dtype == bool or not (np.issubdtype(given.dtype, np.integer) or given.size == 0):
        raise UsageError("ids are whole numbers: the attribute `ids` of frames")
    if given.size and (given.min() < 0 or given.max() > 0xffffffff):
        raise UsageError("there is no particle with id %d" % (given.min() if given.min() < 0 else given.max()))
    return np.ascontiguousarray(given, dtype=np.uint32).ravel()


def _numbers(values: Any, what: str) -> np.ndarray:
    try:
        return numbers_of(values, what)
    except ArrayError as error:
        raise UsageError("%s: %s" % (what, error.message)) from None


def _vectors(values: Any, count: int | None, width: int, what: str) -> np.ndarray:
    """An array (count, width) of float64, from an array of that shape or one vector for all."""
    given = _numbers(values, what)
    if given.ndim == 1 and given.shape[0] == width and count is not None:
        given = np.broadcast_to(given, (count, width))
    if given.ndim != 2 or given.shape[1] != width or (count is not None and given.shape[0] != count):
        raise UsageError("%s have the shape %s; expected (%s, %d)" % (what, given.shape, "n" if count is None else count,
                                                                      width))
    return np.ascontiguousarray(given)


def _radii(radii: Any, count: int) -> np.ndarray:
    given = _numbers(radii, "radii")
    if given.shape not in ((), (count,)):
        raise UsageError("radii have the shape %s; expected a number or (%d,)" % (given.shape, count))
    return np.ascontiguousarray(np.broadcast_to(given, (count,)))


def _pointer(array: np.ndarray | None, kind: Any) -> Any:
    return None if array is None else array.ctypes.data_as(ctypes.POINTER(kind))


def set_velocities(sim: "Simulation", velocities: Any, ids: Any = None) -> None:
    """Sets velocities of particles."""
    named = None if ids is None else _ids(ids)
    given = _numbers(velocities, "velocities")
    count = len(sim.frame) if given.ndim == 1 else None
    values = _vectors(given, count if named is None else len(named), sim.dimension, "velocities")
    with sim._running("being changed"):
        status = lib.carom_sim_set_velocities(sim._address, len(values), _pointer(named, ctypes.c_uint32),
                                              _pointer(values, ctypes.c_double))
    sim._end_of_call(status)


def add_particles(sim: "Simulation", positions: Any, velocities: Any, species: str | None, radii: Any,
                  angular_velocities: Any) -> np.ndarray:
    """Adds particles and returns their ids."""
    where = _vectors(positions, None, sim.dimension, "positions")
    count = len(where)
    moving = None if velocities is None else _vectors(velocities, count, sim.dimension, "velocities")
    sizes = None if radii is None else _radii(radii, count)
    spins = None if angular_velocities is None else _vectors(angular_velocities, count, 3, "angular velocities")
    given = declarations.carom_particles(
        count=count, species=None if species is None else encoded(species), positions=_pointer(where, ctypes.c_double),
        velocities=_pointer(moving, ctypes.c_double), radii=_pointer(sizes, ctypes.c_double),
        spins=_pointer(spins, ctypes.c_double))
    ids = np.zeros(count, dtype=np.uint32)
    with sim._running("being changed"):
        status = lib.carom_sim_add_particles(sim._address, ctypes.byref(given), _pointer(ids, ctypes.c_uint32))
    sim._end_of_call(status)
    return ids


def remove_particles(sim: "Simulation", ids: Sequence[int] | np.ndarray) -> None:
    """Removes particles."""
    named = _ids(ids)
    with sim._running("being changed"):
        status = lib.carom_sim_remove_particles(sim._address, len(named), _pointer(named, ctypes.c_uint32))
    sim._end_of_call(status)


def change(sim: "Simulation", key: str, override: str) -> None:
    """Changes a setting of the scene."""
    with sim._running("being changed"):
        status = lib.carom_sim_change(sim._address, encoded("%s=%s" % (key, override)))
        message = decoded(lib.carom_sim_message(sim._address))
    if status == declarations.CAROM_BAD_DATA:
        sim._raise_pending()
        raise sim._scene_error(message)
    sim._end_of_call(status)

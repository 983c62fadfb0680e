"""Frames: the state of a simulation at one time, as numpy arrays without a copy."""
from __future__ import annotations

import ctypes
import difflib
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator

import numpy as np

from carom import _declarations as declarations
from carom._arrays import TYPES, fixed
from carom._library import check, decoded, encoded, lib, names

#: Kinds of events that are counted, in the order of the channel `events`.
COUNTED = ("collision", "wall", "merge", "force", "certificate", "transfer", "rebase")


class _Memory:
    """Memory of a frame as numpy sees it. The array that is made of it keeps it, and with it the frame, alive."""

    __slots__ = ("__array_interface__", "_owner")

    def __init__(self, owner: object, address: int, shape: tuple[int, ...], kind: str) -> None:
        self._owner = owner
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": kind, "data": (address, True)}


class FrameHandle:
    """A frame of the library. `release` receives its address when the last array of it is gone."""

    __slots__ = ("address", "_release")

    def __init__(self, address: int, release: Callable[[int], None]) -> None:
        self.address = address
        self._release = release

    def __del__(self) -> None:
        if getattr(self, "address", 0):
            self._release(self.address)

    def __reduce__(self) -> Any:
        raise TypeError("a frame cannot be pickled: its arrays are memory of the library; pickle `frame.copy()`")


def take_frame(sim: ctypes.c_void_p) -> FrameHandle:
    """The present state of a simulation."""
    address = ctypes.c_void_p()
    status = lib.carom_sim_take(sim, ctypes.byref(address))
    check(status, lib.carom_sim_message(sim))
    assert address.value is not None
    return FrameHandle(address.value, lib.carom_frame_free)


@dataclass(frozen=True)
class Energy:
    """Energies of a state, in units of energy of the scene.

    Attributes
    ----------
    kinetic : float
        With rotation.
    potential : float
        Of gravity and of pairs.
    stored : float
        In springs, contacts and shells.
    total : float
        Sum of the three.
    dissipated, supplied : float
        Since the start of the run.
    conserved : float
        Total and dissipated energy less work and supplied energy: constant but for the drift.
    temperature : float
        2 K / (D N) of the translation.
    parts : dict
        Parts of the balance of engines that keep one: "springs", "contact", "friction", "work", ...; with rotation in
        `variational` also "sliding", "rolling" and "twisting", whose sum is "friction".
    drift : float
        Conserved energy less that of the start; nan for a frame of which the start is not known.
    """

    kinetic: float
    potential: float
    stored: float
    total: float
    dissipated: float
    supplied: float
    conserved: float
    temperature: float
    parts: dict[str, float] = field(default_factory=dict)
    drift: float = float("nan")


_PARTS = ("springs", "contact", "restitution", "friction", "damping", "work", "stretch", "bend", "plastic", "pair_energy",
          "sliding", "rolling", "twisting", "twist")


class Frame:
    """The state of a simulation at one time.

    Arrays are read-only views of the memory of the library. They stay valid, with the values of this time, for as long
    as they are used: later runs write to other memory.

    Attributes
    ----------
    positions : ndarray, (particles, dimension)
        Inside the box along periodic axes [length].
    velocities : ndarray, (particles, dimension)
        [length / time]
    radii, masses : ndarray, (particles,)
        [length], [mass]
    species, ids : ndarray of uint32, (particles,)
        Number of the species in `species_names`; number of the particle.
    images : ndarray of int64, (particles, dimension)
        Boxes crossed: `positions + images * box` is the unwrapped position.
    cluster : ndarray of uint32, (particles,)
        Smallest id in the cluster of each particle (`aggregation`).
    angular_velocities : ndarray, (particles, 3)
        [1 / time], if particles rotate; in two dimensions along z.
    orientations, semi_axes : ndarray, (particles, 3)
        Unit vectors along the axes of bodies, and their half extents, if some are not spheres.
    moments_of_inertia : ndarray, (particles,)
        [mass length^2], if particles rotate.
    shapes : ndarray of uint32, (particles,)
        Kind of body, if several kinds exist.
    layers : ndarray of uint32, (particles,)
        Penalty layers of the closest contact (`variational`).
    clumps : ndarray of int32, (particles,)
        Number of the clump of each particle, from 0 in the order of `particles` of the scene; -1: in none. If there are clumps.
    present : ndarray of bool, (particles,)
        Whether a particle is in the system: others have not entered yet (`place: {inflow: ...}`) or have left (`outflow`), and are
        at rest at the origin.
    vertices, vertex_velocities : ndarray, (vertices, dimension)
        Of the meshes.

    Examples
    --------
    >>> import carom
    >>> frame = carom.Simulation(carom.Scene.starter("gas")).frame
    >>> frame.positions.shape == (len(frame), frame.dimension)
    True
    >>> frame.positions.flags.writeable
    False
    """

    __slots__ = ("_handle", "_arrays", "_channels", "species_names")

    #: Attributes and the channels of their arrays.
    _ARRAYS = {"positions": "position", "velocities": "velocity", "radii": "radius", "masses": "mass",
               "species": "species", "ids": "id", "images": "image", "cluster": "cluster",
               "angular_velocities": "angular_velocity", "orientations": "orientation", "semi_axes": "semi_axes",
               "moments_of_inertia": "moment_of_inertia", "shapes": "shape", "layers": "layers",
               "clumps": "clump"}

    def __init__(self, handle: FrameHandle, species_names: tuple[str, ...] = ()) -> None:
        self._handle = handle
        self._arrays: dict[str, np.ndarray] = {}
        self._channels: tuple[str, ...] = ()
        self.species_names = species_names

    # ---- channels ----

    def __getitem__(self, channel: str) -> Any:
        """A channel by its name in result files: an array over all points (particles, then vertices of meshes), a number or
        a small array of numbers of the whole state. Arrays are read-only.

        Raises
        ------
        KeyError
            The frame has no such channel.
        """
        found = self._arrays.get(channel)
        if found is None:
            found = self._channel(channel)
            if isinstance(found, np.ndarray):
                self._arrays[channel] = found
        return found

    def _channel(self, name: str) -> Any:
        out = declarations.carom_channel()
        if lib.carom_frame_channel(self._handle.address, encoded(name), ctypes.byref(out)) != declarations.CAROM_OK:
            raise KeyError("the frame has no channel '%s'; it has %s" % (name, ", ".join(self.channels)))
        shape = tuple(out.shape[:out.rank])
        if out.data:
            return np.asarray(_Memory(self._handle, out.data, shape, TYPES[out.type].str))
        values = out.counts if out.type == declarations.CAROM_U64 else out.numbers
        if not shape:
            return values[0]
        return fixed(np.array(values[:int(np.prod(shape))], dtype=TYPES[out.type]).reshape(shape))

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of all channels of the frame."""
        if not self._channels:
            self._channels = tuple(names(lib.carom_frame_channel_name, self._handle.address))
        return self._channels

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __contains__(self, channel: object) -> bool:
        return channel in self.channels

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._ARRAYS:
            near = difflib.get_close_matches(name, [part for part in dir(self) if not part.startswith("_")], 1)
            raise AttributeError("a frame has no attribute '%s'%s" % (name, "; did you mean '%s'?" % near[0] if near else ""))
        key = "." + name
        found = self._arrays.get(key)
        if found is None:
            try:
                found = self[self._ARRAYS[name]][:len(self)]
            except KeyError:
                raise AttributeError("the frame has no %s: the engine does not compute them for this scene"
                                     % name.replace("_", " ")) from None
            self._arrays[key] = found
        return found

    def __dir__(self) -> list[str]:
        present = self.channels
        return [*super().__dir__(), *(name for name, channel in self._ARRAYS.items() if channel in present)]

    # ---- sizes and numbers ----

    def __len__(self) -> int:
        """Number of particles, without vertices of meshes."""
        return int(lib.carom_frame_particles(self._handle.address))

    def __bool__(self) -> bool:
        return True

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return int(lib.carom_frame_dimension(self._handle.address))

    @property
    def time(self) -> float:
        """Simulated time."""
        return float(lib.carom_frame_time(self._handle.address))

    @property
    def events(self) -> dict[str, int]:
        """Numbers of events since the start of the run, by kind; "total": the physical ones."""
        return {**dict(zip(COUNTED, self["events"].tolist())), "total": int(self["step"])}

    @property
    def collisions(self) -> int:
        """Number of collisions between particles since the start of the run."""
        return self.events["collision"]

    @property
    def box(self) -> np.ndarray:
        """Sides of the box, (dimension,) [length]."""
        return np.diagonal(self["edges"]).copy()

    @property
    def boundary(self) -> tuple[str, ...]:
        """"periodic", "wall" or "open" for each axis."""
        return tuple(decoded(lib.carom_frame_boundary(self._handle.address, axis)) for axis in range(self.dimension))

    @property
    def present(self) -> np.ndarray:
        """Whether each particle is in the system, (particles,) of bool."""
        if "present" not in self.channels:
            return np.ones(len(self), dtype=bool)
        return self["present"][:len(self)] == self.ids

    @property
    def vertices(self) -> np.ndarray:
        """Positions of the vertices of meshes, (vertices, dimension) [length]."""
        return self["position"][len(self):]

    @property
    def vertex_velocities(self) -> np.ndarray:
        """Velocities of the vertices of meshes, (vertices, dimension) [length / time]."""
        return self["velocity"][len(self):]

    @property
    def energy(self) -> Energy:
        """Energies of the state."""
        out = declarations.carom_energy()
        check(lib.carom_frame_energy(self._handle.address, ctypes.byref(out)))
        values = {name: getattr(out, name) for name, _ in out._fields_ if name != "momentum"}
        return Energy(**values, parts={name: self[name] for name in _PARTS if name in self.channels})

    @property
    def momentum(self) -> np.ndarray:
        """Total momentum, (dimension,)."""
        out = declarations.carom_energy()
        check(lib.carom_frame_energy(self._handle.address, ctypes.byref(out)))
        return np.array(out.momentum[:self.dimension])

    @property
    def state_hash(self) -> str:
        """Hash of the exact state, as the command prints it: equal states have equal hashes."""
        return "%016x" % lib.carom_frame_state_hash(self._handle.address)

    # ---- copies ----

    def copy(self) -> dict[str, Any]:
        """All channels as a dictionary of arrays and numbers of their own, which may be changed."""
        return {name: np.array(value) if isinstance(value, np.ndarray) else value
                for name, value in ((name, self[name]) for name in self.channels)}

    def __copy__(self) -> "Frame":
        return self

    def __deepcopy__(self, _: Any) -> "Frame":
        return self

    def __repr__(self) -> str:
        points = "%d particles" % len(self)
        vertices = int(lib.carom_frame_count(self._handle.address)) - len(self)
        if vertices:
            points += ", %d vertices" % vertices
        return "<carom.Frame: time %.6g, %s, %d dimensions>" % (self.time, points, self.dimension)

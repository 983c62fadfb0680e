"""Observation of a simulation: observables of the library, own functions of frames, and own forces."""
from __future__ import annotations

import ctypes
import math
import weakref
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from carom import _declarations as declarations
from carom._checks import MOST, number, whole
from carom._library import decoded, field_type, lib, method_pointer
from carom.errors import UsageError
from carom.frame import Frame
from carom.observables import Observable, Table, Value, tables_of, values_of
from carom.runs import check_interval, reached
from carom.scene_tree import text_of

if TYPE_CHECKING:
    from carom.simulation import Simulation

# ---- observables -----------------------------------------------------------------------------------------------------


class LiveObservable(Observable):
    """An observable of a simulation. Its attributes have the present results, which each access copies.

    Attributes
    ----------
    name, what : str
        Its key in results; the observable, as in the scene.

    Examples
    --------
    >>> import carom
    >>> sim = carom.Simulation(carom.Scene.starter("gas"))
    >>> pressure = sim.observe("pressure", every=0.05)
    >>> sim.run(time=1)
    >>> pressure.units, len(pressure.series["time"])
    ('energy / volume', 20)
    """

    def __init__(self, sim: "Simulation", number: int) -> None:
        self._sim = sim
        self._number = number
        with self._read() as given:
            self.name = decoded(given.name)
            self.what = decoded(given.what)

    def _read(self) -> Any:
        return self._sim._observable(self._number)

    @property
    def values(self) -> dict[str, Value]:  # type: ignore[override]
        """All values by name; the first is the main one."""
        with self._read() as given:
            return values_of(given, self._sim.dimension)

    @property
    def tables(self) -> dict[str, Table]:
        """All tables by name. Earlier rows of series of a simulation with a result file are in that file only."""
        with self._read() as given:
            return tables_of(given, self._sim.dimension)

    @property
    def series(self) -> Table:
        """The table with one row for each sample.

        Raises
        ------
        UsageError
            The simulation writes a result file, which contains the rows: `carom.open(path).observables[name].series`.
        AttributeError
            The observable has no series.
        """
        with self._read() as given:
            stored = [given.tables[k].first_row for k in range(given.table_count) if given.tables[k].series]
        if any(stored):
            raise UsageError("the rows of '%s' are in the result file: use carom.open(%r).observables[%r].series"
                             % (self.name, self._sim.output, self.name))
        return super().series


class LiveObservables(list[LiveObservable]):
    """The observables of a simulation: a list, of which items are also accessible by name."""

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        for observable in self:
            if observable.name == key:
                return observable
        raise KeyError("the simulation has no observable '%s'; it has %s"
                       % (key, ", ".join(observable.name for observable in self) or "none"))

    def __contains__(self, key: object) -> bool:
        """Whether there is an observable of that name."""
        return any(observable.name == key for observable in self) if isinstance(key, str) else super().__contains__(key)


def entry_of(what: str, every: float | None, every_collisions: int | None, name: str | None,
             settings: dict[str, Any]) -> str:
    """The item of the key `observe` of scenes, as YAML."""
    given = {"what": what, "name": name, "every": every, "every_collisions": every_collisions, **settings}
    return text_of({key: value for key, value in given.items() if value is not None}, "observe")


# ---- own observers ---------------------------------------------------------------------------------------------------


class Observer:
    """A function of frames, called during runs.

    Attributes
    ----------
    times : list of float
        Simulated times of the calls.
    values : list
        What the function returned.
    limit : str
        The limit of runs that has the rhythm: "time", "events" or "collisions".
    next : float
        Its value at the next call.
    """

    def __init__(self, sim: "Simulation", function: Callable[[Frame], Any], *, every: float | None = None,
                 every_events: int | None = None, every_collisions: int | None = None) -> None:
        given = {"every": every, "every_events": every_events, "every_collisions": every_collisions}
        chosen = [(name, value) for name, value in given.items() if value is not None]
        if len(chosen) != 1:
            raise UsageError("an own observer needs one of `every`, `every_events` and `every_collisions`")
        name, value = chosen[0]
        what = "`%s` of an own observer" % name
        self._sim = weakref.ref(sim)
        self._function = function
        self.limit = "time" if every is not None else "events" if every_events is not None else "collisions"
        self._every = number(value, what, above=0) if every is not None else whole(value, what, 1)
        self.next: float = self._after(reached(sim, self.limit), True)
        self.times: list[float] = []
        self.values: list[Any] = []

    def _after(self, now: float, including: bool) -> float:
        """The next multiple of the interval."""
        check_interval(self._every, self.limit, now)
        n = math.floor(now / self._every * (1 + 1e-15))
        at = n * self._every
        return at if at > now or (including and at == now) else (n + 1) * self._every

    def _simulation(self) -> "Simulation":
        sim = self._sim()
        assert sim is not None  # it calls its observers
        return sim

    def remove(self) -> None:
        """Ends the observation. Values remain."""
        sim = self._sim()
        if sim is not None and self in sim._observers:
            sim._observers.remove(self)

    def due(self) -> bool:
        """Whether a call is due at the present state."""
        return reached(self._simulation(), self.limit) >= self.next

    def call(self) -> None:
        """Calls the function now. An exception passes on; the next call is then the next that is due."""
        sim = self._simulation()
        self.next = self._after(max(reached(sim, self.limit), self.next), False)
        frame = sim.frame
        value = self._function(frame)
        self.times.append(frame.time)
        self.values.append(value)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return "<carom.Observer: %d values>" % len(self)


# ---- own potentials --------------------------------------------------------------------------------------------------

_FORCE = field_type(declarations.carom_potential, "force")


class Potential:
    """A user-defined potential of a simulation, which keeps it alive.

    Parameters
    ----------
    force : callable
        The function of the user, as of `Simulation.add_potential`.
    step : float
        Its time step [time].
    particles : array of int, optional
        Numbers of the particles; None: all points.
    points, dimension : int
        Number of points of the simulation, and its dimension.
    """

    def __init__(self, force: Any, step: float, particles: Any, points: int, dimension: int) -> None:
        self.force = force
        self.step = number(step, "the time step of a potential", above=0)
        self.particles = None if particles is None else _particles(particles)
        self._raised: BaseException | None = None
        address = _address_of(force)
        self._callback = _FORCE(address) if address is not None else method_pointer(_FORCE, self._call)
        count = points if self.particles is None else len(self.particles)
        self._shape = (count, dimension)
        self.given = declarations.carom_potential(step=self.step, count=0 if self.particles is None else count,
                                                  force=self._callback, user=None)
        if self.particles is not None:
            self.given.particles = self.particles.ctypes.data_as(field_type(self.given, "particles"))

    def _call(self, _user: Any, time: float, positions: Any, forces: Any) -> float:
        """Calls the function of the user. Exceptions cannot pass through the library: the run ends, and raises them."""
        try:
            where = np.ctypeslib.as_array(positions, self._shape).copy()  # it may be kept, and the memory is reused
            where.flags.writeable = False
            energy, given = self.force(where, time)
            if forces:
                out = np.ctypeslib.as_array(forces, self._shape)
                out[...] = given
            return float(energy)
        except BaseException as raised:
            self._raised = self._raised or raised
            return math.nan

    def take_raised(self) -> "BaseException | None":
        """The exception of the function, if there was one since the last call of this."""
        raised, self._raised = self._raised, None
        return raised

    def __getstate__(self) -> dict[str, Any]:
        if _address_of(self.force) is not None:
            raise UsageError("a simulation with a potential at an address of this process cannot be pickled; copy it by "
                             "copy.deepcopy, or save it and add the potential again after loading")
        return {"force": self.force, "step": self.step, "particles": self.particles}


def _particles(given: Any) -> np.ndarray:
    """Numbers of particles."""
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iu" or numbers.size == 0 or numbers.min() < 0:
        raise UsageError("the particles of a potential are numbers of at least one particle, counted from 0; without "
                         "`particles` it acts on all points")
    return np.ascontiguousarray(numbers, dtype=np.uintp).ravel()


def add_potential(sim: "Simulation", potential: Potential) -> None:
    """Implements `Simulation.add_potential`."""
    sim._kept.append(potential)  # also after a failure
    with sim._running("receiving a potential"):
        status = int(lib.carom_sim_add_potential(sim._address, ctypes.byref(potential.given)))
    raised = potential.take_raised()
    if raised is not None:
        raise raised
    if status == declarations.CAROM_OK:
        sim._potentials.append(potential)
    sim._end_of_call(status)


def _address_of(force: Any) -> int | None:
    """Address of a C function: of ctypes, cffi, numba, or a number; None: a Python function."""
    if isinstance(force, (int, np.integer)):
        if isinstance(force, bool) or not 0 < force <= 2 * MOST + 1:
            raise UsageError("a force is %r: it must be a function, or the address of a C function" % (force,))
        return int(force)
    if isinstance(force, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        return ctypes.cast(force, ctypes.c_void_p).value
    address = getattr(force, "address", None)  # numba.cfunc
    if isinstance(address, int):
        return address
    if type(force).__module__.startswith("_cffi_backend"):
        import cffi

        return int(cffi.FFI().cast("uintptr_t", force))
    if not callable(force):
        raise UsageError("a force is a Python function, or a C function of ctypes, cffi or numba, or its address")
    return None

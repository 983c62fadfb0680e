"""Observation of a simulation: observables of the library, own functions of frames, and own forces."""
from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, Callable, Sequence

import numpy as np

from carom import _declarations as declarations
from carom._checks import MOST, number, whole
from carom._library import decoded, field_type, lib
from carom.errors import UsageError
from carom.frame import Frame
from carom._arrays import number_of
from carom.observables import Observable, Table, Value
from carom.scene import flow_of

if TYPE_CHECKING:
    from carom.simulation import Simulation

# ---- observables -----------------------------------------------------------------------------------------------------


def _column(given: Any, rows: int, dimension: int) -> np.ndarray:
    """A copy: (rows,), (rows, dimension) or (rows, dimension, dimension)."""
    size = rows * given.width
    data = np.ctypeslib.as_array(given.data, (size,)).copy() if size else np.empty(0)
    if given.width == 1:
        return data
    return data.reshape((rows, dimension, dimension) if given.width == dimension * dimension else (rows, given.width))


def _table(given: Any, dimension: int) -> Table:
    columns = [given.columns[k] for k in range(given.column_count)]
    return Table(decoded(given.name), bool(given.series),
                 {decoded(c.name): _column(c, given.rows, dimension) for c in columns},
                 {decoded(c.name): decoded(c.unit) for c in columns})


class LiveObservable(Observable):
    """An observable of a simulation. Its attributes have the present results.

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
        dimension = self._sim.dimension
        with self._read() as given:
            values = [given.values[k] for k in range(given.value_count)]
            return {decoded(v.name): Value(decoded(v.name), decoded(v.unit), number_of(v.mean, v.width, dimension),
                                           number_of(v.error, v.width, dimension), bool(v.converged)) for v in values}

    @property
    def tables(self) -> dict[str, Table]:
        """All tables by name. Earlier rows of series of a simulation with a result file are in that file only."""
        dimension = self._sim.dimension
        with self._read() as given:
            tables = [_table(given.tables[k], dimension) for k in range(given.table_count)]
        return {table.name: table for table in tables}

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
    return flow_of({key: value for key, value in given.items() if value is not None}, "observe")


# ---- own observers ---------------------------------------------------------------------------------------------------


def check_interval(every: float, reached: float, limit: str) -> None:
    """Refuses intervals that the present time, or a count, cannot resolve."""
    if every < 1e-15 * reached:
        raise UsageError("%s %.9g has no multiples of %g: the interval is below the rounding" % (limit, reached, every))


class Observer:
    """A function of frames, called during runs.

    Attributes
    ----------
    times : list of float
        Simulated times of the calls.
    values : list
        What the function returned.
    """

    def __init__(self, sim: "Simulation", function: Callable[[Frame], Any], *, every: float | None = None,
                 every_events: int | None = None, every_collisions: int | None = None) -> None:
        given = {"every": every, "every_events": every_events, "every_collisions": every_collisions}
        chosen = [(name, value) for name, value in given.items() if value is not None]
        if len(chosen) != 1:
            raise UsageError("an own observer needs one of `every`, `every_events` and `every_collisions`")
        name, value = chosen[0]
        what = "`%s` of an own observer" % name
        self._sim = sim
        self._function = function
        self._limit = "time" if every is not None else "events" if every_events is not None else "collisions"
        self._every = number(value, what, above=0) if every is not None else whole(value, what, 1)
        self._next: float = self._after(sim._reached(self._limit), True)
        self.times: list[float] = []
        self.values: list[Any] = []

    def _after(self, reached: float, including: bool) -> float:
        """The next multiple of the interval."""
        check_interval(self._every, reached, self._limit)
        n = math.floor(reached / self._every * (1 + 1e-15))
        at = n * self._every
        return at if at > reached or (including and at == reached) else (n + 1) * self._every

    def remove(self) -> None:
        """Ends the observation. Values remain."""
        if self in self._sim._observers:
            self._sim._observers.remove(self)

    def due(self) -> bool:
        """Whether a call is due at the present state."""
        return self._sim._reached(self._limit) >= self._next

    def call(self) -> None:
        """Calls the function now. An exception passes on; the next call is then the next that is due."""
        reached = self._sim._reached(self._limit)
        self._next = self._after(max(reached, self._next), False)
        frame = self._sim.frame
        value = self._function(frame)
        self.times.append(frame.time)
        self.values.append(value)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return "<carom.Observer: %d values>" % len(self)


def call_due(observers: Sequence[Observer]) -> None:
    """Calls all own observers that are due, once, also those that are added meanwhile."""
    called: list[Observer] = []
    while True:
        due = [observer for observer in observers if observer not in called and observer.due()]
        if not due:
            return
        called += due
        for observer in due:
            observer.call()


def next_pause(observers: Sequence[Observer], pause: dict[str, Any]) -> dict[str, Any]:
    """Where the next part of a run ends: at `pause`, or at the next call of an observer, if it comes before."""
    part = dict(pause)
    for observer in observers:
        part[observer._limit] = min(part.get(observer._limit, math.inf), observer._next)
    return part


# ---- own potentials --------------------------------------------------------------------------------------------------

_FORCE = field_type(declarations.carom_potential, "force")


class Potential:
    """A user-defined potential of a simulation, which it keeps alive."""

    def __init__(self, sim: "Simulation", force: Any, step: float, particles: Any = None) -> None:
        self.force = force
        self.step = number(step, "the time step of a potential", above=0)
        self.particles = None if particles is None else _particles(particles)
        self._raised: BaseException | None = None
        self._sim = sim
        address = _address_of(force)
        self._callback = _FORCE(address) if address is not None else _FORCE(self._call)
        count = sim.points if self.particles is None else len(self.particles)
        self._shape = (count, sim.dimension)
        given = declarations.carom_potential(step=self.step, count=0 if self.particles is None else count,
                                             force=self._callback, user=None)
        if self.particles is not None:
            given.particles = self.particles.ctypes.data_as(field_type(given, "particles"))
        self._given = given

    def attach(self) -> int:
        """Adds it to the simulation, which has to keep this object even if the call fails. Returns the status."""
        with self._sim._running("receiving a potential"):
            status = int(lib.carom_sim_add_potential(self._sim._address, ctypes.byref(self._given)))
        self.raise_pending()
        return status

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

    def raise_pending(self) -> None:
        """Raises the exception of the function, if there was one."""
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised

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

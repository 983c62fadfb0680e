"""Events: collisions, merges and the other events of a run, as structured numpy arrays."""
from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Sequence

import numpy as np

from carom import _declarations as declarations
from carom._checks import function, whole
from carom._library import check, decoded, encoded, field_type, lib
from carom._limits import PartLimits
from carom.errors import DynamicsError, UsageError

if TYPE_CHECKING:
    from carom.results import Result
    from carom.simulation import Simulation

#: One event: carom_event of the C interface.
EVENT_DTYPE = np.dtype([
    ("time", "<f8"), ("duration", "<f8"), ("normal", "<f8", (3,)), ("impulse", "<f8", (3,)), ("i", "<u4"), ("j", "<u4"),
    ("kind", "<u4"), ("i_type", "<u2"), ("j_type", "<u2")])

#: Words of the kinds of events: the field `kind` is an index of this tuple.
EVENT_KINDS = tuple(decoded(lib.carom_event_kind_name(kind)) for kind in range(declarations.CAROM_EVENT_KINDS))

#: What `i` and `j` count: the fields `i_type` and `j_type` are indices of this tuple.
EVENT_BODIES = ("particle", "wall", "plane", "surface", "triangle", "rod", "none")

_SIZE = EVENT_DTYPE.itemsize
assert _SIZE == ctypes.sizeof(declarations.carom_event)
_Callback = field_type(declarations.carom_record_options, "events")


def _items(given: Any, what: str) -> "list[Any]":
    """The items of a sequence; a word or a number is one."""
    if isinstance(given, (str, int, np.integer)):
        return [given]
    if not isinstance(given, Iterable):
        raise UsageError("%s is %r: it must be one item or a sequence of them" % (what, given))
    return list(given)


def _kinds_of(kinds: Any) -> int:
    """The kinds as bits; 0: all."""
    if kinds is None:
        return 0
    bits = 0
    for kind in _items(kinds, "`kinds`"):
        if kind not in EVENT_KINDS:
            raise UsageError("unknown kind of events %r; there are %s" % (kind, ", ".join(EVENT_KINDS)))
        bits |= 1 << EVENT_KINDS.index(kind)
    if bits == 0:
        raise UsageError("`kinds` is empty: name at least one of %s, or leave it out" % ", ".join(EVENT_KINDS))
    return bits


def _bodies_of(bodies: Any) -> tuple[np.ndarray, list[str]]:
    """Numbers of particles, and names of species."""
    if bodies is None:
        return np.empty(0, np.uintp), []
    numbers: list[Any] = []
    names: list[str] = []
    for body in _items(bodies, "`bodies`"):
        (names if isinstance(body, str) else numbers).append(body)
    if not numbers and not names:
        raise UsageError("`bodies` is empty: give numbers of particles or names of species, or leave it out")
    found = np.asarray(numbers if numbers else np.empty(0, np.uintp))
    if found.dtype.kind not in "iu" or (found.size and found.min() < 0):
        raise UsageError("`bodies` contains numbers of particles, from 0 on, and names of species")
    return found.astype(np.uintp), names


class EventLog:
    """A recording of events: `Simulation.record_events`.

    Without a capacity it keeps all events. With one it has memory for that many; later events are counted, not kept. Its
    arrays are of the type `EVENT_DTYPE`; with a capacity they are views without a copy, which remain valid and unchanged.

    Examples
    --------
    >>> import carom
    >>> sim = carom.Simulation(carom.Scene.starter("gas"))
    >>> log = sim.record_events(kinds="collision")
    >>> sim.run(time=0.1)
    >>> len(log) == sim.collisions
    True
    >>> bool(log.array["time"].max() <= 0.1)
    True
    """

    def __init__(self, sim: "Simulation", kinds: Any = None, bodies: Any = None, capacity: "int | None" = None,
                 callback: "Callable[[np.ndarray], Any] | None" = None) -> None:
        if capacity is not None and callback is not None:
            raise UsageError("a recording has a callback or a capacity, not both")
        self._sim = weakref.ref(sim)
        self._kinds = _kinds_of(kinds)
        self._particles, self._species = _bodies_of(bodies)
        self._capacity = None if capacity is None else whole(capacity, "the capacity of a recording", 1)
        self._callback = None if callback is None else function(callback, "the callback of a recording")
        self._parts: list[np.ndarray] = []
        self._earlier = 0
        self._missed = 0
        self._address = ctypes.c_void_p()
        self._receive = _Callback(self._received) if capacity is None else _Callback()
        self._begin()

    def _begin(self) -> None:
        sim = self._simulation()
        self._buffer = None if self._capacity is None else np.empty(self._capacity, EVENT_DTYPE)
        names = [encoded(name) for name in self._species]
        options = declarations.carom_record_options(
            kinds=self._kinds, particles=self._particles.ctypes.data_as(ctypes.POINTER(ctypes.c_size_t)),
            particle_count=len(self._particles), species=(ctypes.c_char_p * len(names))(*names), species_count=len(names),
            events=self._receive, capacity=self._capacity or 0)
        if self._buffer is not None:
            options.buffer = self._buffer.ctypes.data_as(ctypes.POINTER(declarations.carom_event))
        with sim._exclusive("beginning to record"):
            sim._kept.append(self)  # the library writes to this object until the end of the recording
            status = lib.carom_sim_record(sim._address, ctypes.byref(options), ctypes.byref(self._address))
            if status != declarations.CAROM_OK:
                sim._kept.remove(self)
            check(status, lib.carom_sim_message(sim._address))

    def _simulation(self) -> "Simulation":
        sim = self._sim()
        if sim is None or not sim._address:
            raise UsageError("the simulation of this recording is closed")
        return sim

    @property
    def _is_open(self) -> bool:
        return bool(self._address)

    def _received(self, events: Any, count: int, _user: Any) -> None:
        """Called during a run. The memory is that of the library: the array is a copy."""
        try:
            part = np.empty(count, EVENT_DTYPE)
            ctypes.memmove(part.ctypes.data, events, count * _SIZE)
            if self._callback is None:
                part.flags.writeable = False
                self._parts.append(part)
            else:
                self._callback(part)
        except BaseException as raised:
            self._simulation()._interrupt(raised)

    @property
    def array(self) -> np.ndarray:
        """The events so far, read-only, of the type `EVENT_DTYPE`."""
        if self._buffer is not None:
            view = self._buffer[:len(self)]
            view.flags.writeable = False
            return view
        if len(self._parts) != 1:
            whole = np.concatenate(self._parts) if self._parts else np.empty(0, EVENT_DTYPE)
            whole.flags.writeable = False
            self._parts = [whole]
        return self._parts[0]

    @property
    def total(self) -> int:
        """Number of events since the start of the recording."""
        return self._earlier + (int(lib.carom_recording_total(self._address)) if self._is_open else 0)

    @property
    def missed(self) -> int:
        """Number of events for which the capacity left no room since the last `clear`."""
        return self._missed if self._buffer is None else self.total - self._earlier - len(self)

    def clear(self) -> None:
        """Removes the events from the recording. Arrays that are in use remain valid."""
        again = self._buffer is not None
        if again:
            self.close()
        self._parts = []
        self._missed = 0
        if again:
            self._begin()

    def take(self) -> np.ndarray:
        """The events so far, which are removed from the recording."""
        taken = self.array
        self.clear()
        return taken

    def close(self) -> None:
        """Ends the recording, as the end of the simulation does. Its events remain."""
        if self._is_open:
            sim = self._simulation()
            with sim._exclusive("ending a recording"):
                self._end()
                sim._kept.remove(self)

    def _end(self) -> None:
        """Ends the recording of the library. Its events stay here."""
        if self._buffer is not None:
            self._missed = self.missed
            self._parts = [self.array]
            self._buffer = None
        self._earlier += int(lib.carom_recording_total(self._address))
        lib.carom_recording_free(self._address)
        self._address = ctypes.c_void_p()

    def __len__(self) -> int:
        if self._buffer is not None:
            return int(lib.carom_recording_count(self._address)) if self._is_open else 0
        return sum(len(part) for part in self._parts)

    def __enter__(self) -> "EventLog":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<carom.EventLog: %d events%s>" % (len(self), ", %d missed" % self.missed if self.missed else "")


def batches_until(sim: "Simulation", limits: "dict[str, Any]", kinds: Any, bodies: Any, size: int) -> Iterator[np.ndarray]:
    """Runs to the limits in parts of about `size` physical events, and yields the recorded events of each."""
    with EventLog(sim, kinds, bodies) as log:
        failure = None
        ended = False  # an earlier run to the limits of the scene may have ended: this one goes on
        left = PartLimits(limits)
        while not ended and not _is_reached(sim, limits):
            try:
                sim._run_to(left.next(), {"events": sim.events["total"] + size})
            except DynamicsError as error:
                failure = error
            ended = failure is not None or sim.stop is not None
            events = log.take()
            if len(events):
                yield events
        if failure is not None:
            raise failure


def _is_reached(sim: "Simulation", limits: "dict[str, Any]") -> bool:
    return any(sim._reached(name) >= value for name, value in limits.items())


class StoredEvents:
    """The events of a result file, read when they are accessed: a sequence of events of the type `EVENT_DTYPE`.

    Examples
    --------
    >>> import carom, tempfile
    >>> scene = {"engine": "hard", "dimension": 2, "box": {"size": 9, "boundary": "wall"}, "species": {"disk": {"diameter": 1}},
    ...          "particles": [{"species": "disk", "count": 20, "place": "random", "velocity": {"maxwell": 1}}],
    ...          "output": {"events": True}}
    >>> path = tempfile.mkdtemp() + "/run.h5"
    >>> with carom.Simulation(scene, path) as sim:
    ...     sim.run(time=5)
    >>> with carom.open(path) as result:
    ...     result.events[:10]["impulse"].shape
    (10, 3)
    """

    _BATCH = 1 << 16

    def __init__(self, result: "Result") -> None:
        self._result = result

    def __len__(self) -> int:
        return int(lib.carom_file_event_count(self._result._address))

    def read(self, first: int, count: int) -> np.ndarray:
        """Reads `count` events from number `first` on."""
        first, count = whole(first, "the number of the first event"), whole(count, "the number of events")
        events = np.empty(count, EVENT_DTYPE)
        address = self._result._address
        status = lib.carom_file_events(address, first, events.ctypes.data_as(ctypes.POINTER(declarations.carom_event)), count)
        check(status, lib.carom_file_message(address))
        return events

    def batches(self, size: int = _BATCH) -> Iterator[np.ndarray]:
        """All events, `size` at a time."""
        size = whole(size, "the size of a batch", 1)
        for first in range(0, len(self), size):
            yield self.read(first, min(size, len(self) - first))

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            first, end, step = which.indices(len(self))
            if step < 0:
                return self.read(end + 1, max(first - end, 0))[::step] if first > end else np.empty(0, EVENT_DTYPE)
            return self.read(first, max(end - first, 0))[::step]
        if isinstance(which, (int, np.integer)):
            index = int(which) + (len(self) if which < 0 else 0)
            if not 0 <= index < len(self):
                raise IndexError("the result has %d events; there is no number %d" % (len(self), which))
            return self.read(index, 1)[0]
        return self[:][which]

    def __iter__(self) -> Iterator[Any]:
        for batch in self.batches():
            yield from batch

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self[:] if dtype is None else self[:].astype(dtype)

    def __repr__(self) -> str:
        return "<carom.StoredEvents: %d events>" % len(self)


def rows_of(batches: "Iterator[np.ndarray]") -> Iterator[Any]:
    """The events of all batches, one after the other, with their fields as attributes."""
    for batch in batches:
        yield from batch.view(np.recarray)


__all__: Sequence[str] = ("EVENT_BODIES", "EVENT_DTYPE", "EVENT_KINDS", "EventLog", "StoredEvents", "batches_until", "rows_of")

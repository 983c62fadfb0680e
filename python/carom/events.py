"""Events: collisions, merges and the other events of a run, as structured numpy arrays."""
from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Sequence

import numpy as np

from carom import _declarations as declarations
from carom._arrays import fixed
from carom._checks import function, whole
from carom._library import check, decoded, encoded, field_type, lib, method_pointer
from carom._limits import PartLimits
from carom.errors import DynamicsError, UsageError
from carom.runs import is_reached, reached, run_to

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
    arrays are of the type `EVENT_DTYPE`, views without a copy, which remain valid and unchanged, also after the end of the
    simulation.

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
        self._buffer = np.empty(0, EVENT_DTYPE)  # the first `_count` are events; it grows without a capacity
        self._count = 0
        self._before = 0  # events before the last `clear`
        self._since = 0  # events after it, once the recording has ended
        self._address = ctypes.c_void_p()
        self._receive = method_pointer(_Callback, self._received) if capacity is None else _Callback()
        self._begin()

    def _begin(self) -> None:
        sim = self._simulation()
        if self._capacity is not None:
            self._buffer = np.empty(self._capacity, EVENT_DTYPE)
        names = [encoded(name) for name in self._species]
        options = declarations.carom_record_options(
            kinds=self._kinds, particles=self._particles.ctypes.data_as(ctypes.POINTER(ctypes.c_size_t)),
            particle_count=len(self._particles), species=(ctypes.c_char_p * len(names))(*names), species_count=len(names),
            events=self._receive, capacity=self._capacity or 0)
        if self._capacity is not None:
            options.buffer = self._buffer.ctypes.data_as(ctypes.POINTER(declarations.carom_event))
        with sim._exclusive("beginning to record"):
            status = lib.carom_sim_record(sim._address, ctypes.byref(options), ctypes.byref(self._address))
            check(status, lib.carom_sim_message(sim._address))
            sim._logs.append(self)  # the library writes to this object until the end of the recording

    def _simulation(self) -> "Simulation":
        sim = self._sim()
        if sim is None or not sim._address:
            raise UsageError("the simulation of this recording is closed")
        return sim

    def _received(self, events: Any, count: int, _user: Any) -> None:
        """Called during a run. The memory is that of the library: events are copied."""
        try:
            if self._callback is None:
                self._append(events, count)
            else:
                part = np.empty(count, EVENT_DTYPE)
                ctypes.memmove(part.ctypes.data, events, count * _SIZE)
                self._callback(part)
        except BaseException as raised:
            self._simulation()._end_call(raised)

    def _append(self, events: Any, count: int) -> None:
        """Arrays of earlier events share the buffer, or keep an earlier one."""
        end = self._count + count
        if end > len(self._buffer):
            larger = np.empty(max(end, 2 * len(self._buffer)), EVENT_DTYPE)
            ctypes.memmove(larger.ctypes.data, self._buffer.ctypes.data, self._count * _SIZE)
            self._buffer = larger
        ctypes.memmove(self._buffer.ctypes.data + self._count * _SIZE, events, count * _SIZE)
        self._count = end

    @property
    def array(self) -> np.ndarray:
        """The events so far, read-only, of the type `EVENT_DTYPE`."""
        return fixed(self._buffer[:len(self)])

    @property
    def total(self) -> int:
        """Number of events since the start of the recording."""
        return self._before + self._total_since()

    def _total_since(self) -> int:
        return int(lib.carom_recording_total(self._address)) if self._address else self._since

    @property
    def missed(self) -> int:
        """Number of events for which the capacity left no room since the last `clear`."""
        return 0 if self._capacity is None else self._total_since() - len(self)

    def clear(self) -> None:
        """Removes the events from the recording. Arrays that are in use remain valid."""
        if self._capacity is None:
            self._buffer, self._count = np.empty(0, EVENT_DTYPE), 0
            return
        continues = bool(self._address)
        self.close()
        self._before, self._since, self._count = self._before + self._since, 0, 0
        if continues:
            self._begin()

    def take(self) -> np.ndarray:
        """The events so far, which are removed from the recording."""
        taken = self.array
        self.clear()
        return taken

    def close(self) -> None:
        """Ends the recording. Its arrays remain valid."""
        if self._address:
            sim = self._simulation()
            with sim._exclusive("ending a recording"):
                sim._logs.remove(self)
                self._detach()

    def _detach(self) -> None:
        """Ends the recording for a simulation that is in use or ends."""
        self._count = len(self)
        self._since = self._total_since()
        lib.carom_recording_free(self._address)
        self._address = ctypes.c_void_p()

    def __len__(self) -> int:
        buffered = self._capacity is not None and self._address
        return int(lib.carom_recording_count(self._address)) if buffered else self._count

    def __enter__(self) -> "EventLog":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<carom.EventLog: %d events%s>" % (len(self), ", %d missed" % self.missed if self.missed else "")


def batches_until(sim: "Simulation", limits: "dict[str, Any]", kinds: Any, bodies: Any, size: int) -> Iterator[np.ndarray]:
    """Runs to the limits in parts of about `size` physical events, and yields the recorded events of each."""
    left = PartLimits(limits)
    with EventLog(sim, kinds, bodies) as log:
        failure = None
        ended = False  # an earlier run to the limits of the scene may have ended: this one goes on
        while not ended and not left.passed and not is_reached(sim, left.counted):
            try:
                run_to(sim, left.next(), {"events": int(reached(sim, "events")) + size})
            except DynamicsError as error:
                failure = error
            ended = failure is not None or sim.stop is not None
            events = log.take()
            if len(events):
                yield events
        if failure is not None:
            raise failure


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
        with self._result._lock:
            return int(lib.carom_file_event_count(self._result._address))

    def read(self, first: int, count: int) -> np.ndarray:
        """Reads `count` events from number `first` on."""
        first, count = whole(first, "the number of the first event"), whole(count, "the number of events")
        events = np.empty(count, EVENT_DTYPE)
        with self._result._lock:
            self._result._check(lib.carom_file_events(
                self._result._address, first, events.ctypes.data_as(ctypes.POINTER(declarations.carom_event)), count))
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

"""Simulations: runs of a scene."""
from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import json
import math
import os
import threading
import warnings
import weakref
from typing import Any, Callable, Iterator, Mapping

import numpy as np

from carom import _declarations as declarations
from carom import observers, state
from carom._checks import number, whole
from carom._frame_pool import FramePool
from carom._library import Handle, check, decoded, encoded, field_type, lib, owned
from carom._limits import PartLimits
from carom._signals import caught
from carom.errors import DynamicsError, SceneError, UsageError, error_of
from carom.events import EventLog, batches_until, rows_of
from carom.frame import COUNTED, Energy, Frame
from carom.progress import Choice, Reporter, checked
from carom.scene import Scene, faults_of, flow_of, raise_faults
from carom.view import Page, View, view_of


class Simulation:
    """A run of a scene.

    Parameters
    ----------
    scene : Scene, dict or path
        The scene. It is copied: later changes of it do not affect the simulation.
    output : path, optional
        Result file. A run without one keeps all in memory.
    force : bool
        Replace an existing result file.
    resume : bool
        Continue the run of `output` from its newest checkpoint.
    threads : int
        Number of threads. Results do not depend on it.
    progress : None, bool or callable
        None: a bar for runs of over a second, in terminals and notebooks. True or False: with or without it. A function
        receives a `Progress` a few times a second.

    Raises
    ------
    SceneError
        The scene has errors; they are listed in `.faults`.
    CreateError, InputError, OutputError
        The result file cannot be created or read.

    Examples
    --------
    >>> import carom
    >>> sim = carom.Simulation(carom.Scene.starter("gas"))
    >>> sim.run(time=0.5)
    >>> sim.time
    0.5
    """

    _address: ctypes.c_void_p
    _handle: Handle
    _loaded: Handle
    _options: Any

    def __init__(self, scene: Any, output: "str | os.PathLike[str] | None" = None, *, force: bool = False,
                 resume: bool = False, threads: int = 1, progress: Choice = None) -> None:
        given = scene_of(scene)
        self._begin(given, given._open(), output, force, resume, threads, progress)
        self._create(lambda address: lib.carom_sim_new(address, self._loaded.address, ctypes.byref(self._options)))

    def _begin(self, scene: Scene, loaded: Handle, output: Any, force: bool, resume: bool, threads: int,
               progress: Choice) -> None:
        """Sets the attributes that do not need the library."""
        self._lock = threading.Lock()
        self._closed = False
        self._doing = ""
        self._process = os.getpid()
        self._raised: BaseException | None = None
        self._reporter: Reporter | None = None
        self._progress = checked(progress)
        self._pool = FramePool()
        self._frame: Frame | None = None
        self._view: "weakref.ref[View] | None" = None
        self._initial: float | None = None
        self.scene = scene
        self._observers: list[observers.Observer] = []
        self._observing = False
        self._potentials: list[observers.Potential] = []
        self._kept: list[Any] = []  # potentials and recordings, of which the library has addresses
        self.output = None if output is None else os.fspath(output)
        threads = whole(threads, "the number of threads", 1, declarations.CAROM_THREADS_MOST)
        self._loaded = loaded
        self._callbacks = (declarations.carom_progress_callback(self._report),
                           field_type(declarations.carom_options, "warning")(self._warn))
        self._options = declarations.carom_options(
            output=None if output is None else encoded(output), force=force, resume=resume, threads=threads,
            progress=self._callbacks[0], warning=self._callbacks[1])
        self._address = ctypes.c_void_p()
        self._closed = False

    # ---- creation and end ----

    def _create(self, call: Callable[[Any], int]) -> None:
        with self._running("being created"):
            status = call(ctypes.byref(self._address))
            self._handle = Handle(self._address.value, lib.carom_sim_free)
            self._raise_pending()
            faults = faults_of(lib.carom_sim_fault_count, lib.carom_sim_fault, self._address)
            if faults:
                raise_faults(status, decoded(lib.carom_sim_message(self._address)), faults)
            self._check(status)
        self._dimension = int(lib.carom_frame_dimension(lib.carom_sim_frame(self._address)))
        count = iter(range(1 << 30))
        species: "Iterator[bytes]" = iter(lambda: lib.carom_scene_species(self._loaded.address, next(count)), None)
        self._species = tuple(map(decoded, species))

    def close(self) -> None:
        """Completes the result file, if there is one, and frees the simulation; ends its view. Frames remain valid."""
        handle = self.__dict__.get("_handle")
        if handle is None or not handle.address:
            return
        if self._shown():
            self._shown().stop()
        with self._exclusive("being closed"):
            status = lib.carom_sim_finish(handle.address) if self.output is not None else declarations.CAROM_OK
            error = None if status == declarations.CAROM_OK else error_of(status, decoded(lib.carom_sim_message(handle.address)))
            for kept in self._kept:
                if isinstance(kept, EventLog):
                    kept._end()
            handle.close()
            self._closed = True
            self._address = ctypes.c_void_p()
            self._pool.close()
            self._kept.clear()
        if error is not None:
            raise error

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            if self._process == os.getpid():
                self.close()

    # ---- runs ----

    def run(self, time: float | None = None, *, collisions: int | None = None, events: int | None = None,
            wall: float | None = None) -> None:
        """Runs to the first of the given limits. Without limits, runs to those of the scene (`run.until`) and completes the
        result file.

        Limits of a call replace those of the scene. They are totals since the start of the run: nothing runs beyond them, and
        a warning states this. Other limits (`clusters`, `pressure`) are set in the scene, `scene.run.until.clusters = 1`.

        Parameters
        ----------
        time : float
            Simulated time.
        collisions : int
            Number of collisions between particles.
        events : int
            Number of physical events.
        wall : float
            Duration of the call [s].

        Raises
        ------
        DynamicsError
            The dynamics ended the run: collapse, no_progress, squeezed or stretched.
        KeyboardInterrupt
            Ctrl-C. The simulation is intact and goes on with the next call.
        """
        limits = _limits(time=time, collisions=collisions, events=events, wall_s=wall)
        for name, value in limits.items():
            if value < self._reached(name):
                warnings.warn("nothing runs: the state is beyond %s=%.15g. Limits are totals since the start, as in "
                              "run(%s=sim.%s + ...)"
                              % (name, value, name, "events['total']" if name == "events" else name), stacklevel=2)
        if not limits:
            self._run_to_end()
        elif all(value > self._reached(name) for name, value in limits.items()):
            self._run_to(limits)

    def _reached(self, limit: str) -> float:
        """The present value of what a limit bounds."""
        if limit == "time":
            return self.time
        if limit == "wall_s":
            return 0
        return int(lib.carom_sim_events(self._not_shown(), b"total" if limit == "events" else b"collision"))

    def step(self, n: int = 1) -> None:
        """Executes the next `n` physical events."""
        count = whole(n, "the number of events of a step")
        if count > 0:
            self._run_to({"events": self.events["total"] + count})

    def frames(self, every: float, until: float | None = None) -> Iterator[Frame]:
        """Runs, and yields a frame at each multiple of `every`, from the present time on.

        Parameters
        ----------
        every : float
            Simulated time between frames.
        until : float
            Simulated time of the end; None: the limit of the scene.

        Yields
        ------
        Frame
            States at the times k * every, k whole.
        """
        every = number(every, "`every`", above=0)
        return self._frames(every, None if until is None else number(until, "`until`", finite=False))

    def _frames(self, every: float, until: float | None) -> Iterator[Frame]:
        limits = PartLimits({"time": until} if until is not None else self._scene_limits())
        end = limits.counted.get("time", math.inf)
        observers.check_interval(every, self.time, "time")
        k = math.ceil(self.time / every - 1e-9)
        while k * every <= end * (1 + 1e-12) and not limits.passed:
            if k * every > self.time:
                if "time" in limits.counted:  # without further events, bodies move freely
                    limits.counted["time"] = k * every
                self._run_to(limits.next(), {"time": k * every})
                if self.time < k * every:
                    return
            yield self.frame
            k += 1

    # ---- events ----

    def record_events(self, kinds: Any = None, bodies: Any = None, capacity: int | None = None,
                      callback: Callable[[np.ndarray], Any] | None = None) -> EventLog:
        """Begins to record events of later runs. Results do not depend on it.

        Parameters
        ----------
        kinds : str or sequence of str, optional
            Kinds of events, of `carom.EVENT_KINDS`; None: all.
        bodies : int, str or sequence of them, optional
            Numbers of particles and names of species: events in which at least one of them takes part. None: all.
        capacity : int, optional
            Number of events for which memory is reserved; None: all events are kept.
        callback : callable, optional
            Receives the events in arrays of about ten thousand, in place of the recording.

        Returns
        -------
        EventLog
            The recording: `.array`, `.take()`, `.close()`.
        """
        return EventLog(self, kinds, bodies, capacity, callback)

    def event_batches(self, time: float | None = None, *, collisions: int | None = None, events: int | None = None,
                      kinds: Any = None, bodies: Any = None, size: int = 65536) -> Iterator[np.ndarray]:
        """Runs to the first of the limits (None: those of the scene), and yields the events in structured arrays.

        Parameters
        ----------
        time, collisions, events
            Limits, as of `run`.
        kinds, bodies
            The choice of events, as of `record_events`.
        size : int
            Number of physical events of each part of the run. An array has as many events or fewer; in `aggregation` with
            time steps, a few more.

        Yields
        ------
        ndarray of carom.EVENT_DTYPE
        """
        limits = _limits(time=time, collisions=collisions, events=events) or self._scene_limits()
        return batches_until(self, limits, kinds, bodies, whole(size, "the size of a batch", 1))

    def events_until(self, time: float | None = None, *, collisions: int | None = None, events: int | None = None,
                     kinds: Any = None, bodies: Any = None) -> Iterator[Any]:
        """Runs, and yields one event after the other, as `event_batches`. The state is that after the batch of the event;
        `event_batches` is faster.

        Examples
        --------
        >>> import carom
        >>> sim = carom.Simulation(carom.Scene.starter("gas"))
        >>> first = next(sim.events_until(time=1, kinds="collision"))
        >>> bool(first.time > 0 and first.i < first.j)
        True
        """
        return rows_of(self.event_batches(time, collisions=collisions, events=events, kinds=kinds, bodies=bodies))

    def _scene_limits(self) -> dict[str, Any]:
        """The limits of the scene that are given."""
        limits = declarations.carom_limits()
        check(lib.carom_scene_limits(self._loaded.address, ctypes.byref(limits)))
        return {name: getattr(limits, name) for name, _ in limits._fields_ if getattr(limits, name) > 0}

    def _run_to_end(self) -> None:
        if self._observers:
            self._observed({}, None)
        with self._running("running"):
            status = self._until_stop(lambda: lib.carom_sim_run_to(self._address, None))
            if status in (declarations.CAROM_OK, declarations.CAROM_DYNAMICS) and self._raised is None:
                finished = lib.carom_sim_finish(self._address)
                status = finished if finished != declarations.CAROM_OK else status
        self._end_of_run(status)

    def _run_to(self, limits: dict[str, Any], pause: dict[str, Any] | None = None) -> None:
        """Runs to the first of the limits, with a pause at those of `pause`."""
        (self._observed if self._observers else self._run_part)(pause or {}, limits)

    def _observed(self, pause: dict[str, Any], limits: dict[str, Any] | None) -> None:
        """Runs in parts, from one call of an own observer to the next. `limits` None: those of the scene."""
        if self._observing:
            raise UsageError("an own observer of a simulation cannot run it")
        left = PartLimits(limits or {})
        self._observing = True
        try:
            observers.call_due(self._observers)
            while not left.passed and all(value > self._reached(name) for name, value in (*left.counted.items(), *pause.items())):
                self._run_part(observers.next_pause(self._observers, pause), None if limits is None else left.next())
                observers.call_due(self._observers)
                if self.stop is not None:
                    return
        finally:
            self._observing = False

    def _run_part(self, pause: dict[str, Any], limits: dict[str, Any] | None) -> None:
        """Runs to the first of the limits; None: those of the scene."""
        pauses = declarations.carom_limits(**pause)
        ends = None if limits is None else ctypes.byref(declarations.carom_limits(**limits))
        with self._running("running"):
            status = self._until_stop(lambda: lib.carom_sim_pause_at(self._address, ctypes.byref(pauses), ends))
        self._end_of_run(status)

    def _until_stop(self, call: Callable[[], int]) -> int:
        """Runs. A request to stop that came at the end of an earlier call ends only that one."""
        status = call()
        while status == declarations.CAROM_EARLY and self._raised is None:
            status = call()
        return status

    def _end_of_run(self, status: int) -> None:
        self._raise_pending()
        for potential in self._potentials:
            potential.raise_pending()
        self._check(status)

    # ---- views ----

    def view(self, *, static: bool = False, every: float | None = None, until: float | None = None,
             bind: str | None = None, port: int = 0, height: int = 520, **limits: Any) -> View | Page:
        """Shows the simulation while it runs: the live page of `carom view`.

        The run starts when the page is opened, and has the bits of a run without a view. While it is shown, other uses of
        the simulation raise UsageError; after `stop` it goes on from there. A second call returns the same view.

        Parameters
        ----------
        static : bool
            Runs without a server, and records frames for a page in a file.
        every : float
            For `static`: simulated time between frames; None: one frame, the present state.
        until : float
            Simulated time of the end; None: the limits of the scene; math.inf: none.
        bind, port
            Address and port of the server; None and 0: a free port that is accessible from this machine only.
        height : int
            Height of the frame in notebooks [pixels].
        **limits
            `frames`, `particles` and `megabytes` of a `Page`.

        Returns
        -------
        View or Page
        """
        return view_of(self, static, every, until, bind, port, height, limits)

    def _shown(self) -> Any:
        """The view that is running, or None."""
        view = self._view() if self._view is not None else None
        return view if view is not None and view.running else None

    def _not_shown(self) -> ctypes.c_void_p:
        """The address of the simulation for a call that reads it, unless a view runs it in another thread, or it is closed."""
        if self._closed:
            raise UsageError("the simulation is closed" + (
                "" if self.output is None else "; its results are in the result file: carom.open(%r)" % self.output))
        if self._shown():
            raise UsageError("the simulation is shown in a view: `sim.view().stop()` ends it")
        return self._address

    # ---- calls of the library ----

    @contextlib.contextmanager
    def _reserved(self, doing: str) -> Iterator[None]:
        """Reserves the simulation for one call: another thread, or a callback, that uses it meanwhile raises an error."""
        self._not_shown()
        if self.output is not None and self._process != os.getpid():
            raise UsageError("the process that created this simulation writes its result file: use a copy of it in this process")
        if not self._lock.acquire(blocking=False):
            raise UsageError("the simulation is %s: it can be used after that" % (self._doing or "in use"))
        self._doing = doing
        try:
            yield
        finally:
            self._doing = ""
            self._lock.release()

    @contextlib.contextmanager
    def _exclusive(self, doing: str) -> Iterator[None]:
        """A call that leaves the state."""
        with self._reserved(doing):
            if not self._potentials:
                yield
                return
            self._raised = None
            with caught(self._interrupt):  # the energy of potentials is that of functions of Python
                yield
        self._raise_pending()

    @contextlib.contextmanager
    def _running(self, doing: str) -> Iterator[None]:
        """A call that changes the state and reports progress."""
        with self._reserved(doing):
            self._frame = None
            self._raised = None
            if doing != "running":
                self._initial = None  # changes at the start are part of it
            self._reporter = Reporter(self._progress)
            try:
                with caught(self._interrupt):
                    yield
            finally:
                self._reporter.close()
                self._reporter = None

    def _interrupt(self, raised: BaseException) -> None:
        """Ends the call for an exception of a signal, as Ctrl-C. A second one passes on: a function of the user may hang."""
        if self._raised is not None:
            raise raised
        self._raised = raised
        lib.carom_sim_request_stop(self._address)

    def _report(self, given: Any, _user: Any) -> None:
        """Receives the progress. Exceptions cannot pass through the library."""
        try:
            if self._reporter is not None:
                self._reporter.report(given.contents)
        except BaseException as raised:
            self._interrupt(raised)

    def _warn(self, line: bytes, _user: Any) -> None:
        try:
            warnings.warn(decoded(line), stacklevel=5)
        except BaseException as raised:  # a filter may make warnings errors
            self._interrupt(raised)

    def _raise_pending(self) -> None:
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised

    def _check(self, status: int) -> None:
        if status == declarations.CAROM_DYNAMICS:
            raise DynamicsError(decoded(lib.carom_sim_message(self._address)), stop=self.stop or "")
        check(status, lib.carom_sim_message(self._address))

    # ---- changes of the state ----

    def set_velocities(self, velocities: Any, ids: Any = None) -> None:
        """Sets velocities. Time, counters and tallies continue; the energy that this adds counts as supplied.

        Parameters
        ----------
        velocities : array, (particles, dimension), or one vector for all
            [length / time]. In `aggregation` that of the centre of mass of a cluster: the same for its named particles.
        ids : array of int, optional
            `ids` of the particles; None: all points of frames, in their order.

        Raises
        ------
        UsageError
            An id does not exist, a particle is driven, a number is not finite. The state is as before.
        """
        state.set_velocities(self, velocities, ids)

    def add_particles(self, positions: Any, velocities: Any = None, *, species: str | None = None, radii: Any = None,
                      angular_velocities: Any = None) -> np.ndarray:
        """Adds particles after all others (`hard`, without a result file).

        Parameters
        ----------
        positions : array, (n, dimension)
            [length]
        velocities : array, (n, dimension), or one vector, optional
            [length / time]; 0 without them.
        species : str, optional
            A species of the scene; None: the first.
        radii : float or array, (n,), optional
            [length]; those of the species without them.
        angular_velocities : array, (n, 3), optional
            [1 / time], if particles rotate.

        Returns
        -------
        ndarray of uint32, (n,)
            The ids of the new particles. Ids of removed particles are not used again.

        Raises
        ------
        DataError
            Particles overlap or are outside the box. The state is as before.
        UsageError
            The engine or the scene does not permit it.
        """
        return state.add_particles(self, positions, velocities, species, radii, angular_velocities)

    def remove_particles(self, ids: Any) -> None:
        """Removes particles (`hard`, without a result file). The others keep their order and their ids.

        Parameters
        ----------
        ids : array of int
            `ids` of the particles.
        """
        state.remove_particles(self, ids)

    def change(self, key: str, value: Any) -> None:
        """Changes a setting of the scene that does not belong to the initial state: fields, contacts, drives, ...

        Parameters
        ----------
        key : str
            Path of the key, as "fields.gravity".
        value
            Its value, as in a scene.

        Raises
        ------
        SceneError
            The scene has errors with the change. The state is as before.
        UsageError
            The key belongs to the initial state, or the simulation writes a result file.

        Examples
        --------
        >>> import carom
        >>> sim = carom.Simulation({"engine": "hard", "dimension": 2, "box": {"size": 9, "boundary": "wall"},
        ...                         "species": {"a": {"diameter": 1}}, "fields": {"gravity": [0, -1]},
        ...                         "particles": [{"species": "a", "place": {"at": [[4, 4]]}}],
        ...                         "run": {"until": {"time": 9}}})
        >>> sim.run(time=1)
        >>> sim.change("fields.gravity", [0, 1])
        >>> sim.run(time=2)
        >>> sim.frame.velocities.tolist()
        [[0.0, 0.0]]
        """
        state.change(self, key, flow_of(value, key))

    def add_potential(self, force: Any, step: float, particles: Any = None) -> None:
        """Adds forces of the user (`variational`). They act as impulses at multiples of a time step.

        Parameters
        ----------
        force : callable
            ``force(positions, time) -> (energy, forces)`` with arrays (n, dimension): positions (not wrapped into periodic
            boxes, a read-only copy) and forces. It is called at each step and for each frame: a Python function costs some ten
            microseconds a call. Or a C function ``double f(void *user, double time, const double *positions, double
            *forces)``: a ctypes function, a cffi pointer, a `numba.cfunc`, or an address. It adds no cost of Python;
            `user` is NULL, and `forces` is NULL if only the energy is needed: the function must test it.
        step : float
            Time step [time], below 2 / omega of the fastest oscillation.
        particles : array of int, optional
            Numbers of the particles; None: all points, vertices of meshes included.
        """
        potential = observers.Potential(self, force, step, particles)
        self._kept.append(potential)
        status = potential.attach()
        if status == declarations.CAROM_OK:
            self._potentials.append(potential)
        self._end_of_run(status)

    # ---- observation ----

    def observe(self, what: Any, every: float | None = None, *, every_collisions: int | None = None,
                every_events: int | None = None, name: str | None = None, **settings: Any) -> Any:
        """Adds an observable, or a function of frames.

        Parameters
        ----------
        what : str or callable
            An observable of the library, as "pressure"; or a function that receives a `Frame` during runs.
        every : float
            Simulated time between samples. An observable without a rhythm chooses its own.
        every_collisions, every_events : int
            Instead: collisions, or physical events (functions only), between samples.
        name : str
            Key of an observable in results.
        settings
            Further keys of the observable, as ``bins=100``.

        Returns
        -------
        LiveObservable or Observer
            With the present results: `mean`, `error`, `series`, `units`; of a function: `times`, `values`.

        Notes
        -----
        The observation begins now. A result file contains observables that are added before the run begins; afterwards
        they are refused. A function is called between two parts of a run: at multiples of `every`, or of the counts, since
        the start. An exception of it passes on; the simulation is intact.
        """
        if callable(what):
            if name is not None or settings:
                raise UsageError("a function of frames has no name and no settings")
            observer = observers.Observer(self, what, every=every, every_events=every_events,
                                          every_collisions=every_collisions)
            self._observers.append(observer)
            return observer
        if every_events is not None:
            raise UsageError("observables of the library have `every` or `every_collisions`; functions also `every_events`")
        entry = observers.entry_of(what, every, every_collisions, name, settings)
        with self._running("being changed"):
            status = lib.carom_sim_observe(self._address, encoded(entry))
            message = decoded(lib.carom_sim_message(self._address))
        if status == declarations.CAROM_BAD_DATA:
            raise self._scene_error(message)
        self._end_of_run(status)
        return observers.LiveObservable(self, len(self.observables) - 1)

    @property
    def observables(self) -> "observers.LiveObservables":
        """The observables of the scene, then those added: a list, of which items are also accessible by name."""
        found = observers.LiveObservables()
        while lib.carom_sim_observable(self._not_shown(), len(found)):
            found.append(observers.LiveObservable(self, len(found)))
        return found

    @contextlib.contextmanager
    def _observable(self, number: int) -> Iterator[Any]:
        """The results of an observable, in memory of the library."""
        with self._exclusive("being read"):
            given = lib.carom_sim_observable(self._address, number)
            if not given:
                self._check(declarations.CAROM_USAGE)
            yield given.contents

    # ---- saving and copies ----

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the exact state to a file, which `Simulation.load` continues with the same bits.

        Own observers and potentials are not saved, and the file is independent of a result file.
        """
        state.save(self, path)

    @classmethod
    def load(cls, path: "str | os.PathLike[str]", scene: Any = None, output: "str | os.PathLike[str] | None" = None, *,
             force: bool = False, threads: int = 1, progress: Choice = None) -> "Simulation":
        """Continues a saved simulation.

        Parameters
        ----------
        path : path
            A file of `save`.
        scene : Scene, dict or path, optional
            The scene, if it has arrays, or to change `run.until`; None: that of the file.
        output : path, optional
            A result file that begins at the saved time.

        Other parameters are those of `Simulation`.
        """
        sim = cls.__new__(cls)
        if scene is not None:
            given = scene_of(scene)
            handle = given._open()
        else:
            handle = state.saved_scene(path)
            given = state.scene_of_text(decoded(lib.carom_scene_resolved(handle.address)))
        sim._begin(given, handle, output, force, False, threads, progress)
        sim._create(lambda address: lib.carom_sim_load(address, handle.address, encoded(path), ctypes.byref(sim._options)))
        return sim

    def __getstate__(self) -> dict[str, Any]:
        return {"scene": self.scene, "state": state.saved_bytes(self), "threads": self._options.threads,
                "potentials": list(self._potentials)}

    def __setstate__(self, given: dict[str, Any]) -> None:
        self._restore(given)

    def _restore(self, given: dict[str, Any]) -> None:
        with state.file_of(given["state"]) as path:
            handle = state.saved_scene(path, given["scene"])
            self._begin(given["scene"], handle, None, False, False, given["threads"], None)
            self._create(lambda address: lib.carom_sim_load(address, handle.address, encoded(path),
                                                            ctypes.byref(self._options)))
        for potential in given["potentials"]:
            self.add_potential(potential.force, potential.step, potential.particles)

    def __copy__(self) -> "Simulation":
        copy = type(self).__new__(type(self))
        copy._restore(self.__getstate__())
        return copy

    def __deepcopy__(self, _: Any) -> "Simulation":
        return self.__copy__()

    def diff(self, other: "Simulation") -> state.Difference:
        """Compares the present states bit by bit: false if they are equal, else the channels that differ."""
        if not isinstance(other, Simulation):
            raise UsageError("a simulation is compared with another one, not with %r" % (other,))
        return state.diff(self, other)

    def _scene_error(self, message: str) -> SceneError:
        return SceneError(message, faults=faults_of(lib.carom_sim_fault_count, lib.carom_sim_fault, self._address))

    # ---- state ----

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._dimension

    @property
    def points(self) -> int:
        """Number of particles and vertices of meshes."""
        return len(self.frame["position"])

    @property
    def frame(self) -> Frame:
        """The present state. The same object is returned until the state changes."""
        if self._frame is None:
            with self._exclusive("being read"):
                self._frame = Frame(self._pool.take(self._address), self._species)
        return self._frame

    @property
    def time(self) -> float:
        """Simulated time that the run has reached."""
        return float(lib.carom_sim_time(self._not_shown()))

    @property
    def events(self) -> dict[str, int]:
        """Numbers of events since the start of the run, by kind; "total": the physical ones."""
        address = self._not_shown()
        return {kind: int(lib.carom_sim_events(address, kind.encode())) for kind in (*COUNTED, "total")}

    @property
    def collisions(self) -> int:
        """Number of collisions between particles since the start of the run."""
        return int(lib.carom_sim_events(self._not_shown(), b"collision"))

    @property
    def energy(self) -> Energy:
        """Energies of the present state, with the drift since the start of the run."""
        energy = self.frame.energy
        if self._initial is None:
            self._initial = float(self.summary["energy"]["initial"])
        return dataclasses.replace(energy, drift=energy.conserved - self._initial)

    @property
    def momentum(self) -> np.ndarray:
        """Total momentum, (dimension,)."""
        return self.frame.momentum

    @property
    def state_hash(self) -> str:
        """Hash of the exact state, as the command prints it."""
        return self.frame.state_hash

    @property
    def stop(self) -> str | None:
        """Why the run ended: "time", "no_events", "collapse", ...; None while it can go on."""
        reason = lib.carom_sim_stop(self._not_shown())
        return None if reason == declarations.CAROM_STOP_NONE else decoded(lib.carom_stop_name(reason))

    @property
    def summary(self) -> dict[str, Any]:
        """The summary that `carom run --json` prints."""
        with self._exclusive("being read"):
            text = owned(lib.carom_sim_summary(self._address))
        if not text:
            self._check(declarations.CAROM_USAGE)
        return json.loads(text)

    def __repr__(self) -> str:
        if not self._address:
            return "<carom.Simulation: closed>"
        if self._shown():
            return "<carom.Simulation: shown at %s>" % self._shown().url
        return "<carom.Simulation: time %.6g, %d events%s>" % (
            self.time, self.events["total"], ", ended: %s" % self.stop if self.stop else "")


def _limits(**given: Any) -> dict[str, Any]:
    """The limits of a run that are not None."""
    limits: dict[str, Any] = {}
    for name, value in given.items():
        if value is not None:
            what = "the limit `%s` of a run" % name.replace("_s", "")
            counts = name in ("collisions", "events")
            limits[name] = whole(value, what) if counts else number(value, what, least=0, finite=False)
    return limits


def scene_of(given: Any) -> Scene:
    """The scene that an argument stands for: a Scene, of which a copy is made, a dictionary, or the path of a file."""
    if isinstance(given, Scene):
        return given.copy()
    if isinstance(given, Mapping):
        return Scene(given)
    if not isinstance(given, (str, os.PathLike)):
        raise UsageError("a scene is a carom.Scene, a dictionary or the path of a scene file, not %r" % (given,))
    return Scene.load(given)

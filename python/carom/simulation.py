"""Simulations: runs of a scene."""
from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import json
import os
from typing import Any, Callable, Iterator, Mapping

import numpy as np

from carom import _declarations as declarations
from carom import observers, runs, state
from carom._checks import number, whole
from carom._library import Handle, decoded, encoded, lib, owned
from carom._library_simulation import LibrarySimulation
from carom.errors import SceneError, UsageError
from carom.events import EventLog, batches_until, rows_of
from carom.frame import COUNTED, Energy, Frame, take_frame
from carom.progress import Choice
from carom.scene import Scene
from carom.scene_check import faults_of
from carom.scene_tree import text_of
from carom.view import Page, View, view_of


class Simulation(LibrarySimulation):
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
    threads : int or None
        Number of threads; None: as many cores as shorten the run. Results do not depend on it.
    progress : None, bool or callable
        None: a bar for runs of over a second, in terminals and notebooks. True or False: with or without it. A function
        receives a `Progress` a few times a second.

    Attributes
    ----------
    scene : Scene
        The scene at the beginning; changes of it have no effect on the simulation.
    output : str or None
        The result file.

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

    def __init__(self, scene: Any, output: "str | os.PathLike[str] | None" = None, *, force: bool = False,
                 resume: bool = False, threads: "int | None" = 1, progress: Choice = None) -> None:
        given = scene_of(scene)
        self._start(given, given._open(), output, force, resume, threads, progress)
        self._create(lambda address: lib.carom_sim_new(address, self._loaded.address, ctypes.byref(self._options)))

    def _start(self, scene: Scene, loaded: Handle, *options: Any) -> None:
        self.scene = scene
        self._observers: list[observers.Observer] = []
        self._observing = False
        self._begin(loaded, *options)

    def close(self) -> None:
        """Completes the result file, if there is one, and frees the simulation; ends its view. Frames remain valid."""
        self._end()

    def __setattr__(self, name: str, value: Any) -> None:
        own = type(self) is not Simulation and name not in Frame._ARRAYS  # of a class of the user
        if name.startswith("_") or name in ("scene", "output") or own:
            object.__setattr__(self, name, value)
            return
        remedy = ("use set_velocities()" if name == "velocities" else
                  "the state is changed by set_velocities(), add_particles(), remove_particles() and change()")
        raise AttributeError("'%s' of a simulation cannot be set: %s" % (name, remedy))

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # ---- runs ----

    def run(self, time: float | None = None, *, collisions: int | None = None, events: int | None = None,
            wall: float | None = None) -> None:
        """Runs to the first of the given limits. Without limits, runs to those of the scene (`run.until`) and completes the
        result file.

        Limits of a call replace those of the scene. They are totals since the start of the run: nothing runs beyond them, and
        a warning states this. Other limits (`clusters`, `pressure`, `rest`) are set in the scene, `scene.run.until.clusters = 1`.

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
        limits = runs.limits_of(time=time, collisions=collisions, events=events, wall=wall)
        runs.warn_beyond(self, limits)
        if not limits:
            runs.run_to_end(self)
        elif not runs.is_reached(self, limits):
            runs.run_to(self, limits)

    def step(self, n: int = 1) -> None:
        """Executes the next `n` physical events."""
        count = whole(n, "the number of events of a step")
        if count > 0:
            runs.run_to(self, {"events": runs.reached(self, "events") + count})

    def frames(self, every: float, until: float | None = None) -> Iterator[Frame]:
        """Runs, and yields a frame at each multiple of `every`, from the present time on.

        Parameters
        ----------
        every : float
            Simulated time between frames.
        until : float
            Simulated time of the end; None: the limits of the scene.

        Yields
        ------
        Frame
            States at the times k * every, k whole.
        """
        return runs.frames_of(self, number(every, "`every`", above=0),
                              None if until is None else number(until, "`until`", finite=False))

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
        limits = runs.limits_of(time=time, collisions=collisions, events=events) or runs.scene_limits(self)
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
        state.change(self, key, text_of(value, key))

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
        potential = observers.Potential(force, step, particles, self.points, self.dimension)
        observers.add_potential(self, potential)

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
        self._end_of_call(status)
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
             force: bool = False, threads: "int | None" = 1, progress: Choice = None) -> "Simulation":
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
        sim._start(given, handle, output, force, False, threads, progress)
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
            self._start(given["scene"], handle, None, False, False, given["threads"], None)
            self._create(lambda address: lib.carom_sim_load(address, handle.address, encoded(path),
                                                            ctypes.byref(self._options)))
        for potential in given["potentials"]:
            self.add_potential(potential.force, potential.step, potential.particles)

    def __copy__(self) -> "Simulation":
        copy = type(self).__new__(type(self))
        copy._restore({**self.__getstate__(), "scene": self.scene.copy()})
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
                self._frame = Frame(take_frame(self._address), self._species)
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
        shown = self._shown()
        if shown is not None:
            return "<carom.Simulation: shown at %s>" % shown.url
        return "<carom.Simulation: time %.6g, %d events%s>" % (
            self.time, self.events["total"], ", ended: %s" % self.stop if self.stop else "")


def scene_of(given: Any) -> Scene:
    """The scene that an argument stands for: a Scene, of which a copy is made, a dictionary, or the path of a file."""
    if isinstance(given, Scene):
        return given.copy()
    if isinstance(given, Mapping):
        return Scene(given)
    if not isinstance(given, (str, os.PathLike)):
        raise UsageError("a scene is a carom.Scene, a dictionary or the path of a scene file, not %r" % (given,))
    return Scene.load(given)

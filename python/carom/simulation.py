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
from typing import Any, Iterator

import numpy as np

from carom import _declarations as declarations
from carom._library import Handle, check, decoded, encoded, lib, owned
from carom.errors import DynamicsError, UsageError, error_of
from carom.frame import Energy, Frame, FrameHandle
from carom.progress import Choice, Reporter
from carom.scene import Scene

_KINDS = ("collision", "wall", "merge", "force", "certificate", "transfer", "rebase", "total")


class _FramePool:
    """Frames of one simulation that are no longer used: their memory serves the next frames."""

    _KEPT = 2

    def __init__(self) -> None:
        self._free: list[int] = []
        self._closed = False

    def take(self, sim: ctypes.c_void_p) -> FrameHandle:
        address = ctypes.c_void_p(self._free.pop() if self._free else None)
        status = lib.carom_sim_take(sim, ctypes.byref(address))
        if address.value and status != declarations.CAROM_OK:
            lib.carom_frame_free(address)
        check(status, lib.carom_sim_message(sim))
        assert address.value is not None
        return FrameHandle(address.value, self.release)

    def release(self, address: int) -> None:
        if self._closed or len(self._free) >= self._KEPT:
            lib.carom_frame_free(address)
        else:
            self._free.append(address)

    def close(self) -> None:
        self._closed = True
        while self._free:
            lib.carom_frame_free(self._free.pop())


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

    def __init__(self, scene: Any, output: "str | os.PathLike[str] | None" = None, *, force: bool = False,
                 resume: bool = False, threads: int = 1, progress: Choice = None) -> None:
        self._lock = threading.Lock()
        self._doing = ""
        self._raised: BaseException | None = None
        self._reporter: Reporter | None = None
        self._progress = progress
        self._pool = _FramePool()
        self._frame: Frame | None = None
        self._initial: float | None = None
        self.scene = scene_of(scene)
        self.output = None if output is None else os.fspath(output)
        self._loaded = self.scene._open()
        self._callbacks = (declarations.carom_progress_callback(self._report),
                           dict(declarations.carom_options._fields_)["warning"](self._warn))
        self._options = declarations.carom_options(
            output=None if output is None else encoded(output), force=force, resume=resume, threads=int(threads),
            progress=self._callbacks[0], warning=self._callbacks[1])
        self._address = ctypes.c_void_p()
        self._create()

    # ---- creation and end ----

    def _create(self) -> None:
        with self._running("being created"):
            status = lib.carom_sim_new(ctypes.byref(self._address), self._loaded.address, ctypes.byref(self._options))
            self._handle = Handle(self._address.value, lib.carom_sim_free)
            self._raise_pending()
            self._check(status)
        count = iter(range(1 << 30))
        self._species = tuple(decoded(name) for name in
                              iter(lambda: lib.carom_scene_species(self._loaded.address, next(count)), None))

    def close(self) -> None:
        """Completes the result file, if there is one, and frees the simulation. Frames remain valid."""
        handle = self.__dict__.get("_handle")
        if handle is None or not handle.address:
            return
        with self._exclusive("being closed"):
            status = lib.carom_sim_finish(handle.address) if self.output is not None else declarations.CAROM_OK
            error = None if status == declarations.CAROM_OK else error_of(status, decoded(lib.carom_sim_message(handle.address)))
            handle.close()
            self._address = ctypes.c_void_p()
            self._pool.close()
        if error is not None:
            raise error

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    # ---- runs ----

    def run(self, time: float | None = None, *, collisions: int | None = None, events: int | None = None,
            wall: float | None = None) -> None:
        """Runs to the first of the given limits. Without limits, runs to those of the scene (`run.until`) and completes the
        result file.

        Limits of a call replace those of the scene. They are totals since the start of the run.

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
        given = {"time": time, "collisions": collisions, "events": events, "wall_s": wall}
        limits = {name: value for name, value in given.items() if value is not None}
        for name, value in limits.items():
            if not float(value) >= 0:
                raise UsageError("the limit `%s` of a run is %r: it must be a number that is not negative"
                                 % (name.replace("_s", ""), value))
        if not limits:
            self._run_to_end()
        elif all(value > self._reached(name) for name, value in limits.items()):
            self._run_to(limits)

    def _reached(self, limit: str) -> float:
        """The present value of what a limit bounds."""
        if limit == "time":
            return self.time
        return {"collisions": self.collisions, "events": self.events["total"]}.get(limit, 0)

    def step(self, n: int = 1) -> None:
        """Executes the next `n` physical events."""
        self._run_to({"events": self.events["total"] + int(n)})

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
        if not every > 0:
            raise UsageError("`every` is %r: it must be a positive time" % every)
        limits = {} if until is not None else self._scene_limits()
        end = float(limits.pop("time", math.inf) if until is None else until)
        k = math.ceil(self.time / every - 1e-9)
        while k * every <= end * (1 + 1e-12):
            if k * every > self.time:
                self._run_to({"time": k * every, **limits})
                if self.time < k * every:
                    return
            yield self.frame
            k += 1

    def _scene_limits(self) -> dict[str, Any]:
        """The limits of the scene that are given."""
        limits = declarations.carom_limits()
        check(lib.carom_scene_limits(self._loaded.address, ctypes.byref(limits)))
        return {name: getattr(limits, name) for name, _ in limits._fields_ if getattr(limits, name) > 0}

    def _run_to_end(self) -> None:
        with self._running("running"):
            status = lib.carom_sim_run_to(self._address, None)
            if status in (declarations.CAROM_OK, declarations.CAROM_DYNAMICS) and self._raised is None:
                finished = lib.carom_sim_finish(self._address)
                status = finished if finished != declarations.CAROM_OK else status
        self._end_of_run(status)

    def _run_to(self, limits: dict[str, Any]) -> None:
        given = declarations.carom_limits(**limits)
        with self._running("running"):
            status = lib.carom_sim_run_to(self._address, ctypes.byref(given))
        self._end_of_run(status)

    def _end_of_run(self, status: int) -> None:
        self._raise_pending()
        self._check(status)

    # ---- calls of the library ----

    @contextlib.contextmanager
    def _exclusive(self, doing: str) -> Iterator[None]:
        """Reserves the simulation for one call: another thread, or a callback, that uses it meanwhile gets an error."""
        if not self._lock.acquire(blocking=False):
            raise UsageError("the simulation is %s: it can be used after that" % (self._doing or "in use"))
        self._doing = doing
        try:
            yield
        finally:
            self._doing = ""
            self._lock.release()

    @contextlib.contextmanager
    def _running(self, doing: str) -> Iterator[None]:
        """A call that changes the state and reports progress."""
        with self._exclusive(doing):
            self._frame = None
            self._reporter = Reporter(self._progress)
            try:
                yield
            finally:
                self._reporter.close()
                self._reporter = None

    def _report(self, given: Any, _user: Any) -> None:
        """Receives the progress, and Ctrl-C, which Python raises here: exceptions cannot pass through the library."""
        try:
            if self._reporter is not None:
                self._reporter.report(given.contents)
        except BaseException as raised:
            self._raised = self._raised or raised
            lib.carom_sim_request_stop(self._address)

    def _warn(self, line: bytes, _user: Any) -> None:
        try:
            warnings.warn(decoded(line), stacklevel=5)
        except BaseException as raised:  # a filter may make warnings errors
            self._raised = self._raised or raised
            lib.carom_sim_request_stop(self._address)

    def _raise_pending(self) -> None:
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised

    def _check(self, status: int) -> None:
        if status == declarations.CAROM_DYNAMICS:
            raise DynamicsError(decoded(lib.carom_sim_message(self._address)), stop=self.stop or "")
        check(status, lib.carom_sim_message(self._address))

    # ---- state ----

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
        return float(lib.carom_sim_time(self._address))

    @property
    def events(self) -> dict[str, int]:
        """Numbers of events since the start of the run, by kind; "total": the physical ones."""
        return {kind: int(lib.carom_sim_events(self._address, kind.encode())) for kind in _KINDS}

    @property
    def collisions(self) -> int:
        """Number of collisions between particles since the start of the run."""
        return int(lib.carom_sim_events(self._address, b"collision"))

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
        reason = lib.carom_sim_stop(self._address)
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
        return "<carom.Simulation: time %.6g, %d events%s>" % (
            self.time, self.events["total"], ", ended: %s" % self.stop if self.stop else "")


def scene_of(given: Any) -> Scene:
    """The scene that an argument stands for: a Scene, a dictionary, or the path of a file."""
    if isinstance(given, Scene):
        return given
    return Scene(given) if isinstance(given, dict) else Scene.load(given)

"""The simulation of the library: its creation and end, and the calls on it with their callbacks and exceptions."""
from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Iterator

from carom import _declarations as declarations
from carom._checks import whole
from carom._library import Handle, check, decoded, encoded, field_type, lib, method_pointer, names, warn
from carom._signals import caught
from carom.errors import DynamicsError, UsageError, error_of
from carom.frame import Frame, take_frame
from carom.progress import Choice, Reporter, checked
from carom.scene_check import faults_of, raise_faults

if TYPE_CHECKING:
    from carom.events import EventLog
    from carom.observers import Potential
    from carom.view import View


class LibrarySimulation:
    """A simulation of the library, for one call at a time. Nothing that it owns refers to it: it ends with its last
    reference."""

    output: "str | None"
    _address: ctypes.c_void_p
    _handle: Handle
    _loaded: Handle
    _options: Any

    def _begin(self, loaded: Handle, output: Any, force: bool, resume: bool, threads: Any, progress: Choice) -> None:
        """Sets the attributes that do not need the library."""
        self._lock = threading.Lock()
        self._closed = False
        self._doing = ""
        self._process = os.getpid()
        self._raised: BaseException | None = None
        self._reporter: Reporter | None = None
        self._progress = checked(progress)
        self._frame: Frame | None = None
        self._initial: float | None = None  # conserved energy of the start
        self._view: "weakref.ref[View] | None" = None
        self._potentials: list[Potential] = []
        self._logs: list[EventLog] = []
        self._kept: list[Any] = []  # potentials, of which the library has addresses
        self.output = None if output is None else os.fspath(output)
        count = (declarations.CAROM_THREADS_AUTOMATIC if threads is None
                 else whole(threads, "the number of threads", 1, declarations.CAROM_THREADS_MOST))
        self._loaded = loaded
        self._callbacks = (method_pointer(declarations.carom_progress_callback, self._report),
                           method_pointer(field_type(declarations.carom_options, "warning"), self._warn))
        self._options = declarations.carom_options(
            output=None if output is None else encoded(output), force=force, resume=resume, threads=count,
            progress=self._callbacks[0], warning=self._callbacks[1])
        self._address = ctypes.c_void_p()

    def _create(self, call: Callable[[Any], int]) -> None:
        with self._running("being created"):
            status = call(ctypes.byref(self._address))
            self._handle = Handle(self._address.value, lib.carom_sim_free)
            self._raise_pending()
            faults = faults_of(lib.carom_sim_fault_count, lib.carom_sim_fault, self._address)
            if faults:
                raise_faults(status, decoded(lib.carom_sim_message(self._address)), faults)
            self._check(status)
        first = take_frame(self._address)
        self._dimension = int(lib.carom_frame_dimension(first.address))
        self._species = tuple(names(lib.carom_scene_species, self._loaded.address))

    def _end(self) -> None:
        """Completes the result file, if there is one, and frees the simulation; ends its view."""
        handle = self.__dict__.get("_handle")
        if handle is None or not handle.address:
            return
        shown = self._shown()
        if shown is not None:
            shown.stop()
        with self._exclusive("being closed"):
            status = lib.carom_sim_finish(handle.address) if self.output is not None else declarations.CAROM_OK
            error = None if status == declarations.CAROM_OK else error_of(status, decoded(lib.carom_sim_message(handle.address)))
            while self._logs:
                self._logs.pop()._detach()
            handle.close()
            self._closed = True
            self._address = ctypes.c_void_p()
            self._kept.clear()
        if error is not None:
            raise error

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            if self._process == os.getpid():
                self._end()

    # ---- one call at a time ----

    def _shown(self) -> Any:
        """The view that is running, or None."""
        view = self._view() if self._view is not None else None
        return view if view is not None and view.running else None

    def _not_shown(self) -> ctypes.c_void_p:
        """The address of the simulation for a call that reads it, unless a view runs it in another thread, or it is closed."""
        if self._closed:
            raise UsageError("the simulation is closed" + (
                "" if self.output is None else "; its results are in the result file: carom.open(%r)" % self.output))
        if self._shown() is not None:
            raise UsageError("the simulation is shown in a view: `sim.view().stop()` ends it")
        return self._address

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
            try:
                with caught(self._interrupt):  # the energy of potentials is that of functions of Python
                    yield
            finally:
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

    # ---- exceptions and statuses ----

    def _interrupt(self, raised: BaseException) -> None:
        """Ends the call for an exception of a signal, as Ctrl-C. A second one passes on: a function of the user may hang."""
        if self._raised is not None:
            raise raised
        self._end_call(raised)

    def _end_call(self, raised: BaseException) -> None:
        """Ends the call for an exception of a callback, which cannot pass through the library. The first one is raised."""
        self._raised = self._raised or raised
        lib.carom_sim_request_stop(self._address)

    def _report(self, given: Any, _user: Any) -> None:
        try:
            if self._reporter is not None:
                self._reporter.report(given.contents)
        except BaseException as raised:
            self._end_call(raised)

    def _warn(self, line: bytes, _user: Any) -> None:
        try:
            warn(decoded(line))
        except BaseException as raised:  # a filter may make warnings errors
            self._end_call(raised)

    def _raise_pending(self) -> None:
        """Raises the first exception of the callbacks of the last call, if there was one."""
        pending = [self._raised, *(potential.take_raised() for potential in self._potentials)]
        self._raised = None
        for raised in pending:
            if raised is not None:
                raise raised

    def _check(self, status: int) -> None:
        if status == declarations.CAROM_DYNAMICS:
            reason = lib.carom_sim_stop(self._address)
            raise DynamicsError(decoded(lib.carom_sim_message(self._address)), stop=decoded(lib.carom_stop_name(reason)))
        check(status, lib.carom_sim_message(self._address))

    def _end_of_call(self, status: int) -> None:
        """Raises what the callbacks of a call raised, or the exception of its status."""
        self._raise_pending()
        self._check(status)

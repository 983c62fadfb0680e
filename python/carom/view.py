"""Views: the live page of a simulation or a result, and pages in a file."""
from __future__ import annotations

import atexit
import contextlib
import ctypes
import html
import os
import pathlib
import tempfile
import threading
import weakref
import webbrowser
from typing import Any, Callable, Iterator

from carom import _declarations as declarations
from carom._checks import number, whole
from carom._library import Handle, check, decoded, encoded, lib, owned
from carom.errors import UsageError, error_of

_HEIGHT = 520  # px

#: Views that are running: they end with the interpreter.
_running: "set[View]" = set()


def _height_of(height: Any) -> int:
    return whole(height, "the height of a view", 1, 100000)


def _frame_of(source: str, height: int) -> str:
    return ('<iframe %s width="100%%" height="%d" style="border:1px solid #8884;border-radius:6px" '
            'allow="fullscreen"></iframe>' % (source, height))


class View:
    """The live page, served in the background until `stop`, the end of a `with` block or of the interpreter.

    Views come from `Simulation.view` and `view`. In a notebook, a view as the last value of a cell shows the page. The
    server accepts connections from this machine only, unless `bind` names another address.

    Attributes
    ----------
    url : str
        Address of the page.
    """

    def __init__(self, serve: Callable[[ctypes.c_void_p], int], bind: "str | None" = None, port: int = 0,
                 height: int = _HEIGHT, after: "Callable[[int, str], None] | None" = None) -> None:
        options = declarations.carom_view_options(bind=None if bind is None else encoded(bind),
                                                  port=whole(port, "the port of a view", 0, 65535), framed=True)
        address = ctypes.c_void_p()
        status = lib.carom_view_new(ctypes.byref(address), ctypes.byref(options))
        self._handle = Handle(address.value, lib.carom_view_free)
        check(status, lib.carom_view_message(self._handle.address))
        self.url = decoded(lib.carom_view_url(self._handle.address))
        self._height = _height_of(height)
        self._status = declarations.CAROM_OK
        self._message = ""
        self._raised: "BaseException | None" = None
        self._after = after
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(serve,), name="carom view", daemon=True)

    def _start(self) -> "View":
        _running.add(self)
        self._thread.start()
        return self

    def _run(self, serve: Callable[[ctypes.c_void_p], int]) -> None:
        try:
            self._status = serve(self._handle.address)
            self._message = decoded(lib.carom_view_message(self._handle.address))
        except BaseException as raised:
            self._raised = raised
        finally:
            _running.discard(self)
            self._ended.set()

    @property
    def running(self) -> bool:
        """Whether the page is served."""
        return not self._ended.is_set()

    def stop(self) -> None:
        """Ends the view. A simulation can be used again, and goes on from the state that the page showed last.

        Raises
        ------
        CaromError
            The simulation ended with an error while it was shown; the class is that of `Simulation.run`.
        """
        if self._handle.address:
            lib.carom_view_request_stop(self._handle.address)
            self._thread.join()
            self._handle.close()
            raised, self._raised = self._raised, None
            if raised is not None:
                raise raised
            if self._after is not None:
                self._after(self._status, self._message)
            elif self._status not in (declarations.CAROM_OK, declarations.CAROM_EARLY):
                raise error_of(self._status, self._message)

    def wait(self) -> None:
        """Serves the page until Ctrl-C, then ends the view: the last line of a script."""
        with contextlib.suppress(KeyboardInterrupt):
            self._ended.wait()
        self.stop()

    def open(self) -> "View":
        """Opens the page in a browser. Returns the view."""
        webbrowser.open(self.url)
        return self

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def __repr__(self) -> str:
        return "<carom.View: %s%s>" % (self.url, "" if self.running else ", ended")

    def _repr_html_(self) -> str:
        url = html.escape(self.url)
        return _frame_of('src="%s"' % url, self._height) + '<div><a href="%s" target="_blank">%s</a></div>' % (url, url)


@atexit.register
def _stop_all() -> None:
    for view_ in list(_running):
        with contextlib.suppress(Exception):
            view_.stop()


class Page:
    """A page in a file: recorded frames that a browser plays without a server or a network.

    Pages come from `Simulation.view(static=True)` and `view(path)`; an empty one records the states of a simulation by
    `record`. In a notebook, a page as the last value of a cell shows itself, and is stored with the notebook.

    Parameters
    ----------
    frames : int
        Largest number of frames; of more, every second, third, ... is kept, and the last. Default: 300.
    particles : int
        Largest number of particles that are shown. Default: 150000.
    megabytes : float
        Largest size of the page; frames are thinned out until it is smaller. Default: 20.
    height : int
        Height of the frame in notebooks [pixels].

    Examples
    --------
    >>> import carom
    >>> page = carom.Page()
    >>> sim = carom.Simulation(carom.Scene.starter("gas"))
    >>> for frame in sim.frames(every=0.1, until=1):
    ...     _ = page.record(sim)
    >>> page.frames
    11
    """

    def __init__(self, frames: "int | None" = None, particles: "int | None" = None, megabytes: "float | None" = None,
                 height: int = _HEIGHT) -> None:
        counts = {name: whole(value, "`%s` of a page" % name, 1) for name, value in
                  (("frames", frames), ("particles", particles)) if value is not None}
        size = 0.0 if megabytes is None else number(megabytes, "`megabytes` of a page", above=0)
        options = declarations.carom_page_options(**counts, megabytes=size)
        address = ctypes.c_void_p()
        status = lib.carom_page_new(ctypes.byref(address), ctypes.byref(options))
        self._handle = Handle(address.value, lib.carom_page_free)
        self._height = _height_of(height)
        self._check(status)

    def _check(self, status: int) -> None:
        check(status, lib.carom_page_message(self._handle.address))

    def record(self, sim: Any) -> "Page":
        """Adds the present state of a simulation as the next frame. Returns the page."""
        if not hasattr(sim, "_exclusive"):
            raise UsageError("a page records a simulation, not %r" % (sim,))
        with sim._exclusive("being recorded"):
            self._check(lib.carom_page_record(self._handle.address, sim._address))
        return self

    def _add_file(self, path: "str | os.PathLike[str]") -> "Page":
        with _opened(path) as file:
            self._check(lib.carom_page_add_file(self._handle.address, file))
        return self

    @property
    def frames(self) -> int:
        """Number of frames that the page keeps. The limit of its size applies when it is written."""
        return int(lib.carom_page_frames(self._handle.address))

    @property
    def recorded(self) -> int:
        """Number of frames that were recorded, or that the result has."""
        return int(lib.carom_page_recorded(self._handle.address))

    @property
    def html(self) -> str:
        """The page, one HTML document."""
        text = ctypes.c_void_p()
        self._check(lib.carom_page_text(self._handle.address, ctypes.byref(text)))
        return owned(text.value)

    def save(self, path: "str | os.PathLike[str]", force: bool = False) -> "Page":
        """Writes the page to a file. Returns the page.

        Parameters
        ----------
        path : path
            The file, as "gas.html".
        force : bool
            Replace an existing file.
        """
        self._check(lib.carom_page_write(self._handle.address, encoded(path), force))
        return self

    def open(self) -> "Page":
        """Opens the page in a browser, from a temporary file. Returns the page."""
        folder = tempfile.mkdtemp(prefix="carom-")
        path = pathlib.Path(folder, "page.html")
        self.save(path)
        webbrowser.open(path.as_uri())
        return self

    def __repr__(self) -> str:
        return "<carom.Page: %d of %d frames>" % (self.frames, self.recorded)

    def _repr_html_(self) -> str:
        source = html.escape(self.html, quote=False).replace('"', "&quot;")
        return _frame_of('sandbox="allow-scripts allow-downloads" srcdoc="%s"' % source, self._height)


@contextlib.contextmanager
def _opened(path: "str | os.PathLike[str]") -> Iterator[ctypes.c_void_p]:
    """A result file for calls of the library."""
    address = ctypes.c_void_p()
    status = lib.carom_file_open(ctypes.byref(address), encoded(path))
    handle = Handle(address.value, lib.carom_file_free)
    try:
        check(status, lib.carom_file_message(handle.address))
        yield handle.address
    finally:
        handle.close()


def view(path: "str | os.PathLike[str]", *, static: bool = True, bind: "str | None" = None, port: int = 0,
         height: int = _HEIGHT, **limits: Any) -> "View | Page":
    """Shows the frames of a result.

    Parameters
    ----------
    path : path
        The result file.
    static : bool
        True: a page in a file. False: the live page, which also shows frames that a run adds, and results of any size.
    bind, port
        Address and port of the server of a live page; None and 0: a free port that is accessible from this machine only.
    height : int
        Height of the frame in notebooks [pixels].
    **limits
        `frames`, `particles` and `megabytes` of a `Page`.
    """
    if static:
        if bind is not None or port:
            raise UsageError("`bind` and `port` are for a live page: give static=False")
        return Page(height=height, **limits)._add_file(path)
    if limits:
        raise UsageError("`%s` is for pages in a file: a live page shows all frames" % next(iter(limits)))
    with _opened(path):  # errors are raised here
        pass

    def serve(address: ctypes.c_void_p) -> int:
        with _opened(path) as file:
            return int(lib.carom_view_replay(address, file))

    return View(serve, bind, port, height)._start()


def view_of(sim: Any, static: bool, every: "float | None", until: "float | None", bind: "str | None", port: int,
            height: int, limits: dict[str, Any]) -> "View | Page":
    """Implements `Simulation.view`."""
    if static:
        return _recording_of(sim, every, until, Page(height=height, **limits))
    if every is not None or limits:
        raise UsageError("`%s` is for pages in a file: give static=True" % ("every" if every is not None else next(iter(limits))))
    return sim._shown() or _live_of(sim, until, bind, port, height)


def _recording_of(sim: Any, every: "float | None", until: "float | None", page: Page) -> Page:
    if every is None:
        if until is not None:
            raise UsageError("`until` needs `every`, the time between frames")
        return page.record(sim)
    for _ in sim.frames(every, until):
        page.record(sim)
    return page


def _live_of(sim: Any, until: "float | None", bind: "str | None", port: int, height: int) -> View:
    if sim._observers:
        raise UsageError("functions of Python that observe the simulation are not called while it is shown: `remove()` of "
                         "these observers ends them, and `view(static=True, every=...)` calls them")
    limits = None if until is None else declarations.carom_limits(
        time=number(until, "the limit `until` of a view", above=0, finite=False))
    held = contextlib.ExitStack()

    def serve(address: ctypes.c_void_p) -> int:
        try:
            return int(lib.carom_view_run(address, sim._address, None if limits is None else ctypes.byref(limits)))
        finally:
            held.close()

    def after(status: int, message: str) -> None:
        sim._view = None
        sim._raise_pending()
        if status != declarations.CAROM_EARLY:
            check(status, message, **({"stop": sim.stop or ""} if status == declarations.CAROM_DYNAMICS else {}))

    made = View(serve, bind, port, height, after)
    held.enter_context(sim._reserved("shown in a view"))
    sim._frame = None
    sim._view = weakref.ref(made)
    return made._start()

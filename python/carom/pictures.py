"""Pictures of states, movies, and plots of observables."""
from __future__ import annotations

import base64
import contextlib
import ctypes
import json
import operator
import os
import pathlib
import re
import tempfile
from typing import Any, Iterator, Sequence, Union

from carom import _declarations as declarations
from carom._checks import MOST, number
from carom._library import Handle, check, encoded, lib, owned
from carom.errors import UsageError
from carom.frame import Frame
from carom.results import Result
from carom.simulation import Simulation

PathLike = Union[str, "os.PathLike[str]"]


class Picture:
    """A picture of a state, which notebooks show.

    Attributes
    ----------
    data : bytes
        The PNG file.
    report : dict
        "first" (number of the frame), "width", "height", "colour", and the durations "draw_s" and "write_s".
    """

    def __init__(self, data: bytes, report: dict[str, Any]) -> None:
        self.data = data
        self.report = report

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.report["width"], self.report["height"]

    def save(self, path: PathLike) -> None:
        """Writes the PNG file."""
        pathlib.Path(path).write_bytes(self.data)

    def _repr_png_(self) -> bytes:
        return self.data

    def __repr__(self) -> str:
        return "<carom.Picture: %d x %d pixels>" % self.size


class Movie:
    """A movie of the frames of a result, which notebooks show.

    Attributes
    ----------
    data : bytes
        The MP4 file.
    report : dict
        As of `Picture`; "frames" is their number.
    """

    def __init__(self, data: bytes, report: dict[str, Any]) -> None:
        self.data = data
        self.report = report

    def save(self, path: PathLike) -> None:
        """Writes the MP4 file."""
        pathlib.Path(path).write_bytes(self.data)

    def _repr_html_(self) -> str:
        return '<video controls loop width="%d" src="data:video/mp4;base64,%s"></video>' % (
            self.report["width"], base64.b64encode(self.data).decode())

    def __repr__(self) -> str:
        return "<carom.Movie: %d frames of %d x %d pixels>" % (
            self.report["frames"], self.report["width"], self.report["height"])


# ---- options ---------------------------------------------------------------------------------------------------------


def _frame_of(frame: Any, count: int) -> int:
    """Number of a frame, or the constant for a word. Negative numbers count from the last of `count` frames."""
    words = {None: declarations.CAROM_RENDER_SUITS, "last": declarations.CAROM_RENDER_LAST,
             "all": declarations.CAROM_RENDER_ALL}
    if frame is None or isinstance(frame, str):
        if frame not in words:
            raise UsageError("option 'frame' needs the number of a frame, 'last' or 'all', not %r" % frame)
        return words[frame]
    number = operator.index(frame)
    if number < -count:
        raise UsageError("there is no frame %d: there are %d" % (number, count))
    return min(number, MOST) if number >= 0 else number + count


def _size_of(size: Any) -> tuple[int, int]:
    if size is None:
        return 0, 0
    if isinstance(size, str):
        match = re.fullmatch(r"(\d+)x(\d+)", size)
        size = tuple(map(int, match.groups())) if match else None
    with contextlib.suppress(TypeError, ValueError):
        width, height = (int(side) for side in size)
        if width > 0 and height > 0:
            return width, height
    raise UsageError("option 'size' needs a width and a height in pixels, as in (960, 720), not %r" % (size,))


def _camera_of(camera: Any) -> "tuple[float, float, float] | None":
    """Azimuth, elevation and zoom (0: not given)."""
    if camera is None:
        return None
    given = camera.split(",") if isinstance(camera, str) else camera
    with contextlib.suppress(TypeError, ValueError):
        numbers = [float(number) for number in given]
        azimuth, elevation, zoom = numbers if len(numbers) == 3 else (*numbers, 1.0)
        if abs(azimuth) <= 360 and abs(elevation) <= 90 and 0 < zoom <= 1000:
            return azimuth, elevation, zoom if len(numbers) == 3 else 0.0
    raise UsageError("option 'camera' needs azimuth and elevation in degrees, up to 360 and 90, and after them a zoom above "
                     "0 and up to 1000, not %r" % (camera,))


def _render_options(size: Any, camera: Any, colour: "str | None", meshes: "str | None", whole: bool, unshaded: bool,
                    rate: "float | None", dark: bool) -> Any:
    width, height = _size_of(size)
    turned = _camera_of(camera)
    if rate is not None and not 0 < number(rate, "option 'rate'") <= 1000:
        raise UsageError("option 'rate' needs frames per second, above 0 and up to 1000, not %r" % (rate,))
    options = declarations.carom_render_options(
        width=width, height=height, colour=None if colour is None else encoded(colour),
        meshes=None if meshes is None else encoded(meshes), whole=bool(whole), unshaded=bool(unshaded),
        rate=float(rate or 0), dark=bool(dark))
    if turned is not None:
        options.turned, (options.azimuth, options.elevation, options.zoom) = True, turned
    return options


@contextlib.contextmanager
def _opened(source: Any) -> Iterator[Result]:
    if isinstance(source, Result):
        with source._lock:
            yield source
    else:
        with Result(source) as result:
            yield result


# ---- pictures --------------------------------------------------------------------------------------------------------


def render(source: Any, target: "PathLike | None" = None, *, frame: Any = None, colour: "str | None" = None,
           size: Any = None, camera: Any = None, meshes: "str | None" = None, whole: bool = False, unshaded: bool = False,
           rate: "float | None" = None, dark: bool = False, force: bool = False, format: "str | None" = None) -> Any:
    """Draws the bodies of a result or of a simulation, as `carom render` does.

    Parameters
    ----------
    source : path, Result or Simulation
        A result, or a simulation, whose present state is drawn without a result file.
    target : path, optional
        File to write: a picture (.png), a movie (.mp4, by ffmpeg) or one picture for each frame ("frames-%d.png").
    frame : int, "last", "all" or Frame
        Number of the frame; default: the last for a picture, all for movies. For a simulation a `Frame` that was taken
        from it.
    colour : str
        "species", "speed", "cluster", "molecule", "strain" or "layers"; default: cluster if particles merge, else species.
    size : (int, int)
        Width and height in pixels.
    camera : (float, float) or (float, float, float)
        Azimuth and elevation in degrees, and a zoom.
    meshes : str
        "solid", "transparent", "edges" or "hidden".
    whole : bool
        Molecules and clusters in one piece, beyond the box where they cross a periodic boundary.
    unshaded : bool
        Without ambient occlusion (three dimensions).
    rate : float
        Frames per second of a movie.
    dark : bool
        Light on dark.
    force : bool
        Replace existing files.
    format : str
        "png" or "mp4" without a target; default: "png".

    Returns
    -------
    Picture, Movie or list of path
        A list of the files for a numbered target.

    Examples
    --------
    >>> import carom
    >>> carom.render(carom.Simulation(carom.Scene.starter("gas")), size=(320, 240))
    <carom.Picture: 320 x 240 pixels>
    """
    if target is not None and format is not None:
        raise UsageError("give either a target or a format: the ending of the target is its format")
    if format not in (None, "png", "mp4"):
        raise UsageError("option 'format' is 'png' or 'mp4', not %r" % (format,))
    options = _render_options(size, camera, colour, meshes, whole, unshaded, rate, dark)
    draw = _draw_simulation if isinstance(source, Simulation) else _draw_result
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        name = os.path.join(folder, "picture." + (format or "png")) if target is None else os.fspath(target)
        report = draw(source, frame, name, force, options)
        if "%" in name:
            return [name % (report["first"] + n) for n in range(report["frames"])]
        del report["picture"]
        data = pathlib.Path(name).read_bytes()
    return (Movie if name.endswith(".mp4") else Picture)(data, report)


def _draw_simulation(sim: Simulation, frame: Any, name: str, force: bool, options: Any) -> dict[str, Any]:
    state = None
    if isinstance(frame, Frame):
        state = frame._handle.address
        options.frame = declarations.CAROM_RENDER_LAST
    else:
        options.frame = _frame_of(frame, 0)
    text = ctypes.c_void_p()
    with sim._exclusive("being drawn"):
        status = lib.carom_sim_render(sim._address, state, encoded(name), force, ctypes.byref(options), ctypes.byref(text))
        report = owned(text.value)
        check(status, lib.carom_sim_message(sim._address))
    return json.loads(report)


def _draw_result(source: Any, frame: Any, name: str, force: bool, options: Any) -> dict[str, Any]:
    if isinstance(source, Frame) or isinstance(frame, Frame):
        raise UsageError("a Frame is drawn with its simulation, render(simulation, frame=...); a frame of a result by its "
                         "number")
    text = ctypes.c_void_p()
    with _opened(source) as result:
        options.frame = _frame_of(frame, len(result.frames))
        status = lib.carom_file_render(result._address, encoded(name), force, ctypes.byref(options), ctypes.byref(text))
        report = owned(text.value)
        check(status, lib.carom_file_message(result._address))
    return json.loads(report)


# ---- plots -----------------------------------------------------------------------------------------------------------


class Plot:
    """A plot of observables with one panel for each quantity, which notebooks show."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._drawn: dict[str, bytes] = {}
        self._report: dict[str, Any] = {}

    def _draw(self, ending: str) -> bytes:
        if ending not in self._drawn:
            with tempfile.TemporaryDirectory(prefix="carom-") as folder:
                name = os.path.join(folder, "plot." + ending)
                self._report = self._write(name, False)
                self._drawn[ending] = pathlib.Path(name).read_bytes()
        return self._drawn[ending]

    def _write(self, name: str, force: bool) -> dict[str, Any]:
        text = ctypes.c_void_p()
        status = lib.carom_plot_write(self._handle.address, encoded(name), force, ctypes.byref(text))
        report = owned(text.value)
        check(status, lib.carom_plot_message(self._handle.address))
        return json.loads(report)

    @property
    def panels(self) -> list[dict[str, Any]]:
        """Name, title, axes and curves of each panel, as `carom plot --json` describes them."""
        if not self._report:
            self._draw("svg")
        return self._report["panels"]

    @property
    def svg(self) -> str:
        """The plot as SVG."""
        return self._draw("svg").decode()

    @property
    def png(self) -> bytes:
        """The plot as a PNG file."""
        return self._draw("png")

    def save(self, path: PathLike, force: bool = True) -> None:
        """Writes the plot to a file with the ending .svg, .pdf or .png.

        Parameters
        ----------
        path : path
        force : bool
            Replace an existing file.
        """
        self._write(os.fspath(path), force)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return "<carom.Plot: %s>" % ", ".join(panel["name"] for panel in self.panels)


def path_of(source: Any) -> str:
    """The file that an argument stands for: a path, a Result, a Simulation with a result file, a sweep with a folder."""
    if isinstance(source, Result):
        return source.path
    if isinstance(source, Simulation):
        if source.output is None:
            raise UsageError("the simulation has no result file: create it with `output`, as in "
                             "Simulation(scene, output='run.h5')")
        return source.output
    folder = getattr(source, "folder", None)
    if folder is not None:
        return os.fspath(folder)
    if not isinstance(source, (str, os.PathLike)):
        raise UsageError("expected a path, a Result or a Simulation, not %s" % type(source).__name__)
    return os.fspath(source)


def texts(words: Sequence[str]) -> Any:
    """An array of texts for a call of the library."""
    return (ctypes.c_char_p * len(words))(*(encoded(word) for word in words))


def plot(*sources: Any, what: "str | Sequence[str] | None" = None, log: "str | None" = None, dark: bool = False) -> Plot:
    """Plots the observables of results, as `carom plot` does. Each panel compares all results.

    Parameters
    ----------
    *sources : path, Result, Simulation or sweep
        Results; simulations with a result file; folders of sweeps, or sweeps that have one.
    what : str or list of str
        Names of observables or panels; default: all.
    log : str
        Logarithmic axes: "none", "x", "y" or "xy"; default: chosen for each panel.
    dark : bool
        Light on dark.

    Returns
    -------
    Plot
    """
    files = texts([path_of(source) for source in sources])
    names = [what] if isinstance(what, str) else list(what or ())
    options = declarations.carom_plot_options(what=texts(names), what_count=len(names),
                                              log=None if log is None else encoded(log), dark=bool(dark))
    address = ctypes.c_void_p()
    status = lib.carom_plot_new(ctypes.byref(address), files, len(sources), ctypes.byref(options))
    handle = Handle(address.value, lib.carom_plot_free)
    check(status, lib.carom_plot_message(address))
    return Plot(handle)

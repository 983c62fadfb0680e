"""Studies of results: verification, shapes of clusters, and one scene with several engines."""
from __future__ import annotations

import contextlib
import csv
import ctypes
import html
import io
import json
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Sequence

import numpy as np

from carom import _declarations as declarations
from carom._checks import mapping, number, whole
from carom._library import Handle, check, decoded, encoded, lib, owned
from carom._signals import caught
from carom.errors import DataError, UsageError
from carom.pictures import path_of, texts
from carom.progress import Choice, Reporter, checked
from carom._arrays import html_table, pandas_module
from carom.results import Result
from carom.scene import Scene
from carom.scene_check import raise_faults
from carom.scene_tree import NAME, text_of
from carom.simulation import scene_of

# ---- verify ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VerificationCheck:
    """A check of a verification.

    Attributes
    ----------
    name : str
        "overlaps", "passages", "energy", ...
    violations : int
    descriptions : tuple of str
        The first violations, with the particles concerned.
    """

    name: str
    violations: int
    descriptions: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether there is no violation."""
        return self.violations == 0


class Verification:
    """Report of the checks of a result. It is true if the result is sound.

    Attributes
    ----------
    checks : dict of VerificationCheck
        By name.
    data : dict
        All numbers, as `carom verify --json` prints them.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.checks = {name: VerificationCheck(name, count, tuple(data["descriptions"].get(name, ())))
                       for name, count in data["violations"].items()}

    @property
    def sound(self) -> bool:
        """Whether no check has found a violation."""
        return bool(self.data["sound"])

    def __bool__(self) -> bool:
        return self.sound

    @property
    def json(self) -> str:
        """The report as JSON."""
        return json.dumps(self.data, indent=2)

    def __str__(self) -> str:
        lines = ["%s: %s; %d frames of %d particles" % (self.data["file"], "sound" if self.sound else "NOT SOUND",
                                                        self.data["frames"], self.data["particles"])]
        for one in self.checks.values():
            lines.append("%-12s %d" % (one.name, one.violations))
            lines += ["    " + line for line in one.descriptions]
        return "\n".join(lines)

    def __repr__(self) -> str:
        failed = [one.name for one in self.checks.values() if not one.sound]
        return "<carom.Verification '%s': %s>" % (self.data["file"],
                                                  "sound" if self.sound else "violations of " + ", ".join(failed))

    def _repr_html_(self) -> str:
        rows: list[tuple[Any, Any, Any]] = [("check", "violations", "")]
        rows += [(one.name, one.violations, "\n".join(one.descriptions)) for one in self.checks.values()]
        return "<p>%s: <b>%s</b></p>%s" % (html.escape(self.data["file"]), "sound" if self.sound else "not sound",
                                           html_table(rows))


class _Watch:
    """Shows the progress of a call, and lets Ctrl-C end it afterwards: a verification cannot be stopped."""

    def __init__(self, progress: Choice, stop: Any = None) -> None:
        self._reporter = Reporter(checked(progress))
        self._stop = stop
        self.raised: BaseException | None = None
        self.callback = declarations.carom_progress_callback(self._report)

    @contextlib.contextmanager
    def during(self) -> Iterator[None]:
        """The call. Raises afterwards what was raised meanwhile."""
        try:
            with caught(self._interrupt):
                yield
        finally:
            self._reporter.close()
        if self.raised is not None:
            raise self.raised

    def _interrupt(self, raised: BaseException) -> None:
        if self.raised is not None:
            raise raised
        self.raised = raised
        if self._stop is not None:
            self._stop()

    def _report(self, given: Any, _user: Any) -> None:
        try:
            self._reporter.report(given.contents)
        except BaseException as raised:  # exceptions cannot pass through the library
            self.raised = self.raised or raised
            if self._stop is not None:
                self._stop()


def verify(source: Any, progress: Choice = None) -> Verification:
    """Checks a result independently of the engines, as `carom verify` does: overlaps, passages of bodies through each other,
    balance of energy and momentum, the box, the clusters.

    Parameters
    ----------
    source : path, Result or Simulation
        A result, or a simulation with a result file, whose frames so far are checked.
    progress : None, bool or callable
        As of `Simulation`.

    Returns
    -------
    Verification

    Examples
    --------
    >>> import carom, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "gas.h5")
    >>> with carom.Simulation(carom.Scene.starter("gas"), output=path) as sim:
    ...     sim.run(time=5)
    >>> bool(carom.verify(path))
    True
    """
    text = ctypes.c_void_p()
    with Result(path_of(source)) as result:
        watch = _Watch(progress)
        with watch.during():
            lib.carom_file_follow(result._address, watch.callback, None)
            status = lib.carom_file_verify(result._address, True, ctypes.byref(text))
            lib.carom_file_follow(result._address, declarations.carom_progress_callback(0), None)
            report = owned(text.value)
        if status != declarations.CAROM_VIOLATION:
            check(status, lib.carom_file_message(result._address))
    return Verification(json.loads(report))


# ---- shape -----------------------------------------------------------------------------------------------------------


class Shape:
    """Shapes of clusters, and the statistics over them (docs/shape.md defines the numbers).

    Attributes
    ----------
    data : dict
        All numbers, as `carom shape --json` writes them.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self.data: dict[str, Any] = json.loads(self._report("json"))
        rows = list(csv.reader(io.StringIO(self._report("csv"), newline="")))
        self._columns = {name: _column([row[k] for row in rows[1:]]) for k, name in enumerate(rows[0])}

    def _report(self, kind: str) -> str:
        text = ctypes.c_void_p()
        status = lib.carom_shape_report(self._handle.address, kind.encode(), ctypes.byref(text))
        report = owned(text.value)
        check(status, lib.carom_shape_message(self._handle.address))
        return report

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the numbers of each cluster."""
        return tuple(self._columns)

    def __getitem__(self, name: str) -> np.ndarray:
        """A number of all clusters, the largest of a frame first; nan where it is not defined."""
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError("shapes have no column '%s'; they have %s" % (name, ", ".join(self._columns))) from None

    def __len__(self) -> int:
        """Number of clusters."""
        return len(self.clusters)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.clusters)

    @property
    def clusters(self) -> list[dict[str, Any]]:
        """The clusters with all of their numbers, the largest of a frame first."""
        return self.data["clusters"]

    @property
    def frames(self) -> list[dict[str, Any]]:
        """The frames: number and sizes of their clusters."""
        return self.data["frames"]

    @property
    def ensemble(self) -> dict[str, Any]:
        """Means and quantiles over the clusters."""
        return self.data["ensemble"]

    @property
    def dimension_of_mass(self) -> tuple[float, float]:
        """Fractal dimension from mass against radius of gyration over all clusters, with its error; nan: undefined."""
        fit = self.data["gyration_radius_of_mass"]
        return tuple(np.nan if fit[key] is None else fit[key] for key in ("dimension", "error"))  # type: ignore

    @property
    def text(self) -> str:
        """The report of `carom shape`."""
        return self._report("text")

    @property
    def csv(self) -> str:
        """One row for each cluster."""
        return self._report("csv")

    def to_pandas(self) -> Any:
        """A pandas DataFrame with one row for each cluster."""
        return pandas_module().DataFrame(self._columns)

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        return "<carom.Shape: %d clusters>" % len(self)

    def _repr_html_(self) -> str:
        shown = [name for name in ("cluster", "size", "gyration_radius", "aspect_ratio", "anisotropy", "contacts",
                                   "box_dimension", "pair_exponent") if name in self._columns]
        rows = [shown] + [[_cell(self._columns[name][k]) for name in shown] for k in range(min(len(self), 20))]
        more = "" if len(self) <= 20 else "<p>... %d clusters</p>" % len(self)
        return html_table(rows) + more


def _cell(value: Any) -> str:
    return "%.5g" % value if isinstance(value, (float, np.floating)) else str(value)


def _column(words: list[str]) -> np.ndarray:
    """Whole numbers, numbers (nan for empty cells) or words."""
    converters: "list[Callable[[str], float]]" = [int, lambda word: float(word) if word else np.nan]
    for convert in converters:
        try:
            return np.array([convert(word) for word in words])
        except ValueError:
            continue
    return np.array(words)


def _choice_of(given: Any, words: dict[str, int], option: str) -> int:
    if isinstance(given, str):
        if given not in words:
            raise UsageError("option '%s' needs a number, %s, not %r"
                             % (option, " or ".join("'%s'" % word for word in words), given))
        return words[given]
    return whole(given, "option '%s'" % option)


def shape(*sources: Any, frame: Any = "last", cluster: Any = "largest", min_size: int = 2, gap: float = 1e-6) -> Shape:
    """Measures the shapes of clusters, as `carom shape` does.

    Parameters
    ----------
    *sources : path, Result or Simulation
        Results; the statistics are over the clusters of all.
    frame : int, "last" or "all"
        Which frames.
    cluster : int, "largest", "all" or "together"
        Which clusters: the smallest id of a particle in it; "together": all particles as one cluster.
    min_size : int
        Smallest size of clusters for "all" and for the fit of radii of gyration.
    gap : float
        Results without clusters: particles are in contact at distances up to 1 + gap contact distances.

    Returns
    -------
    Shape
    """
    if not sources:
        raise UsageError("shape() needs at least one result")
    gap = number(gap, "option 'gap'")
    if not 0 < gap <= 1:
        raise UsageError("option 'gap' is %r: it must be above 0, since rounding separates particles in contact, and at most 1"
                         % (gap,))
    options = declarations.carom_shape_options(
        frame=_choice_of(frame, {"last": declarations.CAROM_SHAPE_LAST, "all": declarations.CAROM_SHAPE_ALL}, "frame"),
        cluster=_choice_of(cluster, {"largest": declarations.CAROM_SHAPE_LARGEST, "all": declarations.CAROM_SHAPE_ALL,
                                     "together": declarations.CAROM_SHAPE_TOGETHER}, "cluster"),
        min_size=whole(min_size, "option 'min_size'", 1), gap=gap)
    address = ctypes.c_void_p()
    status = lib.carom_shape_new(ctypes.byref(address), ctypes.byref(options))
    handle = Handle(address.value, lib.carom_shape_free)
    check(status, lib.carom_shape_message(address))
    for source in sources:
        check(lib.carom_shape_add(address, encoded(path_of(source))), lib.carom_shape_message(address))
    return Shape(handle)


# ---- compare ---------------------------------------------------------------------------------------------------------


class Comparison:
    """One scene with several engines.

    Attributes
    ----------
    engines : tuple of str
    summaries : list of dict
        Summary of the run of each engine, as `carom run --json` prints it.
    messages : list of str
        Report of the dynamics where it ended a run, "" elsewhere.
    text : str
        The table of `carom compare`.
    """

    _LABEL, _COLUMN = 22, 24

    def __init__(self, engines: Sequence[str], summaries: list[dict[str, Any]], messages: list[str], text: str) -> None:
        self.engines = tuple(engines)
        self.summaries = summaries
        self.messages = messages
        self.text = text

    def __getitem__(self, engine: str) -> dict[str, Any]:
        """Summary of the first run of an engine."""
        if engine not in self.engines:
            raise KeyError("the comparison has no engine '%s'; it has %s" % (engine, ", ".join(self.engines)))
        return self.summaries[self.engines.index(engine)]

    def __len__(self) -> int:
        """Number of engines."""
        return len(self.engines)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "<carom.Comparison: %s>" % ", ".join(self.engines)

    def _repr_html_(self) -> str:
        rows = []
        for line in self.text.split("\n"):
            cells = [line[:self._LABEL]]
            cells += [line[at:at + self._COLUMN] for at in range(self._LABEL, len(line), self._COLUMN)]
            rows.append([cell.strip() for cell in cells])
        return html_table(rows)


def compare(scene: Any, engines: Sequence[str] = ("hard", "variational"), *, set: "dict[str, Any] | None" = None,
            threads: int = 1, progress: Choice = None) -> Comparison:
    """Runs a scene with several engines from the same initial state, as `carom compare` does.

    Pressure and collision rate are always measured, where they exist; other observables of the scene are not.

    Parameters
    ----------
    scene : path, Scene or dict
    engines : sequence of str
        Up to 8.
    set : dict
        Keys of the scene and their values for these runs.
    threads : int
        Threads of each run.
    progress : None, bool or callable
        As of `Simulation`.

    Returns
    -------
    Comparison

    Raises
    ------
    SceneError
        An engine cannot run the scene.
    """
    names = [engines] if isinstance(engines, str) else list(engines)
    overrides = mapping(set, "`set`")
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        path = os.path.join(folder, "scene.yaml")
        if isinstance(scene, (str, os.PathLike)):
            path = name = os.fspath(scene)
        else:
            name = NAME
            scene_of(scene).save(path)
        sets = ["%s=%s" % (key, text_of(value, key)) for key, value in overrides.items()]
        try:
            return _compared(path, name, sets, names, threads, progress)
        except (DataError, UsageError):
            _raise_faults(scene, overrides, names)
            raise


def _raise_faults(scene: Any, overrides: dict[str, Any], engines: list[str]) -> None:
    """Raises the faults of a scene that could not be compared, with their places in the scene as it was given. A comparison
    leaves out the observables that one of the engines lacks."""
    observed: list[dict[str, Any]] = [{"observe": []}, {}]
    for changes in observed:
        for engine in engines:
            trial = Scene.load(scene, partial=True) if isinstance(scene, (str, os.PathLike)) else scene_of(scene)
            for key, value in {**overrides, "engine": engine, **changes}.items():
                trial[key] = value
            trial.check()


def _compared(path: str, name: str, sets: list[str], engines: list[str], threads: int, progress: Choice) -> Comparison:
    address = ctypes.c_void_p()

    def check_compared(status: int) -> str:
        message = decoded(lib.carom_compare_message(address)).replace(path, name)
        raise_faults(status if status != declarations.CAROM_DYNAMICS else declarations.CAROM_OK, message, ())
        return message

    watch = _Watch(progress, lambda: lib.carom_compare_request_stop(address))
    options = declarations.carom_compare_options(
        scene=encoded(path), engines=texts(engines), engine_count=len(engines), sets=texts(sets), set_count=len(sets),
        threads=whole(threads, "the number of threads", 1, declarations.CAROM_THREADS_MOST), progress=watch.callback)
    status = lib.carom_compare_new(ctypes.byref(address), ctypes.byref(options))
    handle = Handle(address.value, lib.carom_compare_free)
    check_compared(status)
    messages = []
    for n in range(len(engines)):
        with watch.during():
            status = lib.carom_compare_run(address, n)
        message = check_compared(status)
        messages.append(message if status == declarations.CAROM_DYNAMICS else "")
    text = ctypes.c_void_p()
    status = lib.carom_compare_report(address, False, ctypes.byref(text))
    table = owned(text.value)
    check_compared(status)
    summaries = [json.loads(decoded(lib.carom_compare_summary(address, n))) for n in range(len(engines))]
    handle.close()
    return Comparison(engines, summaries, messages, table)

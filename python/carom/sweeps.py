"""Sweeps: one scene over parameters and seeds, as a table."""
from __future__ import annotations

import concurrent.futures
import csv
import ctypes
import io
import itertools
import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import warnings
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Mapping, Sequence

import numpy as np

from carom import _declarations as declarations
from carom._checks import function, mapping, whole
from carom._library import lib, warn
from carom.errors import CaromError, UsageError
from carom.progress import new_bar, shows
from carom._arrays import html_table, pandas_module
from carom.scene import Scene
from carom.simulation import Simulation, scene_of

_USUAL = ("stop", "time", "events.total", "cpu_s")
_STATISTICS = (("mean", "mean"), ("sd", "deviation"), ("error", "error"), ("min", "least"), ("q05", "quantile_05"),
               ("q25", "quantile_25"), ("median", "median"), ("q75", "quantile_75"), ("q95", "quantile_95"),
               ("max", "greatest"))
_FINISHED = (declarations.CAROM_OK, declarations.CAROM_DYNAMICS)

# ---- one run ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """A run of a sweep, as a worker receives it."""

    scene: bytes
    values: tuple[tuple[str, Any], ...]
    seed: int
    output: str | None


def _run(task: _Task) -> dict[str, Any]:
    """Carries out a run; its failure is part of the row."""
    row: dict[str, Any] = {"exit": 0, "message": "", "summary": None}
    try:
        scene = pickle.loads(task.scene)
        for key, value in task.values:
            scene[key] = value
        scene["seed"] = task.seed
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Simulation(scene, output=task.output, force=True, progress=False) as sim:
                try:
                    sim.run()
                finally:
                    row["summary"] = sim.summary
    except CaromError as failure:
        row.update(exit=failure.status, message=str(failure))
    except MemoryError:
        row.update(exit=declarations.CAROM_INTERNAL, message="out of memory")
    return row


def _quiet_worker() -> None:
    """Ctrl-C reaches all processes of a terminal; the caller ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# ---- measures --------------------------------------------------------------------------------------------------------


def _at(tree: Any, path: str) -> Any:
    """The value at a dotted path; KeyError if there is none."""
    for step in path.split("."):
        if isinstance(tree, list):
            if not step.isdigit() or int(step) >= len(tree):
                raise KeyError(path)
            tree = tree[int(step)]
        elif isinstance(tree, dict) and step in tree:
            tree = tree[step]
        else:
            raise KeyError(path)
    return tree


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, (dict, list))


def _measured(summary: "dict[str, Any] | None", name: str) -> "tuple[bool, Any, dict[str, Any] | None]":
    """Whether a summary has a measure, its value, and the quantity of which it is the mean.

    A name is a complete path ("energy.total"), or an observable as in "msd.diffusion": its mean.
    """
    if summary is None:
        return False, None, None
    try:
        value = _at(summary, name)
        if _is_scalar(value):
            mean = _at(summary, name[:-len(".mean")]) if name.endswith(".mean") else None
            return True, value, mean
    except KeyError:
        pass
    first, _, rest = name.partition(".")
    mean = summary.get("observables", {}).get(first)
    if mean is not None and rest and rest != mean.get("quantity"):
        try:
            mean = _at(mean, rest)
        except KeyError:
            mean = None
    if not isinstance(mean, dict) or not _is_scalar(mean.get("mean", [])):
        return False, None, None
    return True, mean["mean"], mean


def statistics(values: Iterable[float]) -> dict[str, float]:
    """Statistics of independent numbers; nan are left out.

    Parameters
    ----------
    values : iterable of float

    Returns
    -------
    dict
        "runs" (their number n), "mean", "sd" (divisor n - 1), "error" (sd / sqrt(n)), "min", "q05", "q25", "median", "q75",
        "q95", "max"; nan if there are too few numbers.

    Examples
    --------
    >>> import carom
    >>> carom.statistics([1, 2, 3, 4])["mean"]
    2.5
    """
    numbers = [float(value) for value in values]
    given = (ctypes.c_double * max(1, len(numbers)))(*numbers)
    found = lib.carom_statistics_of(given, len(numbers))
    return {"runs": int(found.count), **{name: float(getattr(found, field)) for name, field in _STATISTICS}}


# ---- the table -------------------------------------------------------------------------------------------------------


def _array_of(values: list[Any]) -> np.ndarray:
    """Values of a column; lists of different lengths, and maps, as objects."""
    if not any(isinstance(value, (list, dict)) for value in values):
        return np.array(values)
    try:
        found = np.array(values)
        if found.dtype.kind in "biufU":
            return found
    except ValueError:
        pass
    objects = np.empty(len(values), dtype=object)
    for n, value in enumerate(values):
        objects[n] = value
    return objects


def _text(value: Any) -> str:
    """A value of a parameter as in a table of `carom sweep`."""
    return value if isinstance(value, str) else json.dumps(value)


class SweepTable:
    """The runs of a sweep: one row for each, in the order of the points, then of the seeds.

    Attributes
    ----------
    parameters : tuple of str
        Keys of the scene.
    points : list of dict
        Values of the parameters at each point.
    seeds : list of int
    measures : tuple of str
        Names of the measured numbers.
    summaries : list of dict or None
        Summary of each run; None if there is none.
    folder : Path or None
        The folder of the rows.

    Notes
    -----
    `table["observables.pressure.mean"]` is an array with the value of each run, nan where it has none. Any path into the
    summaries is a column, also one that is not among the measures.
    """

    def __init__(self, points: list[dict[str, Any]], seeds: list[int], rows: list[dict[str, Any]],
                 measures: "Sequence[str] | None", folder: "pathlib.Path | None") -> None:
        self.points = points
        self.seeds = seeds
        self.parameters = tuple(points[0]) if points else ()
        self.folder = folder
        self._rows = rows
        self.summaries = [row["summary"] for row in rows]
        self.measures = tuple(measures) if measures is not None else self._usual()
        if measures is not None and rows:
            self._warn_of_absent()

    def _usual(self) -> tuple[str, ...]:
        """The usual numbers, and the means of all observables that have one, in the order of the scene."""
        paths: dict[str, bool] = {}
        for summary in self.summaries:
            for name in (summary or {}).get("observables", {}):
                path = "observables.%s.mean" % name
                paths[path] = paths.get(path, False) or _measured(summary, path)[0]
        return (*_USUAL, *(path for path, has_mean in paths.items() if has_mean))

    def _warn_of_absent(self) -> None:
        for name in self.measures:
            if not any(_measured(summary, name)[0] for summary in self.summaries):
                warn("no run has a number or a word at '%s'; docs/formats.md lists the contents of a summary" % name)

    # ---- rows ----

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return ("point", *self.parameters, "seed", "exit", "message", *self.measures)

    def __len__(self) -> int:
        """Number of runs."""
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each run. Points count from 1, as in the tables of `carom sweep`."""
        rows = []
        for n, row in enumerate(self._rows):
            point, seed = divmod(n, len(self.seeds))
            rows.append({"point": point + 1, **self.points[point], "seed": self.seeds[seed], "exit": row["exit"],
                         "message": row["message"],
                         **{name: _measured(row["summary"], name)[1] for name in self.measures}})
        return rows

    def __getitem__(self, column: str) -> np.ndarray:
        """A column, (runs,)."""
        if column in ("point", "seed", "exit", "message") or column in self.parameters:
            return _array_of([row[column] for row in self.rows])
        found = [_measured(summary, column) for summary in self.summaries]
        if not any(has for has, _, _ in found):
            raise KeyError("no run has a number or a word at '%s'; columns are %s" % (column, ", ".join(self.columns)))
        values = [value for _, value, _ in found]
        if any(isinstance(value, str) for value in values):
            return np.array(["" if value is None else str(value) for value in values])
        return np.array([np.nan if value is None else value for value in values], dtype=float)

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Rows of the runs that have failed, with their exit status and message."""
        return [row for row in self.rows if row["exit"] != 0]

    # ---- statistics ----

    def _numbers(self, measure: str, point: int) -> tuple[list[float], int, bool]:
        """The numbers of the completed runs of a point; how many are converged means; whether they are means."""
        numbers, converged, means = [], 0, False
        for row in self._rows[point * len(self.seeds):(point + 1) * len(self.seeds)]:
            has, value, mean = _measured(row["summary"], measure)
            means = means or mean is not None
            if row["exit"] != 0 or not has or isinstance(value, (str, bool)) or value is None:
                continue
            numbers.append(float(value))
            converged += mean is not None and bool(mean.get("converged"))
        return numbers, converged, means

    def _is_numeric(self, measure: str) -> bool:
        values = (_measured(summary, measure)[1] for summary in self.summaries)
        return any(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)

    def statistics(self, measure: str) -> dict[str, np.ndarray]:
        """Statistics over the seeds at each point, of the runs that have completed.

        Parameters
        ----------
        measure : str
            One of `measures`, or a path into the summary.

        Returns
        -------
        dict of ndarray, (points,)
            "runs", "mean", "sd", "error", "min", "q05", "q25", "median", "q75", "q95", "max"; "converged": the number of runs
            whose mean has converged, for means over a run.
        """
        if not self._is_numeric(measure):
            raise KeyError("no run has a number at '%s'; measures are %s" % (measure, ", ".join(self.measures)))
        found = []
        for point in range(len(self.points)):
            numbers, converged, means = self._numbers(measure, point)
            found.append({**statistics(numbers), **({"converged": converged} if means else {})})
        return {name: np.array([one.get(name, 0) for one in found]) for name in found[0]}

    def mean(self, measure: str) -> np.ndarray:
        """Mean over the seeds at each point, (points,)."""
        return self.statistics(measure)["mean"]

    def error(self, measure: str) -> np.ndarray:
        """Standard error of the mean over the seeds at each point, (points,)."""
        return self.statistics(measure)["error"]

    # ---- output ----

    def to_pandas(self, statistics: bool = False) -> Any:
        """A pandas DataFrame with one row for each run, or for each point and measure.

        Parameters
        ----------
        statistics : bool
            The statistics over the seeds instead of the runs.
        """
        if not statistics:
            return pandas_module().DataFrame(self.rows, columns=list(self.columns))
        return pandas_module().DataFrame(self._statistics_rows())

    def _statistics_rows(self) -> list[dict[str, Any]]:
        rows = []
        tables = {name: self.statistics(name) for name in self.measures if self._is_numeric(name)}
        for point, values in enumerate(self.points):
            for name, table in tables.items():
                numbers = {key: array[point].item() for key, array in table.items()}
                rows.append({"point": point + 1, **values, "measure": name, **numbers})
        return rows

    def save(self, folder: "str | os.PathLike[str]") -> None:
        """Writes `runs.csv` and `table.csv` as `carom sweep` does (docs/formats.md); `carom.plot` draws the folder."""
        target = pathlib.Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        _write(target / "runs.csv", self._csv(self.columns, self.rows))
        names = ("point", *self.parameters, "measure", "runs", *(name for name, _ in _STATISTICS), "converged")
        _write(target / "table.csv", self._csv(names, self._statistics_rows()))

    def _csv(self, names: Sequence[str], rows: list[dict[str, Any]]) -> str:
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(names)
        for row in rows:
            writer.writerow(["" if _is_missing(row.get(name)) else _text(row[name]) for name in names])
        return text.getvalue()

    def __repr__(self) -> str:
        return "<carom.SweepTable: %d runs at %d points, %d failed>" % (len(self), len(self.points), len(self.failed))

    def _repr_html_(self) -> str:
        head = ["point", *self.parameters, "runs"] + [name for name in self.measures if self._is_numeric(name)]
        rows: list[list[Any]] = [head]
        for point, values in enumerate(self.points):
            cells: list[Any] = [point + 1, *(_text(value) for value in values.values())]
            ended = self._rows[point * len(self.seeds):(point + 1) * len(self.seeds)]
            cells.append(sum(row["exit"] == 0 for row in ended))
            for name in head[len(self.parameters) + 2:]:
                one = statistics(self._numbers(name, point)[0])
                cells.append("%.6g ± %.2g" % (one["mean"], one["error"]) if one["runs"] > 1 else "%.6g" % one["mean"])
            rows.append(cells)
        failed = self.failed
        note = "" if not failed else "<p>%d runs failed, the first with: %s</p>" % (
            len(failed), failed[0]["message"].replace("&", "&amp;").replace("<", "&lt;"))
        return html_table(rows) + note


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _write(path: pathlib.Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    with part.open("w", newline="", encoding="utf-8") as file:
        file.write(text)
    part.replace(path)


# ---- the folder ------------------------------------------------------------------------------------------------------


class _Store:
    """Rows on the disk, from which an interrupted sweep continues."""

    def __init__(self, folder: "str | os.PathLike[str]", record: dict[str, Any]) -> None:
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._path = self.folder / "rows.jsonl"
        known = self.folder / "sweep.json"
        record = json.loads(json.dumps(record))
        if known.exists():
            self._compare(json.loads(known.read_text(encoding="utf-8")), record)
        else:
            others = sorted(entry.name for entry in self.folder.iterdir())
            if others:
                raise UsageError("'%s' contains other files (%s): choose another folder" % (self.folder, others[0]))
            _write(known, json.dumps(record, indent=1))

    def _compare(self, stored: dict[str, Any], record: dict[str, Any]) -> None:
        for key in record:
            if stored.get(key) != record[key]:
                raise UsageError("the folder '%s' belongs to another sweep, with other `%s`: choose another folder, or delete "
                                 "it" % (self.folder, key))

    def rows(self) -> dict[tuple[int, int], dict[str, Any]]:
        """Finished rows by point and seed. A line that a kill cut off does not count."""
        found = {}
        if self._path.exists():
            for line in self._path.read_text(encoding="utf-8").split("\n"):
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                if row["exit"] in _FINISHED:
                    found[row["point"], row["seed"]] = row
        return found

    def add(self, point: int, seed: int, row: dict[str, Any]) -> None:
        """Appends a row, which is on the disk afterwards."""
        line = json.dumps({"point": point, "seed": seed, **row}).encode() + b"\n"
        with self._path.open("a+b") as file:
            if file.seek(0, os.SEEK_END) > 0:
                file.seek(-1, os.SEEK_END)
                line = line if file.read(1) == b"\n" else b"\n" + line  # a kill cut off the last line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())


# ---- the sweep -------------------------------------------------------------------------------------------------------


def _points(over: Mapping[str, Sequence[Any]], together: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """All combinations; the last parameter varies fastest, those of `together` slowest."""
    for key, values in [*over.items(), *together.items()]:
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__") or len(values) == 0:
            raise UsageError("the parameter '%s' needs a list of values, not %r" % (key, values))
    lengths = {key: len(values) for key, values in together.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError("the lists of `together` have different lengths: %s"
                         % ", ".join("%s %d" % item for item in lengths.items()))
    if "seed" in over or "seed" in together:
        raise UsageError("`seeds` lists the seeds, which gives statistics over them; 'seed' is no parameter")
    both = sorted(over.keys() & together.keys())
    if both:
        raise UsageError("the parameter '%s' is in `over` and in `together`" % both[0])
    tied = [dict(zip(together, values)) for values in zip(*together.values())] if together else [{}]
    return [{**_plain(slow), **_plain(dict(zip(over, values)))}
            for slow in tied for values in itertools.product(*over.values())]


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Numbers and arrays of numpy as those of Python."""
    return {key: value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value for key, value in values.items()}


def _seeds(seeds: "int | Iterable[int]") -> list[int]:
    several = isinstance(seeds, Iterable) and not isinstance(seeds, str) and getattr(seeds, "ndim", 1) > 0
    listed: Any = seeds if several else range(1, whole(seeds, "the number of seeds", 1) + 1)
    chosen = [whole(seed, "a seed", 0, 2**64 - 1) for seed in listed]
    if not chosen:
        raise UsageError("a sweep needs at least one seed")
    if len(set(chosen)) < len(chosen):
        raise UsageError("the seeds of a sweep must differ")
    return chosen


def _check_points(scene: Scene, points: list[dict[str, Any]]) -> None:
    """Checks the scene at every point before the first run."""
    for point in points:
        trial = scene.copy()
        try:
            for key, value in point.items():
                trial[key] = value
            trial.resolved
        except CaromError as failure:
            where = ", ".join("%s = %s" % (key, _text(value)) for key, value in point.items())
            raise type(failure)("the scene cannot run%s\n%s" % (" with " + where if where else "", failure.message),
                                **failure._details) from None
        if "run" not in trial:
            raise UsageError("the runs of a sweep need an end: set `run.until` in the scene")


def _cores() -> int:
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return os.cpu_count() or 1


def _make_pool(jobs: int) -> concurrent.futures.ProcessPoolExecutor:
    """Forked processes: scripts need no guard of their main module. The library starts no threads in runs of one thread."""
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else None
    return concurrent.futures.ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context(method),
                                                  initializer=_quiet_worker)


class _Bar:
    """Progress of a sweep in terminals and notebooks."""

    def __init__(self, progress: "bool | None", count: int) -> None:
        self._bar = new_bar() if shows(progress) else None
        self._count = count
        self._done = 0

    def advance(self) -> None:
        self._done += 1
        if self._bar is not None:
            self._bar.show(self._done / self._count, "%d of %d runs" % (self._done, self._count))

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def sweep(scene: Any, over: "Mapping[str, Sequence[Any]] | None" = None, *, seeds: "int | Iterable[int]" = 1,
          together: "Mapping[str, Sequence[Any]] | None" = None, jobs: "int | None" = None,
          measures: "str | Sequence[str] | None" = None, executor: Any = None,
          folder: "str | os.PathLike[str] | None" = None, keep: bool = False,
          progress: "bool | None" = None) -> SweepTable:
    """Runs a scene with every seed at each point of its parameters.

    Parameters
    ----------
    scene : path, Scene or dict
        The scene; its `run.until` ends each run.
    over : dict
        Keys of the scene and lists of their values; all combinations are run.
    seeds : int or iterable of int
        A number n (the seeds 1 to n), or the seeds themselves.
    together : dict
        The same as `over`, but the lists have equal lengths and vary together.
    jobs : int
        Number of processes; default: the cores available to this one.
    measures : str or list of str
        Observables ("pressure", "msd.diffusion": their means), or paths into the summary of a run ("energy.total"). Default:
        stop, time, events.total, cpu_s and the means of all observables.
    executor : object, optional
        With the method `submit` of `concurrent.futures.Executor`, as `mpi4py.futures.MPIPoolExecutor`. It is not shut down.
    folder : path, optional
        Keeps the rows. The same call continues a sweep that was interrupted, and repeats failed runs.
    keep : bool
        Keep the result files in `folder`/runs.
    progress : bool, optional
        With or without a bar; default: in terminals and notebooks.

    Returns
    -------
    SweepTable
        A failed run is a row with its exit status and message.

    Raises
    ------
    SceneError
        The scene cannot run at a point; nothing has been run.

    Notes
    -----
    A run has the same bits as `carom run` with the same seed and overrides, and one thread. The numbers do not depend on
    the number of processes.

    Examples
    --------
    >>> import carom
    >>> gas = carom.Scene.starter("gas")
    >>> gas["run.until.time"] = 1
    >>> table = carom.sweep(gas, over={"box.packing_fraction": [0.1, 0.2]}, seeds=2, jobs=2)
    >>> len(table), table.mean("time").tolist()
    (4, [1.0, 1.0])
    """
    source = scene_of(scene)
    over, together = mapping(over, "`over`"), mapping(together, "`together`")
    points, chosen = _points(over, together), _seeds(seeds)
    measures = [measures] if isinstance(measures, str) else measures
    if keep and folder is None:
        raise UsageError("`keep` needs a folder for the result files")
    if executor is not None:
        function(getattr(executor, "submit", None), "`submit` of the executor")
    if jobs is not None:
        jobs = whole(jobs, "the number of processes `jobs`", 1)
    _check_points(source, points)
    store = None
    if folder is not None:
        store = _Store(folder, {"scene": source.resolved, "over": _plain_lists(over), "together": _plain_lists(together)})
        if keep:
            (store.folder / "runs").mkdir(exist_ok=True)
    rows = store.rows() if store is not None else {}
    packed = pickle.dumps(source)
    tasks = {}
    for p, point in enumerate(points):
        for seed in chosen:
            if (p + 1, seed) not in rows:
                output = str(store.folder / "runs" / ("point-%d-seed-%d.h5" % (p + 1, seed))) if store and keep else None
                tasks[p + 1, seed] = _Task(packed, tuple(point.items()), seed, output)
    _work_through(tasks, rows, store, jobs, executor, progress)
    ordered = [rows[p + 1, seed] for p in range(len(points)) for seed in chosen]
    table = SweepTable(points, chosen, ordered, measures, store.folder if store is not None else None)
    if store is not None:
        table.save(store.folder)
    return table


def _plain_lists(over: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    return {key: [_plain({"": value})[""] for value in values] for key, values in over.items()}


def _work_through(tasks: "dict[tuple[int, int], _Task]", rows: "dict[tuple[int, int], dict[str, Any]]",
                  store: "_Store | None", jobs: "int | None", executor: Any, progress: "bool | None") -> None:
    """Carries out the tasks and adds their rows."""
    if not tasks:
        return
    bar = _Bar(progress, len(tasks))

    def keep(key: tuple[int, int], row: dict[str, Any]) -> None:
        rows[key] = row
        if store is not None:
            store.add(*key, row)
        bar.advance()

    try:
        if executor is not None:
            lost = _submit(executor, tasks, keep)
        else:
            lost = _submit_to_own(min(jobs or _cores(), len(tasks)), tasks, keep)
            # A process that ends takes the other runs of its pool along: each of them gets a pool of its own.
            lost = {key: failure for one in lost
                    for key, failure in _submit_to_own(1, {one: tasks[one]}, keep).items()}
        for key, failure in lost.items():
            keep(key, {"exit": declarations.CAROM_INTERNAL, "message": "the process of the run has ended: %s" % failure,
                       "summary": None})
    finally:
        bar.close()


def _submit(executor: Any, tasks: "dict[tuple[int, int], _Task]", keep: Any) -> "dict[tuple[int, int], BaseException]":
    """Keeps the rows of all tasks; returns those without a row because a process has ended."""
    futures: dict[Any, tuple[int, int]] = {}
    lost: dict[tuple[int, int], BaseException] = {}
    try:
        for key, task in tasks.items():
            try:
                futures[executor.submit(_run, task)] = key
            except concurrent.futures.BrokenExecutor as failure:
                lost[key] = failure
        for future in concurrent.futures.as_completed(futures):
            try:
                row = future.result()
            except concurrent.futures.BrokenExecutor as failure:
                lost[futures[future]] = failure
            else:
                keep(futures[future], row)
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return lost


def _submit_to_own(jobs: int, tasks: "dict[tuple[int, int], _Task]", keep: Any) -> "dict[tuple[int, int], BaseException]":
    before = set(multiprocessing.active_children())
    with _make_pool(jobs) as pool:
        try:
            return _submit(pool, tasks, keep)
        except BaseException:
            for worker in set(multiprocessing.active_children()) - before:
                worker.terminate()
            raise

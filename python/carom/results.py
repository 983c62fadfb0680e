"""Results: the contents of a result file as numpy arrays."""
from __future__ import annotations

import ctypes
import html
import json
import operator
import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Iterator, overload

import numpy as np

from carom import _declarations as declarations
from carom._library import Handle, check, decoded, encoded, lib
from carom.errors import DataError, UsageError
from carom.events import StoredEvents
from carom.frame import Frame, FrameHandle
from carom.scene import Scene
from carom.view import Page, View
from carom.view import view as view_of_file

_DTYPES = {declarations.CAROM_U8: np.uint8, declarations.CAROM_I32: np.int32, declarations.CAROM_U32: np.uint32,
           declarations.CAROM_I64: np.int64, declarations.CAROM_U64: np.uint64, declarations.CAROM_F64: np.float64}


def _copied(address: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """A copy of memory of the library."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if size == 0:
        return np.empty(shape, dtype)
    pointer = ctypes.cast(address, ctypes.c_void_p).value
    assert pointer is not None
    return np.frombuffer((ctypes.c_char * size).from_address(pointer), dtype).reshape(shape).copy()


def _fixed(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def number_of(values: Any, width: int, dimension: int) -> Any:
    """A float, a vector or a tensor."""
    if width == 1:
        return float(values[0])
    numbers = np.array(values[:width])
    return _fixed(numbers.reshape(dimension, dimension) if width == dimension * dimension else numbers)


# ---- observables -----------------------------------------------------------------------------------------------------


class Value:
    """A quantity that an observable has measured, with its standard error.

    Attributes
    ----------
    name, units : str
        Name; kind of the unit in words, as "energy / volume" ("" for pure numbers).
    mean, error : float or ndarray, (dimension,) or (dimension, dimension)
        Mean and standard error of the mean; nan if there are too few samples.
    converged : bool
        Whether the error is reliable: the samples exceed their correlation time.
    """

    __slots__ = ("name", "units", "mean", "error", "converged")

    def __init__(self, name: str, units: str, mean: Any, error: Any, converged: bool) -> None:
        self.name = name
        self.units = units
        self.mean = mean
        self.error = error
        self.converged = converged

    def __repr__(self) -> str:
        note = "" if self.converged else ", not converged"
        return "<carom.Value %s: %s +- %s%s>" % (self.name, self.mean, self.error, note)


class Table(Mapping):
    """A table of an observable: its columns by name, as arrays with one row for each sample, lag or bin.

    Attributes
    ----------
    name : str
    series : bool
        Whether it has one row for each sample.
    units : dict
        Kind of the unit of each column.

    Notes
    -----
    Columns of vectors have the shape (rows, dimension), those of tensors (rows, dimension, dimension). The first column
    is the abscissa.
    """

    def __init__(self, name: str, series: bool, columns: dict[str, np.ndarray], units: dict[str, str]) -> None:
        self.name = name
        self.series = series
        self.units = units
        self._columns = columns

    def __getitem__(self, column: str) -> np.ndarray:
        try:
            return self._columns[column]
        except KeyError:
            raise KeyError("the table '%s' has no column '%s'; it has %s"
                           % (self.name, column, ", ".join(self._columns))) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Number of columns."""
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def to_pandas(self) -> Any:
        """A pandas DataFrame. Components of vectors and tensors are columns of their own: `stress_0`, `stress_1`, ..."""
        return _pandas().DataFrame(_flat(self._columns))

    def __repr__(self) -> str:
        return "<carom.Table %s: %d rows of %s>" % (self.name, self.rows, ", ".join(self._columns))


def _flat(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    flat: dict[str, np.ndarray] = {}
    for name, data in columns.items():
        if data.ndim == 1:
            flat[name] = data
            continue
        wide = data.reshape(len(data), -1)
        flat.update(("%s_%d" % (name, k), wide[:, k]) for k in range(wide.shape[1]))
    return flat


class Observable:
    """An observable of a result.

    Attributes
    ----------
    name, what : str
        Its key in the result; the observable, as in the scene.
    values : dict of Value
        All measured quantities by name; the first is the main one.

    Notes
    -----
    `mean`, `error`, `units` and `converged` are those of the main value. Tables are read when they are first used.
    """

    def __init__(self, result: "Result", index: int, given: Any) -> None:
        self._result = result
        self._index = index
        self._tables: dict[str, Table] | None = None
        self.name = decoded(given.name)
        self.what = decoded(given.what)
        self.values: dict[str, Value] = {}
        dimension = result.dimension
        for n in range(given.value_count):
            v = given.values[n]
            self.values[decoded(v.name)] = Value(
                decoded(v.name), decoded(v.unit), number_of(v.mean, v.width, dimension),
                number_of(v.error, v.width, dimension), bool(v.converged))

    @property
    def _main(self) -> Value:
        if not self.values:
            raise AttributeError("the observable '%s' has no mean: its numbers are in `tables`" % self.name)
        return next(iter(self.values.values()))

    @property
    def mean(self) -> Any:
        """Mean of the main value: float, vector or tensor."""
        return self._main.mean

    @property
    def error(self) -> Any:
        """Standard error of the mean."""
        return self._main.error

    @property
    def converged(self) -> bool:
        """Whether the error is reliable."""
        return self._main.converged

    @property
    def units(self) -> str:
        """Kind of the unit of the main value, as "energy / volume"."""
        return self._main.units

    @property
    def tables(self) -> dict[str, Table]:
        """All tables by name; the first is the main one."""
        if self._tables is None:
            self._tables = self._result._tables_of(self._index)
        return self._tables

    @property
    def series(self) -> Table:
        """The table with one row for each sample.

        Raises
        ------
        AttributeError
            The observable has no series, but histograms or distributions, which are in `tables`.
        """
        for table in self.tables.values():
            if table.series:
                return table
        raise AttributeError("the observable '%s' has no series; its tables are %s"
                             % (self.name, ", ".join(self.tables) or "none"))

    def to_pandas(self) -> Any:
        """The main table as a pandas DataFrame."""
        tables = list(self.tables.values())
        if not tables:
            raise DataError("the observable '%s' has no table" % self.name)
        return tables[0].to_pandas()

    def __repr__(self) -> str:
        if not self.values:
            return "<carom.Observable %s>" % self.name
        return "<carom.Observable %s: %s +- %s>" % (self.name, self.mean, self.error)


class Observables(Mapping):
    """The observables of a result by name, in the order of the scene."""

    def __init__(self, result: "Result") -> None:
        self._all: dict[str, Observable] = {}
        for n in range(result._contents.observables):
            given = lib.carom_file_observable(result._address, n, False)
            if not given:
                check(declarations.CAROM_BAD_DATA, lib.carom_file_message(result._address))
            observable = Observable(result, n, given.contents)
            self._all[observable.name] = observable

    def __getitem__(self, name: str) -> Observable:
        try:
            return self._all[name]
        except KeyError:
            raise KeyError("the result has no observable '%s'; it has %s"
                           % (name, ", ".join(self._all) or "none")) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        return "<carom.Observables: %s>" % (", ".join(self._all) or "none")

    def _repr_html_(self) -> str:
        cells = [(name, _shown(o)) for name, o in self._all.items()]
        return _html_table([("observable", "mean")] + cells)


def _shown(observable: Observable) -> str:
    if not observable.values:
        return "tables"
    value = next(iter(observable.values.values()))
    if isinstance(value.mean, float):
        return "%.6g ± %.2g%s" % (value.mean, value.error, "" if value.converged else " (not converged)")
    return "array of shape %s" % (value.mean.shape,)


def _html_table(rows: Sequence[Sequence[Any]]) -> str:
    """Rows of texts; the first has the headings."""
    parts = []
    for n, row in enumerate(rows):
        tag = "th" if n == 0 else "td"
        parts.append("<tr>%s</tr>" % "".join("<%s>%s</%s>" % (tag, html.escape(str(cell)), tag) for cell in row))
    return "<table>%s</table>" % "".join(parts)


# ---- frames ----------------------------------------------------------------------------------------------------------


class Frames(Sequence):
    """The frames of a result. Each is read when it is used; the last ones stay in memory.

    A slice is a sequence of frames that are not read yet.
    """

    _KEPT = 4

    def __init__(self, result: "Result", indices: range, cache: "OrderedDict[int, Frame] | None" = None) -> None:
        self._result = result
        self._indices = indices
        self._cache: OrderedDict[int, Frame] = OrderedDict() if cache is None else cache

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Frame: ...

    @overload
    def __getitem__(self, index: slice) -> "Frames": ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Frames(self._result, self._indices[index], self._cache)
        try:
            number = self._indices[operator.index(index)]
        except IndexError:
            raise IndexError("'%s' has no frame %d: there are %d"
                             % (self._result.path, index, len(self._indices))) from None
        if number not in self._cache:
            self._cache[number] = self._result._read_frame(number)
            while len(self._cache) > self._KEPT:
                self._cache.popitem(last=False)
        self._cache.move_to_end(number)
        return self._cache[number]

    @property
    def indices(self) -> range:
        """Numbers of the frames in the file."""
        return self._indices

    @property
    def times(self) -> np.ndarray:
        """Times of the frames, (frames,), without reading their arrays."""
        return self._result.numbers("time")[self._indices.start:self._indices.stop:self._indices.step] \
            if self._indices.step > 0 else self._result.numbers("time")[np.array(self._indices, dtype=np.intp)]

    def __repr__(self) -> str:
        return "<carom.Frames: %d of '%s'>" % (len(self), self._result.path)


# ---- merges ----------------------------------------------------------------------------------------------------------


class Merges:
    """The merges of a run in order of time: the contact tree.

    Attributes
    ----------
    times : ndarray, (merges,)
    i, j : ndarray of uint32, (merges,)
        The particles in contact, i < j.
    particles : int
        Number of particles.
    """

    def __init__(self, array: np.ndarray, particles: int) -> None:
        self.array = _fixed(array)
        self.particles = particles
        self._joined: np.ndarray | None = None

    @property
    def times(self) -> np.ndarray:
        return self.array["time"]

    @property
    def i(self) -> np.ndarray:
        return self.array["i"]

    @property
    def j(self) -> np.ndarray:
        return self.array["j"]

    def __len__(self) -> int:
        return len(self.array)

    def clusters(self, time: float = np.inf) -> np.ndarray:
        """Clusters at a time.

        Returns
        -------
        ndarray of uint32, (particles,)
            Smallest number of a particle in the cluster of each particle.
        """
        root = np.arange(self.particles, dtype=np.uint32)

        def find(particle: int) -> int:
            while root[particle] != particle:
                root[particle] = root[root[particle]]
                particle = int(root[particle])
            return particle

        for i, j in zip(self.i[self.times <= time].tolist(), self.j[self.times <= time].tolist()):
            a, b = find(i), find(j)
            root[max(a, b)] = min(a, b)
        for particle in range(self.particles):
            root[particle] = find(particle)
        return root

    def linkage(self) -> np.ndarray:
        """The tree as a linkage matrix of scipy.

        Returns
        -------
        ndarray, (merges, 4)
            Numbers of the two clusters (a particle, or `particles` + n for the cluster of merge n), the time, and the
            size of the new cluster. It is valid for `scipy.cluster.hierarchy` if one cluster remains.
        """
        if self._joined is None:
            self._joined = self._join()
        return self._joined.copy()

    def _join(self) -> np.ndarray:
        root = list(range(self.particles))
        name = list(range(self.particles))
        size = [1] * self.particles
        rows = np.empty((len(self), 4))

        def find(particle: int) -> int:
            while root[particle] != particle:
                root[particle] = root[root[particle]]
                particle = root[particle]
            return particle

        for n, (time, i, j) in enumerate(zip(self.times.tolist(), self.i.tolist(), self.j.tolist())):
            a, b = find(i), find(j)
            if a == b:
                raise DataError("merge %d joins particles of the same cluster, %d and %d" % (n, i, j))
            rows[n] = min(name[a], name[b]), max(name[a], name[b]), time, size[a] + size[b]
            root[b] = a
            name[a] = self.particles + n
            size[a] += size[b]
        return rows

    @property
    def parents(self) -> np.ndarray:
        """Parent of each node of the tree, (particles + merges,).

        The nodes are the particles, then the clusters in order of their merges. -1: a cluster at the end.
        """
        parents = np.full(self.particles + len(self), -1, dtype=np.int64)
        rows = self.linkage()
        new = self.particles + np.arange(len(self))
        parents[rows[:, 0].astype(np.int64)] = new
        parents[rows[:, 1].astype(np.int64)] = new
        return parents

    @property
    def sizes(self) -> np.ndarray:
        """Number of particles of the cluster that each merge forms, (merges,)."""
        return self.linkage()[:, 3].astype(np.int64)

    @property
    def largest(self) -> np.ndarray:
        """Size of the largest cluster after each merge, (merges,)."""
        return np.maximum.accumulate(self.sizes) if len(self) else np.empty(0, dtype=np.int64)

    def count(self, times: Any) -> np.ndarray:
        """Number of clusters at the given times."""
        return self.particles - np.searchsorted(self.times, times, side="right")

    def __repr__(self) -> str:
        return "<carom.Merges: %d of %d particles>" % (len(self), self.particles)


# ---- meshes and links ------------------------------------------------------------------------------------------------


class Mesh:
    """A triangle mesh of a result.

    Attributes
    ----------
    name : str
    faces : ndarray of uint32, (faces, 3)
        Vertices of the triangles, counted from 0.
    points : range
        Numbers of its vertices among all points of a frame.
    rigid : bool
        Whether the distances between its vertices are constant.
    repairs : str
        Changes with respect to its file, "" if none were requested.
    """

    def __init__(self, result: "Result", given: Any) -> None:
        self._result = result
        self.name = decoded(given.name)
        self.faces = _fixed(_copied(given.triangles, (given.triangle_count, 3), np.uint32))
        self.points = range(given.first, given.first + given.vertices)
        self.rigid = bool(given.rigid)
        self.repairs = decoded(given.repairs)

    def vertices(self, frame: "int | Frame" = -1, unwrapped: bool = True) -> np.ndarray:
        """Positions of the vertices in a frame.

        Parameters
        ----------
        frame : int or Frame
            Number of a frame of the result, or a frame of it.
        unwrapped : bool
            In one piece, beyond the box where the mesh crosses a periodic boundary.

        Returns
        -------
        ndarray, (vertices, dimension)
            [length]
        """
        state = frame if isinstance(frame, Frame) else self._result.frames[frame]
        own = slice(self.points.start, self.points.stop)
        positions = state["position"][own]
        return positions + state["image"][own] * state.box if unwrapped else positions

    def __repr__(self) -> str:
        return "<carom.Mesh %s: %d vertices, %d faces>" % (self.name, len(self.points), len(self.faces))


class Links:
    """Connections of particles.

    Attributes
    ----------
    springs : ndarray of uint32, (springs, 2)
        Particles at the ends of springs or bonds.
    bond_lengths : ndarray, (springs, 2)
        Shortest and longest lengths of bonds [length]; None if they are springs.
    segments : ndarray of uint32, (segments, 2)
        Particles at the ends of segments.
    segment_radii : ndarray, (segments,)
        [length]
    owners : ndarray of uint32, (points,)
        A number for each rigid body or drive that a point belongs to, 0 for none; None if there are none.
    """

    def __init__(self, given: Any, points: int) -> None:
        def pairs(i: Any, j: Any, count: int) -> np.ndarray:
            ends = [_copied(end, (count,), np.uint32) for end in (i, j)]
            return _fixed(np.stack(ends, axis=1))

        self.springs = pairs(given.spring_i, given.spring_j, given.springs)
        self.segments = pairs(given.segment_i, given.segment_j, given.segments)
        self.segment_radii = _fixed(_copied(given.radius, (given.segments,), np.float64))
        self.bond_lengths: np.ndarray | None = None
        if given.shortest:
            limits = [_copied(limit, (given.springs,), np.float64) for limit in (given.shortest, given.longest)]
            self.bond_lengths = _fixed(np.stack(limits, axis=1))
        self.owners = _fixed(_copied(given.owner, (points,), np.uint32)) if given.owner else None

    def __repr__(self) -> str:
        kind = "bonds" if self.bond_lengths is not None else "springs"
        return "<carom.Links: %d %s, %d segments>" % (len(self.springs), kind, len(self.segments))


# ---- the result ------------------------------------------------------------------------------------------------------


def open(path: "str | os.PathLike[str]") -> "Result":
    """Opens a result file, also one that a run is writing.

    Parameters
    ----------
    path : path
        A result (`run.h5`), or a checkpoint, which has no frames.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        The file does not exist or cannot be read.
    DataError
        It is damaged, or not a file of carom.
    """
    return Result(path)


class Result:
    """A result file.

    Parameters
    ----------
    path : path
        The file.

    Attributes
    ----------
    path : str

    Examples
    --------
    >>> import carom, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "gas.h5")
    >>> with carom.Simulation(carom.Scene.starter("gas"), output=path) as sim:
    ...     sim.run(time=10)
    >>> with carom.open(path) as result:
    ...     result.times.tolist(), result.frames[-1].positions.shape
    ([0.0, 5.0, 10.0], (1372, 3))
    """

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self.path = os.fspath(path)
        address = ctypes.c_void_p()
        status = lib.carom_file_open(ctypes.byref(address), encoded(self.path))
        self._handle = Handle(address.value, lib.carom_file_free)
        check(status, lib.carom_file_message(address))
        self._describe()

    @property
    def _address(self) -> ctypes.c_void_p:
        if not self._handle.address:
            raise UsageError("the result '%s' is closed" % self.path)
        return self._handle.address

    def _check(self, status: int) -> None:
        check(status, lib.carom_file_message(self._address))

    def _describe(self) -> None:
        self._contents = declarations.carom_contents()
        self._check(lib.carom_file_contents(self._address, ctypes.byref(self._contents)))
        self._numbers: dict[str, np.ndarray] = {}
        self._frames: Frames | None = None
        self._observables: Observables | None = None
        self._merges: Merges | None = None
        self._links: Links | None = None
        self._meshes: dict[str, Mesh] | None = None
        c = self._contents
        self._about = {name: decoded(getattr(c, name)) for name in
                       ("version", "commit", "engine", "title", "scene", "summary", "stop", "state_hash")}
        self._species = tuple(self._names(lib.carom_file_species))

    def _names(self, function: Any) -> Iterator[str]:
        count = iter(range(1 << 30))
        while True:
            name = function(self._address, next(count))
            if name is None:
                return
            yield decoded(name)

    # ---- the file ----

    def refresh(self) -> int:
        """Reads again what a run has written since. Frames that were read before remain valid.

        Returns
        -------
        int
            Number of new frames.
        """
        before, frames = int(self._contents.frames), self._frames
        run = self._run()
        self._check(lib.carom_file_refresh(self._address))
        self._describe()
        now = int(self._contents.frames)
        if frames is not None and self._run() == run and now >= before:
            self._frames = Frames(self, range(now), frames._cache)
        return now - before

    def _run(self) -> tuple[Any, ...]:
        """What determines the bits of a run: another run may replace the file."""
        return (self.seed, *(self._about[name] for name in ("version", "commit", "scene")))

    def close(self) -> None:
        """Closes the file. Arrays and frames that were read remain valid."""
        self._handle.close()

    def __enter__(self) -> "Result":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def view(self, **options: Any) -> "View | Page":
        """Shows the frames: a page in a file, or with `static=False` the live page. `carom.view` describes the options."""
        return view_of_file(self.path, **options)

    # ---- properties ----

    @property
    def is_checkpoint(self) -> bool:
        """Whether the file is a checkpoint: it has neither frames nor observables."""
        return bool(self._contents.checkpoint)

    @property
    def being_written(self) -> bool:
        """Whether a run is writing the file, or was killed while writing it."""
        return bool(self._contents.being_written)

    @property
    def engine(self) -> str:
        """"hard", "aggregation" or "variational"."""
        return self._about["engine"]

    @property
    def title(self) -> str:
        """Title of the scene."""
        return self._about["title"]

    @property
    def version(self) -> str:
        """Version of carom that wrote the file."""
        return self._about["version"]

    @property
    def commit(self) -> str:
        """Commit of carom that wrote the file."""
        return self._about["commit"]

    @property
    def scene_text(self) -> str:
        """The scene with all defaults, YAML."""
        return self._about["scene"]

    @property
    def scene(self) -> Scene:
        """The scene of the run, with all defaults."""
        return Scene._of_text("scene", self.scene_text.encode(), None)

    @property
    def stop(self) -> str | None:
        """Why the run ended: "time", "collapse", ...; None until it has ended."""
        return None if self._about["stop"] == "none" else self._about["stop"]

    @property
    def state_hash(self) -> str:
        """Hash of the final state, "" until the run has ended."""
        return self._about["state_hash"]

    @property
    def summary(self) -> dict[str, Any]:
        """The summary that `carom run --json` prints; {} until the run has ended."""
        return json.loads(self._about["summary"]) if self._about["summary"] else {}

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return int(self._contents.dimension)

    @property
    def particles(self) -> int:
        """Number of particles, without vertices of meshes."""
        return int(self._contents.particles)

    @property
    def vertices(self) -> int:
        """Number of vertices of meshes."""
        return int(self._contents.vertices)

    @property
    def species_names(self) -> tuple[str, ...]:
        """Names of the species."""
        return self._species

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return int(self._contents.seed)

    @property
    def time(self) -> float:
        """Simulated time of the end, or of the last frame while the run goes on."""
        return float(self._contents.time)

    # ---- frames ----

    @property
    def frames(self) -> Frames:
        """The frames: a sequence of `Frame`."""
        if self._frames is None:
            self._frames = Frames(self, range(0 if self.is_checkpoint else self._contents.frames))
        return self._frames

    def _read_frame(self, number: int) -> Frame:
        address = ctypes.c_void_p()
        self._check(lib.carom_file_frame(self._address, number, ctypes.byref(address)))
        assert address.value is not None
        return Frame(FrameHandle(address.value, lib.carom_frame_free), self._species)

    @property
    def times(self) -> np.ndarray:
        """Times of the frames, (frames,)."""
        return self.numbers("time")

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the quantities that `numbers` reads."""
        return tuple(self._names(lib.carom_file_numbers_name))

    def numbers(self, channel: str) -> np.ndarray:
        """A quantity of all frames, read without their arrays.

        Parameters
        ----------
        channel : str
            "time", "kinetic", "momentum", "events", "virial", ...; `channels` lists them.

        Returns
        -------
        ndarray, (frames, ...)
        """
        if channel not in self._numbers:
            out = declarations.carom_channel()
            self._check(lib.carom_file_numbers(self._address, channel.encode(), 0, self._contents.frames,
                                               ctypes.byref(out)))
            self._numbers[channel] = _fixed(_copied(out.data, tuple(out.shape[:out.rank]), _DTYPES[out.type]))
        return self._numbers[channel]

    def array(self, name: str, every: int = 1, start: int = 0, stop: int | None = None) -> np.ndarray:
        """An array of several frames, stacked.

        Parameters
        ----------
        name : str
            Attribute of frames ("positions", "velocities", "cluster", ...), or a channel.
        every : int
            Each `every`-th frame.
        start, stop : int
            First frame, and the one after the last.

        Returns
        -------
        ndarray, (frames, particles, ...)
        """
        chosen = self.frames[start:stop:every]
        if len(chosen) == 0:
            raise UsageError("no frame of '%s' is chosen: it has %d" % (self.path, len(self.frames)))
        out: np.ndarray | None = None
        for n, number in enumerate(chosen.indices):
            frame = self._read_frame(number)
            part = getattr(frame, name) if name in Frame._ARRAYS or name == "vertices" else frame[name]
            if out is None:
                out = np.empty((len(chosen), *np.shape(part)), np.asarray(part).dtype)
            out[n] = part
        assert out is not None
        return out

    # ---- everything else ----

    def _tables_of(self, index: int) -> dict[str, Table]:
        given = lib.carom_file_observable(self._address, index, True)
        if not given:
            check(declarations.CAROM_BAD_DATA, lib.carom_file_message(self._address))
        tables = {}
        for t in range(given.contents.table_count):
            table = given.contents.tables[t]
            columns, units = {}, {}
            for c in range(table.column_count):
                column = table.columns[c]
                name = decoded(column.name)
                columns[name] = _fixed(_copied(column.data, self._shape(table.rows, column.width), np.float64))
                units[name] = decoded(column.unit)
            tables[decoded(table.name)] = Table(decoded(table.name), bool(table.series), columns, units)
        return tables

    def _shape(self, rows: int, width: int) -> tuple[int, ...]:
        if width == 1:
            return (rows,)
        return (rows, self.dimension, self.dimension) if width == self.dimension ** 2 else (rows, width)

    @property
    def observables(self) -> Observables:
        """The observables by name."""
        if self._observables is None:
            self._observables = Observables(self)
        return self._observables

    @property
    def merges(self) -> Merges:
        """The merges of the run, empty for engines without merges."""
        if self._merges is None:
            array, count = ctypes.POINTER(declarations.carom_merge)(), ctypes.c_size_t()
            self._check(lib.carom_file_merges(self._address, ctypes.byref(array), ctypes.byref(count)))
            kind = np.dtype([("time", "<f8"), ("i", "<u4"), ("j", "<u4")])
            self._merges = Merges(_copied(array, (count.value,), kind), self.particles)
        return self._merges

    @property
    def events(self) -> StoredEvents:
        """The recorded events (`output.events` of the scene), which are read when they are accessed."""
        return StoredEvents(self)

    def _read_links(self) -> None:
        out = declarations.carom_links()
        self._check(lib.carom_file_links(self._address, ctypes.byref(out)))
        self._links = Links(out, self.particles + self.vertices)
        meshes = (Mesh(self, out.meshes[n]) for n in range(out.mesh_count))
        self._meshes = {mesh.name: mesh for mesh in meshes}

    @property
    def meshes(self) -> dict[str, Mesh]:
        """The meshes by name."""
        if self._meshes is None:
            self._read_links()
        assert self._meshes is not None
        return self._meshes

    @property
    def links(self) -> Links:
        """Springs, bonds and segments."""
        if self._links is None:
            self._read_links()
        assert self._links is not None
        return self._links

    # ---- other programs ----

    def to_ase(self, frames: Any = slice(None)) -> Any:
        """Frames as objects of ASE (`ase.Atoms`).

        Parameters
        ----------
        frames : int or slice
            One frame, or several.

        Returns
        -------
        ase.Atoms, or list of ase.Atoms
            Atoms of the symbol X, with masses and velocities in the numbers of the scene; arrays `type` (name of the
            species), `species`, `radius`, `id`; `info["time"]`. In two dimensions z is 0.
        """
        from carom.converters import to_ase
        return to_ase(self, frames)

    def to_mdanalysis(self) -> Any:
        """All frames as a universe of MDAnalysis.

        Returns
        -------
        MDAnalysis.Universe
            Positions, velocities, box and times in the numbers of the scene; names and types are those of the species.
            The arrays are in memory, in single precision, as MDAnalysis stores them. In two dimensions z is 0.
        """
        from carom.converters import to_mdanalysis
        return to_mdanalysis(self)

    def to_pandas(self, frame: int = -1) -> Any:
        """The particles of a frame as a pandas DataFrame, one row for each, with the ids as index."""
        from carom.converters import to_pandas
        return to_pandas(self, frame)

    def to_trimesh(self, name: str | None = None, frame: int = -1) -> Any:
        """A mesh in a frame as `trimesh.Trimesh`.

        Parameters
        ----------
        name : str
            Name of the mesh; None: the only one.
        frame : int
            Number of the frame.
        """
        from carom.converters import to_trimesh
        return to_trimesh(self, name, frame)

    def __repr__(self) -> str:
        if self.is_checkpoint:
            return "<carom.Result '%s': checkpoint at time %.6g>" % (self.path, self.time)
        state = "being written" if self.stop is None and self.being_written else "stop: %s" % (self.stop or "none")
        return "<carom.Result '%s': %s, %d particles, %d frames to time %.6g, %s>" % (
            self.path, self.engine, self.particles, len(self.frames), self.time, state)

    def _repr_html_(self) -> str:
        rows: list[tuple[str, Any]] = [
            ("result", self.path), ("title", self.title), ("engine", self.engine), ("dimension", self.dimension),
            ("particles", self.particles), ("frames", len(self.frames)), ("time", "%.6g" % self.time),
            ("stop", self.stop or ("being written" if self.being_written else "none"))]
        if not self.is_checkpoint:
            rows += [(name, _shown(o)) for name, o in self.observables.items()]
        return _html_table(rows)


def _pandas() -> Any:
    from carom.converters import needed
    return needed("pandas")

"""Results: the contents of a result file as numpy arrays."""
from __future__ import annotations

import ctypes
import json
import operator
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from carom import _declarations as declarations
from carom._arrays import TYPES, copied, fixed, html_table
from carom._library import Handle, check, decoded, encoded, lib, names
from carom.errors import UsageError
from carom.events import StoredEvents
from carom.frame import Frame, FrameHandle
from carom.merges import Merges
from carom.meshes import Links, Mesh
from carom.observables import Observables, Table, shown, tables_of
from carom.scene import Scene
from carom.view import Page, View
from carom.view import view as view_of_file

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
        with self._result._lock:
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
        self._lock = threading.RLock()  # held during calls of the library and the use of what they return
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
        self._connections: tuple[dict[str, Mesh], Links] | None = None
        c = self._contents
        self._about = {name: decoded(getattr(c, name)) for name in
                       ("version", "commit", "engine", "title", "scene", "summary", "stop", "state_hash")}
        self._species = tuple(names(lib.carom_file_species, self._address))

    # ---- the file ----

    def refresh(self) -> int:
        """Reads again what a run has written since. Frames that were read before remain valid.

        Returns
        -------
        int
            Number of new frames.
        """
        with self._lock:
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
        with self._lock:
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
        with self._lock:
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
        with self._lock:
            return tuple(names(lib.carom_file_numbers_name, self._address))

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
        with self._lock:
            if channel not in self._numbers:
                out = declarations.carom_channel()
                self._check(lib.carom_file_numbers(self._address, encoded(channel), 0, self._contents.frames,
                                                   ctypes.byref(out)))
                self._numbers[channel] = fixed(copied(out.data, tuple(out.shape[:out.rank]), TYPES[out.type]))
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
        with self._lock:
            given = lib.carom_file_observable(self._address, index, True)
            if not given:
                check(declarations.CAROM_BAD_DATA, lib.carom_file_message(self._address))
            return tables_of(given.contents, self.dimension)

    @property
    def observables(self) -> Observables:
        """The observables by name."""
        with self._lock:
            if self._observables is None:
                self._observables = Observables(self)
            return self._observables

    @property
    def merges(self) -> Merges:
        """The merges of the run, empty for engines without merges."""
        with self._lock:
            if self._merges is None:
                array, count = ctypes.POINTER(declarations.carom_merge)(), ctypes.c_size_t()
                self._check(lib.carom_file_merges(self._address, ctypes.byref(array), ctypes.byref(count)))
                kind = np.dtype([("time", "<f8"), ("i", "<u4"), ("j", "<u4")])
                self._merges = Merges(copied(array, (count.value,), kind), self.particles)
            return self._merges

    @property
    def events(self) -> StoredEvents:
        """The recorded events (`output.events` of the scene), which are read when they are accessed."""
        return StoredEvents(self)

    def _read_links(self) -> tuple[dict[str, Mesh], Links]:
        with self._lock:
            if self._connections is None:
                out = declarations.carom_links()
                self._check(lib.carom_file_links(self._address, ctypes.byref(out)))
                meshes = (Mesh(self, out.meshes[n]) for n in range(out.mesh_count))
                self._connections = {mesh.name: mesh for mesh in meshes}, Links(out, self.particles + self.vertices)
            return self._connections

    @property
    def meshes(self) -> dict[str, Mesh]:
        """The meshes by name."""
        return self._read_links()[0]

    @property
    def links(self) -> Links:
        """Springs, bonds and segments."""
        return self._read_links()[1]

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
            rows += [(name, shown(o)) for name, o in self.observables.items()]
        return html_table(rows)

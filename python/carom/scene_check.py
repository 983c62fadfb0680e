"""What a run of a scene needs, and the faults of scenes."""
from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass, field
from typing import Any, Iterator

import numpy as np

from carom import _declarations as declarations
from carom._library import Handle, check, decoded, lib, owned
from carom.errors import Fault, InputError, SceneError, error_of

# ---- Faults ----

def faults_of(count: Any, fault: Any, address: Any) -> tuple[Fault, ...]:
    """The faults of the message of an object.

    Parameters
    ----------
    count, fault : callable
        `carom_scene_fault_count` and `carom_scene_fault`, or those of simulations.
    address : ctypes.c_void_p
        The object.
    """
    one = (fault(address, n).contents for n in range(count(address)))
    return tuple(Fault(decoded(f.file), f.line, f.column, decoded(f.key), decoded(f.message), decoded(f.hint)) for f in one)


def raise_faults(status: int, message: str, faults: tuple[Fault, ...]) -> None:
    """Raises the exception of a call on a scene or simulation, unless it succeeded.

    Parameters
    ----------
    status : int
        Result of the call.
    message : str
        Message of the object.
    faults : tuple of Fault
        Its faults.
    """
    if status == declarations.CAROM_BAD_DATA or (status == declarations.CAROM_USAGE and faults):
        raise SceneError(message, faults=faults)
    if status != declarations.CAROM_OK:
        raise error_of(status, message, **({"faults": faults} if status == InputError.status else {}))


def check_scene(status: int, handle: Handle) -> None:
    """Raises the exception of a call on a scene, unless it succeeded."""
    raise_faults(status, decoded(lib.carom_scene_message(handle.address)),
                 faults_of(lib.carom_scene_fault_count, lib.carom_scene_fault, handle.address))


@dataclass(frozen=True)
class Step:
    """A time step of a run, and the element that determines it.

    Attributes
    ----------
    kind : str
        "layers", "springs", "stretch", ...
    step : float
        Shortest step of this kind at the start.
    bound : float
        Stability bound of the step; 0: none.
    elements : int
        Number of elements of this kind.
    element : str
        The element that determines the step; "": no single one.
    particles : tuple of int
        Its particles.
    position : numpy.ndarray
        Mean of their positions, shape (dimension,); nan before a compression.
    warning : str
        A sentence on few elements that cost more than all others, with the remedy; "": there are none.
    source : str
        Of "layers": the stiffness and the rule that has chosen it; "": other kinds.
    """

    kind: str
    step: float
    bound: float
    elements: int
    element: str
    particles: tuple[int, ...]
    position: np.ndarray = field(compare=False)
    warning: str
    source: str


@dataclass(frozen=True)
class Check:
    """What a run of a scene needs.

    Attributes
    ----------
    dimension : int
    particles : int
        Without vertices of meshes.
    vertices : int
        Of the meshes that take part.
    packing_fraction : float
        Volume of the particles and of the bodies of meshes over that of the box.
    box : numpy.ndarray
        Sides, shape (dimension,).
    memory_bytes : int
        Memory of the run, about.
    frame_bytes : int
        Size of a frame in the result file, without compression.
    frames : int
        Number of frames; 0: unknown.
    steps : tuple of Step
        Time steps; the event-driven engines have none.
    notes : str
        One line for each mesh that was repaired, and for each warning.
    report : dict
        The same as `carom check --json` prints without a trial run.
    """

    dimension: int
    particles: int
    vertices: int
    packing_fraction: float
    box: np.ndarray = field(compare=False)
    memory_bytes: int
    frame_bytes: int
    frames: int
    steps: tuple[Step, ...]
    notes: str
    report: dict[str, Any] = field(repr=False)


# ---- The check of a scene ----

def checked(handle: Handle) -> Check:
    """Draws the initial state of a scene of the library, and estimates its run."""
    estimate = declarations.carom_estimate()
    check_scene(lib.carom_scene_check(handle.address, ctypes.byref(estimate)), handle)
    notes = decoded(lib.carom_scene_message(handle.address))
    text = ctypes.c_void_p()
    check(lib.carom_scene_report(handle.address, None, ctypes.byref(text)), lib.carom_scene_message(handle.address))
    d = estimate.dimension
    return Check(d, estimate.particles, estimate.vertices, estimate.packing_fraction, np.array(estimate.box[:d]),
                 estimate.memory_bytes, estimate.frame_bytes, estimate.frames, tuple(_steps(handle, d)), notes,
                 json.loads(owned(text.value)))


def _steps(handle: Handle, dimension: int) -> Iterator[Step]:
    n = 0
    while True:
        found = lib.carom_scene_step(handle.address, n)
        if not found:
            return
        s = found.contents
        yield Step(decoded(s.kind), s.step, s.bound, s.elements, decoded(s.element), tuple(s.particles[:s.particle_count]),
                   np.array(s.position[:dimension]), decoded(s.warning), decoded(s.source))
        n += 1

"""carom: event-driven contact dynamics.

    >>> import carom
    >>> sim = carom.Simulation(carom.Scene.starter("gas"))
    >>> sim.run(time=1)
    >>> sim.frame.positions.shape[1]
    3

`Scene` holds what a run starts from, `Simulation` runs it, `Frame` is the state at one time. `carom.open` reads a result file,
`verify`, `shape` and `compare` study results and scenes, `render` and `plot` draw them, `sweep` runs a scene over parameters
and seeds. Units are those of the scene. The guide is docs/python.md.
"""
from __future__ import annotations

from carom._library import decoded as _decoded
from carom._library import lib as _lib
from carom.errors import (CaromError, CreateError, DataError, DynamicsError, EarlyStop, Fault, InputError, InternalError,
                          OutputError, SceneError, UsageError, ViolationError)
from carom.events import EVENT_BODIES, EVENT_DTYPE, EVENT_KINDS, EventLog, StoredEvents
from carom.frame import Energy, Frame
from carom.merges import Merges
from carom.meshes import Links, Mesh
from carom.observables import Observable, Observables, Table, Value
from carom.observers import LiveObservable, Observer
from carom.pictures import Movie, Picture, Plot, plot, render
from carom.progress import Progress
from carom.results import Frames, Result, open
from carom.scene import Scene, starters
from carom.scene_check import Check, Step
from carom.simulation import Simulation
from carom.state import Difference
from carom.studies import Comparison, Shape, Verification, VerificationCheck, compare, shape, verify
from carom.sweeps import SweepTable, statistics, sweep
from carom.view import Page, View, view

__version__ = _decoded(_lib.carom_version())

__all__ = [
    "CaromError", "Check", "Comparison", "CreateError", "DataError", "Difference", "DynamicsError", "EVENT_BODIES",
    "EVENT_DTYPE", "EVENT_KINDS", "EarlyStop", "Energy", "EventLog", "Fault", "Frame", "Frames", "InputError",
    "InternalError", "Links", "LiveObservable", "Merges", "Mesh", "Movie", "Observable", "Observables", "Observer",
    "OutputError", "Page", "Picture", "Plot", "Progress", "Result", "Scene", "SceneError", "Shape", "Simulation",
    "Step", "StoredEvents", "SweepTable", "Table", "UsageError", "Value", "Verification", "VerificationCheck",
    "View", "ViolationError", "compare", "open", "plot", "render", "shape", "starters", "statistics", "sweep", "verify",
    "view",
]
__all__.remove("open")  # `from carom import *` leaves the function of Python in place

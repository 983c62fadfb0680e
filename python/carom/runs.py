"""Runs of a simulation to limits, in parts: between calls of own observers, frames, batches of events."""
from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, Callable, Iterator, Sequence

from carom import _declarations as declarations
from carom._checks import number, whole
from carom._library import check, lib, warn
from carom._limits import PartLimits
from carom.errors import UsageError

if TYPE_CHECKING:
    from carom.frame import Frame
    from carom.observers import Observer
    from carom.simulation import Simulation

# ---- limits ----------------------------------------------------------------------------------------------------------


def limits_of(**given: Any) -> dict[str, Any]:
    """Limits as `carom_limits` has them: those of `time`, `collisions`, `events`, `wall` that are not None, checked."""
    limits: dict[str, Any] = {}
    for name, value in given.items():
        if value is not None:
            what = "the limit `%s` of a run" % name
            counts = name in ("collisions", "events")
            limits["wall_s" if name == "wall" else name] = whole(value, what) if counts else number(value, what, least=0, finite=False)
    return limits


def scene_limits(sim: Simulation) -> dict[str, Any]:
    """The limits of the scene that are given."""
    limits = declarations.carom_limits()
    check(lib.carom_scene_limits(sim._loaded.address, ctypes.byref(limits)))
    return {name: getattr(limits, name) for name, _ in limits._fields_ if getattr(limits, name) > 0}


def reached(sim: Simulation, limit: str) -> float:
    """The present value of what a limit bounds; 0 for `wall_s`, which begins with each call of the library."""
    address = sim._not_shown()
    if limit == "time":
        return float(lib.carom_sim_time(address))
    if limit == "wall_s":
        return 0
    return int(lib.carom_sim_events(address, b"total" if limit == "events" else b"collision"))


def is_reached(sim: Simulation, limits: dict[str, Any]) -> bool:
    """Whether nothing is left to run."""
    return any(reached(sim, name) >= value for name, value in limits.items())


def warn_beyond(sim: Simulation, limits: dict[str, Any]) -> None:
    """Warns of limits that lie in the past."""
    for name, value in limits.items():
        if value < reached(sim, name):
            warn("nothing runs: the state is beyond %s=%.15g. Limits are totals since the start, as in run(%s=sim.%s + ...)"
                 % (name, value, name, "events['total']" if name == "events" else name))


def check_interval(every: float, limit: str, at: float) -> None:
    """Refuses an interval that does not advance a time or a count."""
    if every < 1e-15 * at:
        raise UsageError("the interval %g is below the rounding of numbers at %s %.9g: choose a larger one" % (every, limit, at))


# ---- runs ------------------------------------------------------------------------------------------------------------


def run_to_end(sim: Simulation) -> None:
    """Runs to the limits of the scene, and completes the result file."""
    if sim._observers:
        _run_observed(sim, {}, None)
    with sim._running("running"):
        status = _until_stop(sim, lambda: lib.carom_sim_run_to(sim._address, None))
        if status in (declarations.CAROM_OK, declarations.CAROM_DYNAMICS) and sim._raised is None:
            finished = lib.carom_sim_finish(sim._address)
            status = finished if finished != declarations.CAROM_OK else status
    sim._end_of_call(status)


def run_to(sim: Simulation, limits: dict[str, Any], pause: dict[str, Any] | None = None) -> None:
    """Runs to the first of the limits, which replace those of the scene, with a pause at those of `pause`."""
    (_run_observed if sim._observers else _run_part)(sim, pause or {}, limits)


def _run_part(sim: Simulation, pause: dict[str, Any], limits: dict[str, Any] | None) -> None:
    """Runs to the first of the limits; None: those of the scene."""
    pauses = declarations.carom_limits(**pause)
    ends = None if limits is None else ctypes.byref(declarations.carom_limits(**limits))
    with sim._running("running"):
        status = _until_stop(sim, lambda: lib.carom_sim_pause_at(sim._address, ctypes.byref(pauses), ends))
    sim._end_of_call(status)


def _until_stop(sim: Simulation, call: Callable[[], int]) -> int:
    """Runs. A request to stop that came at the end of an earlier call ends only that one."""
    status = call()
    while status == declarations.CAROM_EARLY and sim._raised is None:
        status = call()
    return status


# ---- runs in parts ---------------------------------------------------------------------------------------------------


def _run_observed(sim: Simulation, pause: dict[str, Any], limits: dict[str, Any] | None) -> None:
    """Runs in parts, from one call of an own observer to the next. `limits` None: those of the scene."""
    if sim._observing:
        raise UsageError("an own observer of a simulation cannot run it")
    left = PartLimits(limits or {})
    sim._observing = True
    try:
        _call_due(sim._observers)
        while not left.passed and not is_reached(sim, left.counted) and not is_reached(sim, pause):
            _run_part(sim, _next_pause(sim._observers, pause), None if limits is None else left.next())
            _call_due(sim._observers)
            if sim.stop is not None:
                return
    finally:
        sim._observing = False


def _call_due(observers: Sequence[Observer]) -> None:
    """Calls all own observers that are due, once, also those that are added meanwhile."""
    called: list[Observer] = []
    while True:
        due = [observer for observer in observers if observer not in called and observer.due()]
        if not due:
            return
        called += due
        for observer in due:
            observer.call()


def _next_pause(observers: Sequence[Observer], pause: dict[str, Any]) -> dict[str, Any]:
    """Where the next part of a run ends: at `pause`, or at the next call of an observer, if it comes before."""
    part = dict(pause)
    for observer in observers:
        part[observer.limit] = min(part.get(observer.limit, math.inf), observer.next)
    return part


def _frames_to_rest(sim: Simulation, every: float) -> Iterator[Frame]:
    """Frames up to the end of the run by the limits of the scene: limits of a call would replace its condition of rest."""
    k = math.ceil(sim.time / every - 1e-9)
    while True:
        if k * every > sim.time:
            (_run_observed if sim._observers else _run_part)(sim, {"time": k * every}, None)
            if sim.time < k * every:
                return
        yield sim.frame
        if sim.stop is not None:
            return
        k += 1


def frames_of(sim: Simulation, every: float, until: float | None) -> Iterator[Frame]:
    """Implements `Simulation.frames`."""
    check_interval(every, "time", sim.time)
    if until is None and "rest" in ((sim.scene._data.get("run") or {}).get("until") or {}):
        yield from _frames_to_rest(sim, every)
        return
    left = PartLimits({"time": until} if until is not None else scene_limits(sim))
    end = left.counted.get("time", math.inf)
    k = math.ceil(sim.time / every - 1e-9)
    while k * every <= end * (1 + 1e-12) and not left.passed:
        if k * every > sim.time:
            if "time" in left.counted:  # without further events, bodies move freely
                left.counted["time"] = k * every
            run_to(sim, left.next(), {"time": k * every})
            if sim.time < k * every:
                return
        yield sim.frame
        k += 1

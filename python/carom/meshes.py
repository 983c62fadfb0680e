"""Meshes and connections of particles in results."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from carom._arrays import copied, fixed
from carom._library import decoded
from carom.frame import Frame

if TYPE_CHECKING:
    from carom.results import Result


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
        self.faces = fixed(copied(given.triangles, (given.triangle_count, 3), np.uint32))
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
            ends = [copied(end, (count,), np.uint32) for end in (i, j)]
            return fixed(np.stack(ends, axis=1))

        self.springs = pairs(given.spring_i, given.spring_j, given.springs)
        self.segments = pairs(given.segment_i, given.segment_j, given.segments)
        self.segment_radii = fixed(copied(given.radius, (given.segments,), np.float64))
        self.bond_lengths: np.ndarray | None = None
        if given.shortest:
            limits = [copied(limit, (given.springs,), np.float64) for limit in (given.shortest, given.longest)]
            self.bond_lengths = fixed(np.stack(limits, axis=1))
        self.owners = fixed(copied(given.owner, (points,), np.uint32)) if given.owner else None

    def __repr__(self) -> str:
        kind = "bonds" if self.bond_lengths is not None else "springs"
        return "<carom.Links: %d %s, %d segments>" % (len(self.springs), kind, len(self.segments))

"""Merges of clusters in results: the contact tree."""
from __future__ import annotations

from typing import Any

import numpy as np

from carom._arrays import fixed
from carom.errors import DataError


def _root_of(root: list[int], particle: int) -> int:
    """The end of the chain from a particle, which this halves."""
    while root[particle] != particle:
        root[particle] = root[root[particle]]
        particle = root[particle]
    return particle


class Merges:
    """The merges of a run in order of time: the contact tree.

    Attributes
    ----------
    particles : int
        Number of particles.
    """

    def __init__(self, array: np.ndarray, particles: int) -> None:
        self.array = fixed(array)
        self.particles = particles
        self._joined: np.ndarray | None = None

    @property
    def times(self) -> np.ndarray:
        """Times of the merges, (merges,)."""
        return self.array["time"]

    @property
    def i(self) -> np.ndarray:
        """The particle in contact with the smaller number, uint32, (merges,)."""
        return self.array["i"]

    @property
    def j(self) -> np.ndarray:
        """The other particle in contact, uint32, (merges,)."""
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
        root = list(range(self.particles))
        count = int(np.searchsorted(self.times, time, side="right"))
        for i, j in zip(self.i[:count].tolist(), self.j[:count].tolist()):
            a, b = _root_of(root, i), _root_of(root, j)
            root[max(a, b)] = min(a, b)
        return np.array([_root_of(root, particle) for particle in root], dtype=np.uint32)

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

        for n, (time, i, j) in enumerate(zip(self.times.tolist(), self.i.tolist(), self.j.tolist())):
            a, b = _root_of(root, i), _root_of(root, j)
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

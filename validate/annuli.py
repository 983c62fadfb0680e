"""The oblique elastic impact of a sphere with partial slip, by the method of Maw, Barber and Fawcett, Wear 38, 101 (1976): annuli of the
area of contact stick, or slip with Coulomb's traction. Units: radius, mass and modulus E* are 1."""
from math import pi, sqrt

import numpy as np

SPEED, FRICTION = 1e-3, 0.1  # the result does not depend on them


class Annuli:
    def __init__(self, count, largest, modulus):
        self.edge = (np.arange(count) + 1) / count * largest
        self.middle = (np.arange(count) + 0.5) / count * largest
        self.modulus = modulus  # 4 G*
        self.moved = np.zeros(count)
        self.sticks, self.sign = np.ones(count, bool), np.ones(count)

    def influence(self, edge):
        """Displacements and tractions at the middles of tractions sqrt(1 - r^2 / c^2) within c. (Johnson, equations 3.41, 3.42; the
        difference between the directions along and across is neglected, as there.)"""
        c, r = edge[None, :], self.middle[:, None]
        inside = r < c
        outer = np.where(inside, c, r)
        near = pi / (4 * c) * (2 * c * c - r * r)
        far = ((2 * c * c - r * r) * np.arcsin(c / outer) + c * np.sqrt(outer * outer - c * c)) / (2 * c)
        return np.where(inside, near, far) / self.modulus, np.sqrt(np.maximum(1 - (r / c) ** 2, 0))

    def advance(self, radius, slid):
        """The tangential force after a displacement `slid` of the bodies, with this radius of contact."""
        k = int(np.sum(self.middle < radius))
        if k == 0:
            self.moved[:] = 0
            return 0.0
        edge = self.edge[:k].copy()
        edge[-1] = radius
        moves, pulls = self.influence(edge)
        limit = FRICTION * 2 * radius / pi * np.sqrt(1 - (self.middle[:k] / radius) ** 2)
        sticks, sign = self.sticks[:k].copy(), self.sign[:k].copy()
        for _ in range(60):
            solved = np.linalg.solve(np.where(sticks[:, None], moves[:k], pulls[:k]), np.where(sticks, self.moved[:k] + slid, sign * limit))
            traction, slip = pulls[:k] @ solved, slid - (moves[:k] @ solved - self.moved[:k])
            begin, end = sticks & (abs(traction) > limit * (1 + 1e-9)), ~sticks & (slip * sign < -1e-15)
            if not begin.any() and not end.any():
                break
            sign = np.where(begin, np.sign(traction), sign)
            sticks = (sticks & ~begin) | end
        self.sticks[:k], self.sticks[k:], self.sign[:k] = sticks, True, sign
        self.moved = moves @ solved
        return float(np.sum(solved * 2 / 3 * pi * edge ** 2))


def impact(psi, kappa, count=30, steps=400):
    """The local angle after an impact of a solid sphere on a plane, from that before it: both kappa v_t / (mu v_n)."""
    depth = (15 / 16 * SPEED ** 2) ** 0.4
    contact, h = Annuli(count, sqrt(depth), kappa), 2.943 * depth / SPEED / steps
    along, normal, x, force = psi * FRICTION * SPEED / kappa, SPEED, 0.0, 0.0
    while True:
        normal -= h / 2 * 4 / 3 * x ** 1.5
        along -= h / 2 * force * 3.5
        x += h * normal
        if x <= 0:
            return kappa * along / (FRICTION * SPEED)
        force = contact.advance(min(sqrt(x), contact.edge[-1] * (1 - 1e-12)), h * along)
        normal -= h / 2 * 4 / 3 * x ** 1.5
        along -= h / 2 * force * 3.5

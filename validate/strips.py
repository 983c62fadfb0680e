"""Lateral buckling of a cantilever strip that is bent about its strong axis by a force at its end: a rod of Kirchhoff whose clamp keeps the section
from warping. Timoshenko and Gere, Theory of Elastic Stability, 2nd ed. (1961), chapter 6: the twist of a strip has the warping rigidity
E b^3 t^3 / 144. Poisson's ratio 0, lengths over that of the strip, EI of the weak axis 1, GJ 2; loads times L^2 over the root of EI GJ."""
import numpy as np

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(5)


class Strip:
    def __init__(self, high, thin, parts=32):
        """Height and thickness over the length. Unknowns: rotations of the section about the axis and about the weak axis, both cubic Hermite
        in `parts` elements, short near the clamp; they and the rate of the first are 0 there."""
        self.strong = (high / thin) ** 2
        edges = np.linspace(0, 1, parts + 1) ** 2
        size, t = np.diff(edges)[:, None], (POINTS + 1) / 2
        same = np.ones((parts, 1))
        shape = (((1 - 3 * t ** 2 + 2 * t ** 3) * same, size * (t - 2 * t ** 2 + t ** 3), (3 * t ** 2 - 2 * t ** 3) * same, size * (t ** 3 - t ** 2)),
                 ((6 * t ** 2 - 6 * t) / size, (1 - 4 * t + 3 * t ** 2) * same, (6 * t - 6 * t ** 2) / size, (3 * t ** 2 - 2 * t) * same),
                 ((12 * t - 6) / size ** 2, (6 * t - 4) / size, (6 - 12 * t) / size ** 2, (6 * t - 2) / size))
        self.x = (edges[:-1, None] + t * size).ravel()
        self.weight = (WEIGHTS * size / 2).ravel()
        self.warp = high ** 2 / 12
        count, self.turn, self.side = 2 * parts + 2, [], []
        for values in shape:
            full = np.zeros((self.x.size, count))
            for k in range(parts):
                full[5 * k:5 * k + 5, 2 * k:2 * k + 4] = np.array([value[k] for value in values]).T
            self.turn.append(np.hstack([full, 0 * full])[:, self.free(count)])
            self.side.append(np.hstack([0 * full, full])[:, self.free(count)])

    @staticmethod
    def free(count):
        return [k for k in range(2 * count) if k not in (0, 1, count)]

    def softness(self, load):
        """Deflection of the end by a small force 1 to the side. The second variation of the energy, with the bending under the load to first order."""
        force = load * 2 ** 0.5
        bent, slope = force * (1 - self.x) / self.strong, force * (self.x - self.x ** 2 / 2) / self.strong
        along, down, moment = force * np.sin(slope), force * np.cos(slope), force * (1 - self.x)

        def sum(left, factor, right):
            part = left.T @ ((factor * self.weight)[:, None] * right)
            return (part + part.T) / 2
        one, (turn, turn1, turn2), (side, side1, _) = np.ones_like(self.x), self.turn, self.side
        twist, bend = turn1 - bent[:, None] * side, side1 + bent[:, None] * turn
        matrix = 2 * sum(twist, one, twist) + sum(bend, one, bend) + sum(turn2, self.warp * one, turn2)
        matrix += sum(twist, moment, side) - sum(bend, moment, turn) + sum(side, along, side) - sum(turn, down, side)
        push = -side.T @ self.weight
        return push @ np.linalg.solve(matrix, push)

    def critical(self):
        """The least load at which the softness is infinite."""
        return self.where(lambda load: 1 / self.softness(load), 3.5, 4.7)

    def load_of(self, softness, critical):
        """The load at which the strip is so soft."""
        return self.where(lambda load: softness - self.softness(load), 0.0, critical - 1e-3)

    @staticmethod
    def where(value, low, high):
        while high - low > 1e-7:
            middle = (low + high) / 2
            low, high = (middle, high) if value(middle) > 0 else (low, middle)
        return low

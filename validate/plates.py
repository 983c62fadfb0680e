"""An annular plate of Foeppl and von Karman, clamped at its inner edge and free at its outer one, under its weight: the deflection of equal height
around, and the load at which folds grow from it. Deflections u, w along r and down; folds U cos(m t), V sin(m t), W cos(m t) (energy of second order).
Cubic Hermite elements along r; s = young h, the stretching stiffness."""
from math import log

import numpy as np

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(4)


class Annulus:
    def __init__(self, inner, outer, s, rigidity, poisson, parts=24):
        self.s, self.d, self.nu = s / (1 - poisson ** 2), rigidity, poisson
        self.inner, self.outer, self.parts = inner, outer, parts
        edges = np.linspace(inner, outer, parts + 1)
        size = edges[1] - edges[0]
        t = (POINTS + 1) / 2
        n = np.array([1 - 3 * t ** 2 + 2 * t ** 3, size * (t - 2 * t ** 2 + t ** 3), 3 * t ** 2 - 2 * t ** 3, size * (t ** 3 - t ** 2)])
        n1 = np.array([(6 * t ** 2 - 6 * t) / size, 1 - 4 * t + 3 * t ** 2, (6 * t - 6 * t ** 2) / size, 3 * t ** 2 - 2 * t])
        n2 = np.array([(12 * t - 6) / size ** 2, (6 * t - 4) / size, (6 - 12 * t) / size ** 2, (6 * t - 2) / size])
        self.r = (edges[:-1, None] + size * t).ravel()
        self.area = np.tile(WEIGHTS * size / 2, parts) * self.r
        self.shape = []
        for values in (n, n1, n2):
            full = np.zeros((self.r.size, 2 * parts + 2))
            for k in range(parts):
                full[4 * k:4 * k + 4, 2 * k:2 * k + 4] = values.T
            self.shape.append(full)

    def sum(self, left, factor, right):
        return left.T @ ((factor * self.area)[:, None] * right)

    def bending(self, m=0):
        """Curvatures W'', W' / r - m^2 W / r^2, m (W / r^2 - W' / r)."""
        (n, n1, n2), r, one = self.shape, self.r[:, None], np.ones_like(self.r)
        along, around, twist = n2, n1 / r - m * m * n / r ** 2, m * (n / r ** 2 - n1 / r)
        mixed = self.sum(along, one, around)
        return self.d * (self.sum(along, one, along) + self.sum(around, one, around) + self.nu * (mixed + mixed.T)
                         + 2 * (1 - self.nu) * self.sum(twist, one, twist))

    def strains(self, u, w):
        n, n1, _ = self.shape
        slope, around = n1 @ w, n @ u / self.r
        along = n1 @ u + slope ** 2 / 2
        return slope, self.s * (along + self.nu * around), self.s * (around + self.nu * along)

    def deflect(self, weight, start=None):
        """Deflections under a weight per area, by Newton's method; the clamp holds w, w' and u."""
        n, n1, _ = self.shape
        size, r, one = n.shape[1], self.r[:, None], np.ones_like(self.r)
        x = np.zeros(2 * size) if start is None else start.copy()
        free = np.array([k for k in range(2 * size) if k not in (0, size, size + 1)])
        bend = self.bending()
        for _ in range(60):
            slope, along, around = self.strains(x[:size], x[size:])
            rows = np.hstack([n1, slope[:, None] * n1]), np.hstack([n / r, 0 * n])
            force = np.concatenate([np.zeros(size), bend @ x[size:] - weight * n.T @ self.area])
            force += rows[0].T @ (along * self.area) + rows[1].T @ (around * self.area)
            mixed = self.sum(rows[0], self.nu * one, rows[1])
            matrix = self.s * (self.sum(rows[0], one, rows[0]) + self.sum(rows[1], one, rows[1]) + mixed + mixed.T)
            matrix[size:, size:] += bend + self.sum(n1, along, n1)
            step = np.linalg.solve(matrix[np.ix_(free, free)], -force[free])
            x[free] += step
            if abs(step).max() < 1e-9 * abs(x).max():
                return x
        raise RuntimeError("no deflection found under the weight %g" % weight)

    def folds(self, x, m):
        """Matrices of the energy of folds W cos(m t), for the U and V that make it least, and of their bending alone; W and W' are 0 at the clamp."""
        n, n1, _ = self.shape
        size, r, one, zero = n.shape[1], self.r[:, None], np.ones_like(self.r), 0 * n
        slope, along, around = self.strains(x[:size], x[size:])
        tilt = slope[:, None]
        e_r, e_t = np.hstack([n1, zero, tilt * n1]), np.hstack([n / r, m * n / r, zero])
        shear = np.hstack([-m * n / r, n1 - n / r, -m * tilt * n / r])
        mixed = self.sum(e_r, self.nu * one, e_t)
        matrix = self.s * (self.sum(e_r, one, e_r) + self.sum(e_t, one, e_t) + mixed + mixed.T + (1 - self.nu) / 2 * self.sum(shear, one, shear))
        bend = self.bending(m)
        matrix[2 * size:, 2 * size:] += bend + self.sum(n1, along, n1) + self.sum(m * n / r, around, m * n / r)
        plane, up = [k for k in range(2 * size) if k not in (0, size)], list(range(2 * size + 2, 3 * size))
        held = matrix[np.ix_(plane, plane)]
        return matrix[np.ix_(up, up)] - matrix[np.ix_(up, plane)] @ np.linalg.solve(held, matrix[np.ix_(plane, up)]), bend[2:, 2:]

    def compliance(self, x, m):
        """How far a force cos(m t) at the outer edge moves it; infinite at the load at which folds grow."""
        left, _ = self.folds(x, m)
        push = np.zeros(len(left))
        push[-2] = 1.0
        return np.linalg.solve(left, push)[-2]

    def folded(self, x, m):
        left, bend = self.folds(x, m)
        lower = np.linalg.inv(np.linalg.cholesky(bend))
        return np.linalg.eigvalsh(lower @ left @ lower.T)[0] < 0

    def threshold(self, m, low, high):
        """The weight at which folds m around grow, between two weights; infinite if they do not."""
        x, steps = None, 12
        for weight in np.geomspace(low / 10, high, steps):
            x = self.deflect(weight, x)
            if self.folded(x, m):
                break
        else:
            return float("inf")
        under, over = weight * (10 * high / low) ** (-1 / (steps - 1)), weight
        while log(over / under) > 1e-4:
            middle = (under + over) / 2
            x = self.deflect(middle, x)
            under, over = (under, middle) if self.folded(x, m) else (middle, over)
        return over


def small(inner, outer, rigidity, poisson, weight):
    """Deflection of the outer edge, linear theory: Young, Budynas, Roark's Formulas for Stress and Strain, 7th ed., table 11.2, case 2l (C, L: its constants)."""
    k, ln = inner / outer, log(outer / inner)
    c2, c3 = (1 - k * k * (1 + 2 * ln)) / 4, k / 4 * ((k * k + 1) * ln + k * k - 1)
    c8, c9 = (1 + poisson + (1 - poisson) * k * k) / 2, k * ((1 + poisson) / 2 * ln + (1 - poisson) / 4 * (1 - k * k))
    l11 = (1 + 4 * k * k - 5 * k ** 4 - 4 * k * k * (2 + k * k) * ln) / 64
    l17 = (1 - (1 - poisson) / 4 * (1 - k ** 4) - k * k * (1 + (1 + poisson) * ln)) / 4
    shear = (1 - k * k) / (2 * k)
    return weight * outer ** 4 / rigidity * (l11 + c2 / c8 * (c9 * shear - l17) - c3 * shear)


def drooped(inner, outer, s, rigidity, poisson, weight, parts=400):
    """The radius of the outer edge and how far it has sunk, the same around, for any rotation: a shell whose sections stay normal, with Green's strains
    e = (stretch^2 - 1) / 2, curvatures angle' and sin(angle) / r, r in the flat state. Shooting from the clamp for the radial force and the moment."""
    s, d, nu = s / (1 - poisson ** 2), rigidity, poisson

    def rates(r, y):
        place, _, angle, n, rm = y  # r times the force along r, and times the moment
        across, hung, around = n / r, weight * (outer ** 2 - r * r) / (2 * r), (place * place / r / r - 1) / 2
        pull, stretch = across * np.cos(angle) + hung * np.sin(angle), 1.0
        for _ in range(6):
            e = (stretch ** 2 - 1) / 2 + nu * around
            stretch -= (s * e * stretch - pull) / (s * (e + stretch ** 2))
        bent = np.sin(angle) / r
        turn = rm / (r * d) - nu * bent
        return np.array([stretch * np.cos(angle), stretch * np.sin(angle), turn, s * (around + nu * (stretch ** 2 - 1) / 2) * place / r,
                         d * (bent + nu * turn) * np.cos(angle) + r * stretch * (across * np.sin(angle) - hung * np.cos(angle))])

    def shoot(start):
        y, h = np.array([inner, 0.0, 0.0, *start]), (outer - inner) / parts
        for k in range(parts):
            r = inner + k * h
            a = rates(r, y)
            b = rates(r + h / 2, y + h / 2 * a)
            c = rates(r + h / 2, y + h / 2 * b)
            y = y + h / 6 * (a + 2 * b + 2 * c + rates(r + h, y + h * c))
        return y
    # From a light sheet on, so that Newton's method starts close to the solution.
    start, whole = np.zeros(2), weight
    for share in np.linspace(0.05, 1, 20):
        weight = share * whole
        for _ in range(30):
            end, size = shoot(start), np.array([1e-6 * s * inner, 1e-6 * d])
            slopes = np.array([(shoot(start + size * unit) - end)[3:] / (size @ unit) for unit in np.eye(2)]).T
            step = np.linalg.solve(slopes, -end[3:])
            start = start + step
            if (abs(step) < 1e-9 * (abs(start) + size)).all():
                break
    return shoot(start)[:2]

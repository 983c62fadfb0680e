"""A hemisphere with a hole of 18 degrees, radius 10, thickness 0.04, Young's modulus 6.825e7, Poisson's ratio 0.3, pulled at two points of its rim and
pushed at two, in turn: its mesh, and shell theory for small forces."""
from math import pi

import numpy as np

RADIUS, THICK, YOUNG, POISSON, HOLE = 10.0, 0.04, 6.825e7, 0.3, 18 * pi / 180
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(6)


def mesh(cells):
    """Vertices and triangles: circles of 4 `cells` vertices, each turned by half a cell against the next. Triangles are nearly equilateral near the
    rim, and no pattern of diagonals stiffens the surface: with alternating ones the points move by up to 2 % less."""
    around = 4 * cells
    k, i = np.divmod(np.arange((cells + 1) * around), around)
    angle, turn = HOLE + (pi / 2 - HOLE) * k / cells, 2 * pi * (i + 0.5 * ((cells - k) % 2)) / around
    here = np.arange(cells * around)
    beside = here - i[:len(here)] + (i[:len(here)] + 1) % around
    below, across, turned = here + around, beside + around, ((cells - k[:len(here)]) % 2 == 1)[:, None]
    upper = np.where(turned, np.stack([here, below, across], 1), np.stack([here, below, beside], 1))
    lower = np.where(turned, np.stack([here, across, beside], 1), np.stack([below, across, beside], 1))
    return RADIUS * np.stack([np.sin(angle) * np.cos(turn), np.sin(angle) * np.sin(turn), np.cos(angle)], 1), np.concatenate([upper, lower])


def harmonic(m, parts=120):
    """How far a radial force 1, cos(m t) around the rim, moves the rim, in proportion to cos(m t): Koiter's shell, displacements u, v, w along the
    meridian, around and outwards, cubic Hermite elements along the meridian, short near the rim."""
    edges = HOLE + (pi / 2 - HOLE) * (1 - (1 - np.linspace(0, 1, parts + 1)) ** 1.5)
    stretch, rigidity = YOUNG * THICK / (1 - POISSON ** 2), YOUNG * THICK ** 3 / 12 / (1 - POISSON ** 2)
    band, t = np.zeros((12, 6 * parts + 6)), (POINTS + 1) / 2
    for k in range(parts):
        size = edges[k + 1] - edges[k]
        place = edges[k] + size * t
        shape = (np.array([1 - 3 * t ** 2 + 2 * t ** 3, size * (t - 2 * t ** 2 + t ** 3), 3 * t ** 2 - 2 * t ** 3, size * (t ** 3 - t ** 2)]).T,
                 np.array([(6 * t ** 2 - 6 * t) / size, 1 - 4 * t + 3 * t ** 2, (6 * t - 6 * t ** 2) / size, 3 * t ** 2 - 2 * t]).T,
                 np.array([(12 * t - 6) / size ** 2, (6 * t - 4) / size, (6 - 12 * t) / size ** 2, (6 * t - 2) / size]).T)
        u, v, w = ([np.hstack([value if part == field else 0 * value for part in range(3)]) for value in shape] for field in range(3))
        s, c = np.sin(place)[:, None], (np.cos(place) / np.sin(place))[:, None]
        strains = [u[1] + w[0], m * v[0] / s + u[0] * c + w[0], v[1] - c * v[0] - m * u[0] / s]
        tilt, turn = u[0] - w[1], v[0] + m * w[0] / s
        bends = [u[1] - w[2], m * turn / s + c * tilt, v[1] + m * w[1] / s - m * w[0] * c / s - c * turn - m * tilt / s]
        area = (pi * np.sin(place) * WEIGHTS * size / 2)[:, None]
        matrix = 0
        for (a, b, ab), stiffness in ((strains, stretch), (bends, rigidity / RADIUS ** 2)):
            for left, right, factor in ((a, a, 1), (b, b, 1), (a, b, POISSON), (b, a, POISSON), (ab, ab, (1 - POISSON) / 2)):
                matrix = matrix + stiffness * factor * left.T @ (area * right)
        at = [6 * k + 6 * node + 2 * field + rate for field in range(3) for node in (0, 1) for rate in (0, 1)]
        for i, row in enumerate(at):
            for j, column in enumerate(at):
                if row >= column:
                    band[row - column, column] += matrix[i, j]
    push = np.zeros(band.shape[1])
    push[-2] = 1.0
    return solve(band, push)[-2]


def solve(band, right):
    """Cholesky's factors of a matrix of its lower diagonals, and the solution."""
    below, count = len(band) - 1, band.shape[1]
    band = np.hstack([band, np.zeros((below + 1, below))])
    x = np.concatenate([right, np.zeros(below)])
    for k in range(count):
        root = band[0, k] ** 0.5
        column = band[1:, k] / root
        band[0, k], band[1:, k] = root, column
        for j in range(below):
            band[:below - j, k + 1 + j] -= column[j] * column[j:]
        x[k] /= root
        x[k + 1:k + 1 + below] -= column * x[k]
    for k in range(count - 1, -1, -1):
        x[k] = (x[k] - band[1:, k] @ x[k + 1:k + 1 + below]) / band[0, k]
    return x[:count]


def small(force, last=102):
    """How far small forces move the points; only m = 2, 6, 10, ... have a part in four forces in turn, each the same."""
    return 4 * force * sum(harmonic(m) for m in range(2, last + 1, 4))

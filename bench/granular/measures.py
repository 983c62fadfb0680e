"""What is measured from positions and radii, for both programs by the same code."""
from math import atan, degrees, pi

import numpy as np

GRID = 0.12  # spacing of the sampling points for packing fractions
CONE_MEDIAN = 1 - 0.5 ** (1 / 3)  # half of the volume of a cone is below this share of its height


def packing_fraction(positions, radii, inside, low, high):
    """Share of the points of a grid, of those for which inside(points) holds, that are in a grain."""
    axes = [np.arange(a + GRID / 2, b, GRID) for a, b in zip(low, high)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    points = points[inside(points)]
    covered = np.zeros(len(points), dtype=bool)
    near = np.all((positions + radii[:, None] > low) & (positions - radii[:, None] < high), axis=1)
    for centre, radius in zip(positions[near], radii[near]):
        covered |= np.sum((points - centre) ** 2, axis=1) < radius * radius
    return covered.mean()


def upright(centre, radius):
    """Points within a vertical cylinder."""
    return lambda points: np.hypot(points[:, 0] - centre[0], points[:, 1] - centre[1]) < radius


def lying(centre, radius):
    """Points within a cylinder along y; centre: x and z."""
    return lambda points: np.hypot(points[:, 0] - centre[0], points[:, 2] - centre[1]) < radius


def from_axis(positions):
    """Distances from the vertical axis through the median position."""
    centre = np.median(positions[:, :2], axis=0)
    return np.hypot(*(positions[:, :2] - centre).T)


def cone_angle(positions, floor=0.0):
    """Angle of the cone with the medians of the distance from the axis and of the height, in degrees.

    In a cone of radius R and height H, half of the volume is within R / 2 of the axis, and half below 0.206 H."""
    height = (np.median(positions[:, 2]) - floor) / CONE_MEDIAN
    return degrees(atan(height / (2 * np.median(from_axis(positions)))))


def heap_profile(positions, radii):
    """(distance, mean height) of the surface in rings of width 1: tops of the highest grains in cells of about 1 x 1."""
    centre = np.median(positions[:, :2], axis=0)
    x, y = (positions[:, :2] - centre).T
    ring, top = np.hypot(x, y).astype(int), positions[:, 2] + radii
    distances, heights = [], []
    for k in range(ring.max() + 1):
        sectors = max(1, int(round(2 * pi * (k + 0.5))))
        tops = np.zeros(sectors)
        sector = ((np.arctan2(y, x) / (2 * pi) + 0.5) * sectors).astype(int) % sectors
        np.maximum.at(tops, sector[ring == k], top[ring == k])
        distances.append(k + 0.5)
        heights.append(tops.mean())
    return np.array(distances), np.array(heights)


def surface_angle(positions, radii):
    """Angle of repose, in degrees: a line through the profile from the second ring to 15 % of its largest height."""
    distance, height = (part[1:] for part in heap_profile(positions, radii))
    slope = height > 0.15 * height.max()
    return degrees(atan(-np.polyfit(distance[slope], height[slope], 1)[0]))


class Clogged(Exception):
    """Grains have ceased to leave a vessel: none in the last tenth of the run, or few in its last third."""


def discharge_rate(times, positions, level, first, last):
    """Grains per unit time below a level, between the times at which the shares first and last have passed it."""
    passed = (positions[:, :, 2] < level).sum(axis=1)
    count = positions.shape[1]
    since = [passed[-1] - passed[len(times) * part // 30] for part in (20, 27)]
    if passed[-1] < last * count and (since[1] == 0 or since[0] < 0.1 * passed[-1]):
        raise Clogged("after %d of %d grains" % (passed[-1], count))
    steady = (passed >= first * count) & (passed <= last * count)
    if steady.sum() < 3:
        raise ValueError("the run is too short: %d frames between the shares %g and %g" % (steady.sum(), first, last))
    return np.polyfit(times[steady], passed[steady], 1)[0]


def slope_angle(positions, radii, low, high):
    """Angle of the free surface along x, in degrees: a line through the tops of the highest grains in bins of width 1."""
    x, top = positions[:, 0], positions[:, 2] + radii
    centres, tops = [], []
    for a in np.arange(low, high):
        here = (x >= a) & (x < a + 1)
        if here.any():
            centres.append(a + 0.5)
            tops.append(top[here].max())
    return degrees(atan(np.polyfit(centres, tops, 1)[0]))


def lean_angle(positions, masses, axis):
    """Angle between the vertical and the line from the axis (x, z) to the centre of mass, in degrees: that of a plane surface."""
    x, z = np.average(positions[:, [0, 2]], axis=0, weights=masses) - axis
    return degrees(np.arctan2(x, -z))


def beverloo(diameters, rates, grain):
    """(C, k, their standard errors) of rate = C (D - k d)^(5/2): a line through rate^(2/5)."""
    diameters, roots = np.asarray(diameters), np.asarray(rates) ** 0.4
    (slope, offset), cover = np.polyfit(diameters, roots, 1, cov=True)
    k = -offset / slope / grain
    gradient = np.array([offset / slope**2, -1 / slope]) / grain
    return slope**2.5, k, 2.5 * slope**1.5 * cover[0, 0] ** 0.5, float(gradient @ cover @ gradient) ** 0.5


# ---- the scenes ----------------------------------------------------------------------------------------------------------

def of_single(tree, trace):
    """The grain that is dropped meets the floor at the time sqrt(5)."""
    fallen = trace.times > 5**0.5 + 0.1
    return {"height of the rebound": trace.positions[fallen, 0, 2].max() - 0.5,
            "distance of the throw": trace.positions[-1, 1, 0] - trace.positions[0, 1, 0]}


def throw(v, mu, rolling):
    """Distance on which a solid sphere slides, then rolls, and stops, g = 1: Coulomb's friction, rolling resistance rolling R N."""
    time = v / (mu + (mu - rolling) / 0.4)
    speed = v - mu * time
    return (v + speed) / 2 * time + speed * speed * 1.4 / (2 * rolling)


def of_pile(tree, trace):
    p = trace.positions[-1]
    centre = np.median(p[:, :2], axis=0)
    return {"packing fraction of the core": packing_fraction(p, trace.radii, upright(centre, 2.5), (*(centre - 2.5), 0.5), (*(centre + 2.5), 2)),
            "angle of repose, by its surface": surface_angle(p, trace.radii),
            "angle of repose, by its medians": cone_angle(p)}


def filled_fraction(tree, trace):
    """Packing fraction in the vessel before its gate opens."""
    centre = np.array(tree["meshes"][0]["place"]["at"], dtype=float)
    opens = tree["drives"][0]["motion"][0]["time"]
    filled = trace.positions[np.searchsorted(trace.times, opens - 1e-9) - 1]
    low, high = (*(centre[:2] - 2.5), centre[2] + 1.5), (*(centre[:2] + 2.5), centre[2] + 4.5)
    return packing_fraction(filled, trace.radii, upright(centre, 2.5), low, high)


def of_hopper(tree, trace):
    level = tree["meshes"][0]["place"]["at"][2] - 1
    return {"packing fraction in the vessel": filled_fraction(tree, trace),
            "discharge, grains per time": discharge_rate(trace.times, trace.positions, level, 0.2, 0.7),
            "angle of repose below, by its medians": cone_angle(trace.positions[-1])}


def of_drum(tree, trace, start=20):
    axis = np.array([tree["meshes"][0]["place"]["at"][k] for k in (0, 2)], dtype=float)
    steady = [p for t, p in zip(trace.times, trace.positions) if t >= start]
    fractions, slopes, leans = [], [], []
    for p in steady:
        slopes.append(slope_angle(p, trace.radii, 3, 11))
        leans.append(lean_angle(p, trace.masses, axis))
    for p in steady[::10]:
        x, z = np.average(p[:, [0, 2]], axis=0, weights=trace.masses)
        fractions.append(packing_fraction(p, trace.radii, lying((x, z), 1.5), (x - 1.5, 2, z - 1.5), (x + 1.5, 4, z + 1.5)))
    return {"packing fraction of the core": np.mean(fractions), "dynamic angle, by its surface": abs(np.mean(slopes)),
            "dynamic angle, by its centre of mass": abs(np.mean(leans))}


STARTERS = {"pile": of_pile, "hopper": of_hopper, "drum": of_drum}



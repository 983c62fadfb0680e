"""Hard ellipsoids: second virial coefficients, equation of state, equipartition, conservation."""
from math import cos, hypot, pi, sin, sqrt

from .fluids import compressibility, length_of
from .harness import Row

ISIHARA = "B2 = V + R S, R the mean of the support function: Isihara, J. Chem. Phys. 18, 1446 (1950); Hadwiger (1951)"
BOUBLIK = "B2 = A + L^2 / (4 pi): Boublik, Mol. Phys. 29, 421 (1975)"
NEZBEDA = "Nezbeda, Chem. Phys. Lett. 41, 55 (1976), for hard convex bodies"
STEPS = 20000


def measures(dimension, a, b):
    """Volume and second virial coefficient of an ellipse or an ellipsoid of revolution."""
    middles = [(k + 0.5) / STEPS for k in range(STEPS)]
    if dimension == 2:
        around = sum(4 * hypot(a * sin(pi / 2 * x), b * cos(pi / 2 * x)) for x in middles) * pi / 2 / STEPS
        return pi * a * b, pi * a * b + around**2 / (4 * pi)
    reach = sum(sqrt(b * b + (a * a - b * b) * x * x) for x in middles) / STEPS
    surface = sum(4 * pi * b * sin(pi / 2 * x) * hypot(a * sin(pi / 2 * x), b * cos(pi / 2 * x))
                  for x in middles) * pi / 2 / STEPS
    volume = 4 * pi / 3 * a * b * b
    return volume, volume + reach * surface


def run(lab, dimension, a, b, f, collisions, *more):
    axes = [a, b, b][:dimension]
    return lab.run("ellipsoids", "dimension=%d" % dimension, "species.egg.semi_axes=%s" % axes,
                   "box.packing_fraction=%.10g" % f, "run.until.collisions=%d" % lab.length(collisions, 100000), *more)


def virial(dimension, a, b):
    def rows(lab, name):
        """(Z - 1) / (n B2) at two densities; a line through them leads to 1 at density 0."""
        volume, b2 = measures(dimension, a, b)
        points = []
        for part in (0.03, 0.06):
            found = run(lab, dimension, a, b, part / b2 * volume, 1000000)
            z, error, _ = compressibility(found)
            points.append(((z - 1) / part, error / part))
        ours, error = 2 * points[0][0] - points[1][0], hypot(2 * points[0][1], points[1][1])
        shape = "ellipses" if dimension == 2 else "ellipsoids"
        return [Row(name, "second virial coefficient of hard %s, semi-axes %g, %g" % (shape, a, b),
                    BOUBLIK if dimension == 2 else ISIHARA, "B2 = %.5f V, within 3 sigma" % (b2 / volume),
                    "%.4f +- %.4f of that" % (ours, error), abs(ours - 1) < 3 * error,
                    length_of(found) + ", n B2 = 0.03 and 0.06")]
    return rows


def nezbeda(f, a):
    return (1 + (3 * a - 2) * f + (a * a + a - 1) * f**2 - a * (5 * a - 4) * f**3) / (1 - f)**3


def state(a, b, f):
    # Nezbeda's equation depends on one number of the shape: 0.2 % off for eggs, 0.8 % for coins, runs to 0.1 %.
    def rows(lab, name):
        volume, b2 = measures(3, a, b)
        expected = nezbeda(f, (b2 / volume - 1) / 3)
        found = run(lab, 3, a, b, f, 1000000, "observe.0.start=3", "observe.1.start=3")
        z, error, _ = compressibility(found)
        ratio = found["observables"]["rotational_temperature"]["ratio"]
        energy = found["energy"]["total"] / found["energy"]["initial"] - 1
        deep = found["max_overlap"]
        what = "hard ellipsoids, semi-axes %g, %g, packing fraction %g" % (a, b, f)
        return [Row(name, "compressibility of " + what, NEZBEDA, "%.4f within 1 %%" % expected,
                    "%.4f +- %.4f (%+.2f %%)" % (z, error, 100 * (z / expected - 1)), abs(z / expected - 1) < 0.01,
                    length_of(found)),
                Row(name, "temperature of spins over that of motion, same", "equipartition", "1 within 3 sigma",
                    "%.4f +- %.4f" % (ratio["mean"], ratio["error"]), abs(ratio["mean"] - 1) < 3 * ratio["error"],
                    length_of(found)),
                Row(name, "energy, and the deepest overlap, same", "conservation", "within 1.4e-15; below 2.4e-14",
                    "off by %.1e; %.1e" % (energy, deep), abs(energy) < 1.4e-15 and deep < 2.4e-14, length_of(found))]
    return rows


ROWS = {"ellipses-b2": virial(2, 1, 0.2), "ellipsoids-b2": virial(3, 1, 0.2), "coins-b2": virial(3, 0.2, 1),
        "ellipsoids-2": state(1, 0.5, 0.25), "coins-2": state(0.5, 1, 0.25)}

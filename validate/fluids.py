"""Equilibrium: equations of state, the virial identity, conservation over long runs."""
from math import hypot, pi, sqrt

from . import literature
from .harness import Row, count

SPHERES = (0.1, 0.2, 0.3, 0.4, 0.49)
DISKS = (0.3, 0.5)
KNOWN = 5e-5  # of the compressibility: what the sources state, or less


def thermal(found):
    """Root of the temperature, sqrt(T / m); the energy and the freedom of the centre of mass are constant."""
    d, n = found["dimension"], found["particles"]
    return sqrt(2 * found["energy"]["initial"] / (d * (n - 1)))


def spheres(lab, f):
    collisions = lab.length({0.1: 10000000, 0.2: 10000000, 0.3: 20000000, 0.4: 100000000, 0.49: 20000000}[f], 1000000)
    # Equilibration: some 300 collisions of each particle, 1500 at the highest density.
    start = lab.length({0.1: 170, 0.2: 63, 0.3: 30, 0.4: 15, 0.49: 40}[f], 2)
    return lab.run("fluid", "box.packing_fraction=%g" % f, "run.until.collisions=%d" % collisions,
                   "particles.0.place=%s" % ("random" if f < 0.35 else "compress"),
                   "observe.0.start=%g" % start, "observe.1.start=%g" % start)


def disks(lab, f, n=10000):
    # At 0.7 the large system takes some 10,000 collisions of each particle to lose the disorder of the compression.
    long = 10000000 if f < 0.7 else 40000000 if n < 10000 else 100000000
    collisions = lab.length(long, 1000000)
    start = lab.length({0.3: 100, 0.5: 50, 0.7: 400 if n < 10000 else 500}[f], 2)
    more = ["particles.0.count=%d" % n] if n != 10000 else []
    return lab.run("disks", "box.packing_fraction=%g" % f, "run.until.collisions=%d" % collisions,
                   "particles.0.place=%s" % ("random" if f < 0.4 else "compress"),
                   "observe.0.start=%g" % start, "observe.1.start=%g" % start, *more)


def length_of(found):
    n = found["particles"]
    total = found["events"]["collision"]
    return "N = %s, %s collisions (%s a particle), seed %d" % (
        count(n), count(total), count(2 * total / n), found["seed"])


def compressibility(found):
    z = found["observables"]["pressure"]["compressibility"]
    return z["mean"], z["error"], z["converged"]


def state_row(name, found, what, expected, source, within=None):
    """Agreement within three errors of the run and the source; or within a fraction of the compressibility, if a
    difference is known."""
    z, error, converged = compressibility(found)
    away = z / expected - 1
    ours = "%.5f +- %.5f (%+.3f %%, %+.1f sigma)" % (z, error, 100 * away, (z - expected) / error)
    if not converged:
        ours += "; the error has not converged"
    bound = 3 * hypot(error / expected, KNOWN) if within is None else within
    words = "3 sigma" if within is None else "%g %%" % (100 * within)
    return Row(name, what, source, "%.5f within %s" % (expected, words), ours, abs(away) < bound, length_of(found))


def identity_row(name, found, factor, formula):
    """Z = 1 + factor * rate / sqrt(T / m). The two errors are not independent: their sum in quadrature is generous."""
    z, error, _ = compressibility(found)
    rate = found["observables"]["collision_rate"]
    expected, theirs = 1 + factor * rate["mean"] / thermal(found), factor * rate["error"] / thermal(found)
    sigma = hypot(error, theirs)
    ours = "%.5f +- %.5f (%+.4f %%, %+.1f sigma)" % (z, error, 100 * (z / expected - 1), (z - expected) / sigma)
    return Row(name, "compressibility against collision rate, same run", "virial identity, " + formula,
               "%.5f +- %.5f from the rate, within 3 sigma" % (expected, theirs), ours, abs(z - expected) < 3 * sigma,
               length_of(found))


def spheres_rows(f):
    def rows(lab, name):
        found = spheres(lab, f)
        what = "compressibility of hard spheres at packing fraction %g" % f
        source = literature.KLM + "; Carnahan-Starling gives %.5f" % literature.carnahan_starling(f)
        return [state_row(name, found, what, literature.spheres(f), source),
                identity_row(name, found, sqrt(pi) / 6, "Z = 1 + (sqrt(pi) / 6) rate")]
    return rows


def disks_rows(f, n, expected, source, within=None):
    def rows(lab, name):
        found = disks(lab, f, n)
        what = "compressibility of hard disks at packing fraction %g" % f
        return [state_row(name, found, what, expected, source, within),
                identity_row(name, found, sqrt(pi) / 4, "Z = 1 + (sqrt(pi) / 4) rate")]
    return rows


def conservation(lab, name):
    found = spheres(lab, 0.4)
    energy, n = found["energy"], found["particles"]
    drift = abs(energy["total"] / energy["initial"] - 1)
    momentum = max(abs(p) for p in found["momentum"]) / n
    overlap = found["max_overlap"] / 2**-52
    share = found["observables"]["stabilising"]
    length = length_of(found) + ", packing fraction 0.4"
    return [
        Row(name, "relative change of the energy, elastic", "conservation", "below 2e-13", "%.1e" % drift, drift < 2e-13, length),
        Row(name, "momentum per particle (0 at the start; thermal speed 1)", "conservation", "below 2e-16", "%.1e" % momentum,
            momentum < 2e-16, length),
        Row(name, "deepest overlap at an impact", "rounding; " + literature.BANNERMAN, "below 100 ulps of the diameter",
            "%.0f ulps (%.1e); %.1e of the collisions stabilise" % (overlap, found["max_overlap"], share["mean"]),
            overlap < 100, length),
    ]


def long_run(lab, name):
    """The bits of one thread on two, at the length of the longest runs."""
    n, f, collisions = 32000, 0.49, lab.length(1000000000, 1000000)
    sets = ("particles.0.count=%d" % n, "particles.0.place=fcc", "box.packing_fraction=%g" % f,
            "run.until.collisions=%d" % collisions)
    one, two = lab.run("fluid", *sets), lab.run("fluid", *sets, threads=2)
    same = all(one[key] == two[key] for key in ("state_hash", "time", "energy", "momentum", "max_overlap", "observables"))
    drift = abs(one["energy"]["total"] / one["energy"]["initial"] - 1)
    length = length_of(one) + ", packing fraction %g" % f
    return [
        Row(name, "two threads against one: `state_hash`, time, energy, momentum, observables", "docs/parallel.md", "equal",
            "%s, %s" % (one["state_hash"], "equal" if same else "not " + two["state_hash"]), same, length),
        Row(name, "relative change of the energy, same", "conservation", "below 2e-13", "%.1e" % drift, drift < 2e-13, length),
    ]


def dilute(lab, name):
    """If free paths are far longer than the box, only rounding of the box remains."""
    n, done = 500, []
    for f in (1e-4, 1e-6):
        collisions = lab.length(20000, 500)
        found = lab.run("fluid", "particles.0.count=%d" % n, "particles.0.place=random", "box.packing_fraction=%g" % f,
                        "run.until.collisions=%d" % collisions)
        side = (n * pi / (6 * f)) ** (1 / 3)
        flight = side**3 / (sqrt(2) * pi * n)
        overlap, drift = found["max_overlap"] / 2**-52, abs(found["energy"]["total"] / found["energy"]["initial"] - 1)
        length = "N = %d, %s collisions, packing fraction %g: flights of %.3g boxes" % (n, count(collisions), f, flight / side)
        done += [
            Row(name, "deepest overlap at an impact of a dilute gas", "rounding; " + literature.BANNERMAN,
                "below 86 ulps of the side of the box", "%.1f of them (%.1e)" % (overlap / side, found["max_overlap"]),
                overlap < 86 * side, length),
            Row(name, "relative change of the energy of a dilute gas", "conservation", "below 1e-15", "%.1e" % drift,
                drift < 1e-15, length),
        ]
    return done


def steps(lab, name):
    events = lab.length(100000000, 1000000)
    energy = lab.run("square-well", "run.until.events=%d" % events)["energy"]
    drift = abs(energy["total"] - energy["initial"]) / (energy["kinetic"] + abs(energy["potential"]))
    return [Row(name, "change of the energy of a square-well fluid, over kinetic and potential energy", "conservation",
                "below 3e-12", "%.1e" % drift, drift < 3e-12, "N = 256, %.0e events" % events)]


ROWS = {"spheres-%g" % f: spheres_rows(f) for f in SPHERES}
ROWS.update({"disks-%g" % f: disks_rows(f, 10000, literature.disks(f), literature.PADE) for f in DISKS})
ROWS["disks-0.7"] = disks_rows(0.7, 870, literature.disks_li(), literature.LI)
# At 0.7, where the fluid ends, Z grows with the size: 0.65 % from N = 870 to 256^2. Ours is between.
ROWS["disks-0.7-large"] = disks_rows(0.7, 10000, literature.disks_engel(), literature.ENGEL, 0.003)
ROWS["conservation"] = conservation
ROWS["long-run"] = long_run
ROWS["dilute"] = dilute
ROWS["square-well"] = steps

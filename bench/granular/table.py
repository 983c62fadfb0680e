"""The tables of the comparison, in Markdown, from the runs of table.json."""
import statistics
from math import pi, sqrt

from . import measures

OURS, PEER, LINEAR = "carom", "LAMMPS, hertz", "LAMMPS, hooke"
PARTS = ("single", "starters", "rolling", "silo")
MANY = 2.1  # standard errors of a difference that 5 % of the samples of 8 and 8 exceed (Student, 14 degrees of freedom)
ANGLE, RATE, FRACTION = "angle of repose, by its medians", "discharge, grains per time", "packing fraction in the vessel"
CLOGGED = "clogged"
GRAIN = 1.0  # mean diameter


def chosen(runs, **wanted):
    return [run for run in runs if all(run[key] == value for key, value in wanted.items())]


def mean_error(values):
    """Mean and standard error; the error of a single value is 0."""
    error = statistics.stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return statistics.fmean(values), error


def of(runs, name, **wanted):
    return [run["values"][name] for run in chosen(runs, **wanted) if name in run["values"]]


def difference(ours, theirs):
    """Difference of two means in units of their combined standard error."""
    (a, da), (b, db) = mean_error(ours), mean_error(theirs)
    return (a - b) / sqrt(da * da + db * db) if da or db else 0.0


def shown(values):
    mean, error = mean_error(values)
    return "%.4g" % mean if len(values) < 2 else "%.4g +- %.2g" % (mean, error)


def row(cells):
    return "| " + " | ".join(cells) + " |"


def head(names):
    return [row(names), row(["---"] * len(names))]


def cells_of(runs, name, **case):
    """carom, both laws of the peer, and both differences."""
    values = [of(runs, name, program=program, **case) for program in (OURS, PEER, LINEAR)]
    found = [shown(v) if v else "-" for v in values]
    return found + ["%+.1f" % difference(values[0], v) if v and values[0] else "-" for v in values[1:]]


HEADS = [OURS, PEER, LINEAR, "carom - hertz, errors", "carom - hooke, errors"]


def single(runs):
    """Exact: impact and friction in no time."""
    exact = {"height of the rebound": 2.5 * 0.3**2, "distance of the throw": measures.throw(2, 0.8, 0.4)}
    lines = head(["measured", "courant", "hard grains", OURS, PEER, LINEAR])
    for step in sorted({run["scene"] for run in runs}, reverse=True):
        for name, value in exact.items():
            found = [of(runs, name, scene=step, program=program) for program in (OURS, PEER, LINEAR)]
            lines.append(row([name, step, "%.4f" % value, *("%.4f" % v[0] if v else "-" for v in found)]))
    return lines


def starters(runs):
    lines = head(["scene", "measured", *HEADS])
    for scene in measures.STARTERS:
        names = dict.fromkeys(name for run in chosen(runs, scene=scene) for name in run["values"])
        lines += [row([scene, name, *cells_of(runs, name, scene=scene)]) for name in names]
    return lines


def costs(runs):
    lines = head(["scene", *("%s: CPU s" % program for program in (OURS, PEER, LINEAR))])
    for scene in measures.STARTERS:
        spent = [[run["cpu"] for run in chosen(runs, scene=scene, program=program)] for program in (OURS, PEER, LINEAR)]
        lines.append(row([scene, *("%.1f" % statistics.median(s) if s else "-" for s in spent)]))
    return lines


def rolling(runs):
    lines = head(["rolling friction of grains", "seeds", *HEADS])
    for mu in sorted({run["scene"] for run in runs}):
        seeds = len({run["seed"] for run in chosen(runs, scene=mu)})
        lines.append(row(["%g" % mu, str(seeds), *cells_of(runs, ANGLE, scene=mu)]))
    return lines


def clogged(runs, **case):
    """Runs in which grains have ceased to leave, of all, for each program."""
    found = [chosen(runs, program=program, **case) for program in (OURS, PEER, LINEAR)]
    return ", ".join("%d of %d" % (sum(run["values"].get(CLOGGED, 0) for run in some), len(some)) for some in found if some)


def silo(runs):
    """Runs that clog have no rate."""
    sizes = sorted({run["scene"] for run in runs})
    lines = head(["diameter of the hole", "clogged (carom, LAMMPS)", *HEADS])
    lines += [row(["%.3f" % size, clogged(runs, scene=size), *cells_of(runs, RATE, scene=size)]) for size in sizes]
    lines += ["", *head(["program", "packing fraction in the silo", "C", "k", "C at k = 1.4"])]
    for program in (OURS, PEER, LINEAR):
        if not chosen(runs, program=program):
            continue
        fraction = statistics.fmean(of(runs, FRACTION, program=program))
        density = fraction / (pi / 6 * GRAIN**3 * 1.01)  # grains in a volume; 1.01: <d^3> of diameters 0.9 to 1.1
        flows = [size for size in sizes if of(runs, RATE, program=program, scene=size)]
        if len(flows) < 4:  # as many as an error needs
            continue
        rates = [statistics.fmean(of(runs, RATE, program=program, scene=size)) / density for size in flows]
        c, k, dc, dk = measures.beverloo(flows, rates, GRAIN)
        fixed = [rate / (size - 1.4 * GRAIN) ** 2.5 for size, rate in zip(flows, rates)]
        lines.append(row([program, "%.3f" % fraction, "%.3f +- %.2g" % (c, dc), "%.2f +- %.2g" % (k, dk), shown(fixed)]))
    return lines + ["", "Beverloo, Leniger, van de Velde, Chem. Eng. Sci. 15, 260 (1961): C = 0.58, k = 1.4 for spheres."]


TITLES = {"single": "One grain and the floor", "starters": "The starters", "rolling": "Angle of repose against the coefficient of rolling friction",
          "silo": "Discharge of a silo against the diameter of its hole"}


def markdown(kept):
    """The whole report."""
    lines = ["Mean and standard error over the seeds; differences in units of the combined standard error (of 8 and 8 seeds of one law, "
             "5 %% exceed %g). Angles in degrees." % MANY]
    for part in PARTS:
        runs = chosen(kept["runs"], part=part)
        if not runs:
            continue
        lines += ["", "### " + TITLES[part], "", kept["where"][part], "", *globals()[part](runs)]
        if part == "starters":
            lines += ["", *costs(runs)]
    return "\n".join(lines) + "\n"

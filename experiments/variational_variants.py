"""The three ways of figure 2 - layers on their clocks, clocks begun anew, instantaneous impulses - on the 900 disks of figure 4 and on
the sphere and plate of figure 6, where impulses are the way of decomposition contact response (Cirak and West 2005)."""
import os
from math import sqrt

import numpy as np

from validate.harness import ROOT

from .lab import COLORS, Report, plt
from .layers import PAPER, summaries
from .variational_boxes import scene

SCENE = os.path.join(ROOT, "validate", "scenes", "shell-plate.yaml")
VARIANTS = {"layers": (), "impulses": ("variational.contact=impulses",),
            "realigned, p = 2": ("variational.contact=realigned", "variational.exponent=2", "variational.step_law=1.5"),
            "layers, p = 2": ("variational.exponent=2", "variational.step_law=1.5")}
COARSE = ("meshes.0.shape={sphere: {radius: 12.5, parts: 4}}", "meshes.1.shape={disk: {radius: 35, rings: 6}}", "variational.material_step=4e-7")


DISKS = {"impulses": ("variational.contact=impulses",),
            "impulses, gravity in kicks": ("variational.contact=impulses", "variational.gravity=kick", "variational.gravity_step=0.005"),
            "realigned, p = 2": ("variational.contact=realigned", "variational.exponent=2", "variational.step_law=1.5"),
            "layers, p = 2": ("variational.exponent=2", "variational.step_law=1.5"),
            "layers, p = 3": ()}


def variant(lab, name, length, samples, seed):
    """[time, energy over the start, impacts] of the box with one of the DISKS; with gravity where it kicks."""
    text = scene(gravity=-9.81 if "gravity" in name else 0.0, seed=seed)

    def work():
        rows = []
        for at, found in zip(np.linspace(0, length, samples + 1), summaries(lab.carom_library, name, text, np.linspace(0, length, samples + 1), *DISKS[name])):
            rows.append([float(at), found["energy"]["total"] / found["energy"]["initial"], found["events"]["collision"] + found["events"]["wall"]])
        return rows
    return np.array(lab.remember("disks-variant", {"scene": text, "length": length, "samples": samples, "sets": list(DISKS[name])}, work))


def energies(lab, name, length, samples, *sets):
    """[time, total, kinetic, stretch and bend, contact] over the total at the start; impacts, seconds."""
    with open(SCENE) as file:
        text = file.read()
    sets = list(sets + VARIANTS[name]) + ["run.until.time=%r" % length]

    def work():
        rows, last = [], None
        for at, last in zip(np.linspace(0, length, samples + 1), summaries(lab.carom_library, SCENE, text, np.linspace(0, length, samples + 1), *sets)):
            e = last["energy"]
            rows.append([float(at)] + [x / e["initial"] for x in (e["total"], e["kinetic"], e["stretch"] + e["bend"], e["contact"])])
        return {"rows": rows, "impacts": last["events"]["collision"], "seconds": last["cpu_s"]}
    return lab.remember("plate-" + name.replace(", ", "-").replace(" = ", ""), {"scene": text, "sets": sets, "samples": samples}, work)


def draw(found, disks):
    figure, (left, right, last) = plt.subplots(1, 3, figsize=(15, 3.8), layout="constrained")
    for (name, runs), color in zip(disks.items(), (COLORS[1], COLORS[4], COLORS[2], COLORS[3], COLORS[0])):
        for k, rows in enumerate(runs):
            last.plot(rows[:, 2], 100 * (rows[:, 1] - 1), color=color, linewidth=0.8, label=name if k == 0 else None)
    last.set_yscale("symlog", linthresh=0.01)
    last.set(xlabel="impacts", ylabel="energy, % off the start", title="figure 4: 900 disks")
    last.legend(loc="upper left")
    for (name, run), color in zip(found.items(), COLORS):
        rows = np.array(run["rows"])
        left.plot(1e3 * rows[:, 0], 1e6 * (rows[:, 1] - 1), color=color, linewidth=0.8, label=name)
    rows = np.array(found["layers"]["rows"])
    for k, name in ((1, "total"), (2, "kinetic"), (3, "stretching and bending"), (4, "contacts")):
        right.plot(1e3 * rows[:, 0], rows[:, k], color=COLORS[k - 1], label=name)
    left.set(xlabel="time / ms", ylabel="total energy, 1e-6 off the start", title="figure 6: total energy")
    left.legend()
    right.set(xlabel="time / ms", ylabel="energy / total at the start", title="layers: where it is", ylim=(0, 1.1))
    right.legend()
    return figure


def run(lab):
    found = {name: energies(lab, name, 0.01, 400, *(() if lab.full else COARSE)) for name in VARIANTS}
    disks = {name: [variant(lab, name, lab.length(10, 2), 100, seed) for seed in range(1, lab.length(4, 2) + 1)] for name in DISKS}
    if lab.only:
        return None
    report = Report("variational_variants", "Layers, impulses and realigned clocks", "sections 8.1 to 8.3, figures 2, 4 and 6", lab, PAPER)
    wanted = {"layers": "no long-term drift", "impulses": "DCR: noticeable artificial decay"}
    for name, one in found.items():
        total = np.array(one["rows"])[:, 1] - 1
        tenths = [float(part.mean()) for part in np.array_split(total, 10)]
        report.claim("sphere and plate, %s: total energy" % name, wanted.get(name, "-"), "%s impacts: mean of the last tenth %+.1e, farthest %.1e of the start (tenths %+.1e to %+.1e)" % (
            "{:,}".format(one["impacts"]), tenths[-1], abs(total).max(), min(tenths), max(tenths)), abs(total).max() < (3.6e-4 if lab.full else 1e-3) if name == "layers" else None)
    for name, runs in disks.items():
        ends = np.array([rows[-1, 1] - 1 for rows in runs])
        error = ends.std(ddof=1) / sqrt(len(ends))
        holds = {"impulses": abs(ends).max() < 6e-15, "layers, p = 3": abs(ends).max() < 7.5e-5,
                 "realigned, p = 2": abs(ends.mean() - 0.42) < 0.015 if lab.full else ends.min() > 0.01}.get(name)
        report.claim("900 disks, %s: energy" % name, {"layers, p = 3": "no drift", "layers, p = 2": "no drift", "realigned, p = 2": "grows (a spring)"}.get(name, "-"),
                     "%+.1e +- %.0e of the start after %s impacts, %d starts" % (ends.mean(), error, "{:,}".format(int(runs[0][-1, 2])), len(ends)), holds)
    report.table("Cost", ["", "impacts", "seconds on one core"], [[name, "{:,}".format(r["impacts"]), "%.0f" % r["seconds"]] for name, r in found.items()])
    report.notes += ["Disks: without forces that kick, impulses change no energy; with gravity in kicks of 0.005 it wanders, and sways by half a kick's work on the fall of all. Energies are those of the moment, between kicks.", "Sphere of radius 12.5 and plate of radius 35, 0.35 thick, at a relative speed of 100 m/s (validate/scenes/shell-plate.yaml%s)." % (
        ": 2,469 vertices, material step 1e-7 s" if lab.full else ", coarser: material step 4e-7 s"),
        "Impulses act at the moment of touch, and turn the pair round; each keeps momentum, angular momentum and kinetic energy to rounding. Decomposition contact response acts at the "
        "ends of steps, where elements have passed into each other, and puts them back: impulses that need no such correction have no decay."]
    report.columns = ["variant", "time", "total", "kinetic", "elastic", "contact"]
    report.rows = [[name] + ["%.10g" % x for x in row] for name, r in found.items() for row in r["rows"]]
    report.figure = draw(found, disks)
    return report

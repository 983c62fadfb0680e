"""Sections 8.3 to 8.7, figures 6 to 13: thin shells. The energies of a sphere that hits a plate and of one in a wedge, without trend;
scenes in which nothing passes through anything; what it costs, in small scenes (examples/), at the paper's sizes
(validate/scenes/shell-*.yaml, with --full to their ends), and as a mesh grows."""
import json
import os
import re
import subprocess

import h5py
import numpy as np

from validate.harness import ROOT

from .lab import COLORS, Report, plt
from .layers import PAPER

EXAMPLES = ("sphere-and-plate", "wedge", "reef-knot", "bowline", "cloths-on-spikes", "trash-compactor", "house-of-cards", "twisted-cloth",
            "spheres-on-cloth", "draped-cloth")
FULL = {"shell-plate": 0.02, "wedge": 0.42, "shell-reef": 2, "shell-bowline": 1, "shell-spikes": 7.3, "shell-compactor": 3.4, "shell-spheres": 0.4}
DRAPED = """carom: 1
engine: variational
box: {{size: [8, 8, 5], boundary: open}}
species: {{a: {{diameter: 1}}}}
meshes:
  - {{name: sphere, shape: {{sphere: {{radius: 1, parts: 6}}}}, place: {{at: [4, 4, 1.5]}}, thickness: 0.03, rigid: true}}
  - name: cloth
    shape: {{rectangle: {{length: 4, width: 4, along: {cells}, across: {cells}}}}}
    place: {{at: [4, 4, 2.54]}}
    thickness: 0.03
    stretch: 50
    bend: 0.0001
    damping: {{stretch: 0.05, bend: 0.000001}}
contacts: [{{between: [a, a], restitution: 0.2, friction: 0.3}}]
fields: {{gravity: [0, 0, -10]}}
variational: {{stiffness: 32, step: 1e-4, material_step: 2.5e-5}}
run: {{until: {{time: {time!r}}}}}
"""


MOST = 100  # pairs and paths between frames of which verify may be unable to say what they did, at full size


def verdict(lab, result):
    """What verify says: overlaps and crossings, pairs and paths of which it cannot say what they did between frames, and whether all holds."""
    done = subprocess.run([lab.carom, "verify", result], capture_output=True, text=True)

    def count(name, optional=False):
        found = [re.search(name + r"\s+(\d+)", line) for line in done.stdout.splitlines()]
        found = [int(match[1]) for match in found if match]
        if not found and not optional:
            raise RuntimeError("verify does not say %r:\n%s" % (name, done.stdout))
        return found[0] if found else 0
    return {"sound": done.returncode == 0, "overlaps": count("overlaps"), "unclear": count("undecided passages"),
            "bent": count("paths too curved to follow", optional=True)}


DISSIPATED = ("restitution", "friction", "damping", "plastic")


def energies(result):
    """Rows of time, energy, that of stretching and bending, and the energy less the work done, with what was dissipated: the start's."""
    with h5py.File(result) as file:
        if "carom/observables/ledger" not in file:
            return []
        ledger = file["carom/observables/ledger"]

        def value(name):
            return ledger[name + "/value"][:] if name in ledger else 0.0
        total, form = value("total"), value("stretch") + value("bend")
        balance = total - value("work") + sum(value(name) for name in DISSIPATED)
        return np.stack([ledger["bend/time"][:], total, form, balance], 1).tolist()


def steps(lab, path):
    """The steps of the first layer and of the materials."""
    text = subprocess.run([lab.carom, "check", path], capture_output=True, text=True, check=True).stdout
    return [float(re.search(kind + r"\s+(\S+) \(bound", text)[1]) for kind in ("layers", "stretch")]


def scene(lab, name, path, *more):
    """The summary of a run, with the energies of its ledger and what verify says."""
    with open(path) as file:
        text = file.read()

    def work():
        at = os.path.join(lab.cache, "%s.%d" % (name, os.getpid()))
        done = subprocess.run(["nice", lab.carom, "run", path, "-o", at + ".h5", "--json", at + ".json", "--force", "--quiet", *more],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError("%s: %s" % (name, done.stderr.strip()))
        with open(at + ".json") as file:
            found = json.load(file)
        found = {key: found[key] for key in ("particles", "vertices", "time", "cpu_s", "wall_s", "energy", "events", "closest", "state_hash", "peak_rss_bytes")}
        found.update(verdict(lab, at + ".h5"), ledger=energies(at + ".h5"))
        for end in (".h5", ".json", ".h5.checkpoint", ".h5.lock"):
            if os.path.exists(at + end):
                os.remove(at + end)
        return found
    return lab.remember("shells-" + name, {"scene": text, "more": list(more)}, work)


def draped(lab, cells, time, threads=1):
    """The fastest of three runs."""
    at = os.path.join(lab.cache, "draped-%d.yaml" % cells)
    with open(at, "w") as file:
        file.write(DRAPED.format(cells=cells, time=time))
    runs = [scene(lab, "draped-%d-%d-%d" % (cells, threads, k), at, "--threads", str(threads)) for k in range(3)]
    return min(runs, key=lambda found: found["wall_s"])


def growth(vertices, seconds):
    """Exponent of the cost by the number of vertices."""
    return float(np.polyfit(np.log(vertices), np.log(seconds), 1)[0])


def drift(found):
    """Over the largest of the energies that the ledger begins with, ends with, or was given."""
    e = found["energy"]
    return e["drift"] / max(abs(e["initial"]), abs(e["total"]), abs(e["work"]))


def draw_energy(axes, ledger, title):
    rows = np.array(ledger)
    scale = abs(rows[:, 1:]).max()
    axes.plot(rows[:, 0], rows[:, 1] / scale, color=COLORS[0], label="energy")
    axes.plot(rows[:, 0], rows[:, 2] / scale, color=COLORS[1], label="of it stretching and bending")
    if abs(rows[:, 3] - rows[:, 1]).max() > 1e-3 * scale:
        axes.plot(rows[:, 0], rows[:, 3] / scale, "--", color=COLORS[2], label="energy, less the work done, with what was dissipated")
    axes.set(xlabel="time / s", ylabel="energy / the largest", title=title)
    axes.locator_params(axis="x", nbins=5)
    axes.legend(fontsize=7.5)


def draw(plate, wedge, refined, full):
    figure, axes = plt.subplots(2, 4, figsize=(17, 6.6), layout="constrained")
    axes = axes.ravel()
    draw_energy(axes[0], plate["ledger"], "sphere and plate (figure 6), coarse, 0.6 s")
    draw_energy(axes[2], wedge["ledger"], "sphere and wedge (figure 9)")
    for axis, (name, title) in zip(axes[[1, 3, 4, 5, 6]], (("shell-plate", "sphere and plate (figure 6)"), ("shell-reef", "reef knot (figure 7)"),
                                                           ("shell-bowline", "bowline (figure 7)"), ("shell-spikes", "cloths on spikes (figures 10 to 12)"),
                                                           ("shell-compactor", "compactor (figure 13)"))):
        draw_energy(axis, full[name]["ledger"], title)
    n = np.array(sorted(refined))
    axes[7].loglog(n, [refined[k] for k in n], "o-", color=COLORS[0])
    axes[7].set(xlabel="vertices", ylabel="CPU time / s a simulated second", title="a draped cloth, refined, same steps")
    return figure


def full_rows(lab, limit):
    rows = []
    for name, end in FULL.items():
        if not lab.selects("full-" + name):
            continue
        where = os.path.join(ROOT, "examples", name + ".yaml") if name == "wedge" else lab.scene(name)
        found = scene(lab, "full-" + name, where, *([] if limit is None else ["--set", "run.until.wall_time=%g" % limit]))
        whole = found["cpu_s"] * end / found["time"]
        rows.append((name, dict(found, steps=steps(lab, where)), end, whole))
    return rows


def run(lab):
    small = {name: scene(lab, name, os.path.join(ROOT, "examples", name + ".yaml")) for name in EXAMPLES if lab.selects(name)}
    full = full_rows(lab, lab.length(None, 40))
    cells, time = (15, 22, 31, 45, 63), lab.length(0.5, 0.1)
    if lab.selects("plate-long"):
        long = scene(lab, "plate-long", os.path.join(ROOT, "examples", "sphere-and-plate.yaml"), "--set",
                     "run.until.time=%g" % lab.length(0.6, 0.06), "--set", "output.frames.every=0.002")
    if lab.selects("draped"):
        cloths = {k: draped(lab, k, time) for k in cells}
        two = draped(lab, cells[-1], time, threads=2)
    if lab.only:
        return None
    report = Report("shells", "Thin shells", "sections 8.3 to 8.7, figures 6 to 13", lab, PAPER)
    rows = np.array(long["ledger"])
    mean, slope = rows[:, 1].mean() / rows[0, 1] - 1, np.polyfit(rows[:, 0] / rows[-1, 0], rows[:, 1] / rows[0, 1], 1)[0]
    report.claim("energy of a sphere that hits a plate at 100 m/s, %g ms" % (1e3 * rows[-1, 0]), "no drift; mean within 1 %",
                 "mean %+.5f %%, slope over the run %+.4f %%, extremes %+.3f and %+.3f %%" % (
                     100 * mean, 100 * slope, 100 * (rows[:, 1].min() / rows[0, 1] - 1), 100 * (rows[:, 1].max() / rows[0, 1] - 1)),
                 abs(mean) < 1e-4 and abs(slope) < 1e-4)  # the paper allows 1 %; steps scatter by 2e-5 (tests/bounds.md)
    ball = np.array(small["wedge"]["ledger"])
    bumps = ball[:, 1] / ball[0, 1] - 1
    report.claim("energy of a sphere in a wedge, 0.42 s", "no drift", "slope over the run %+.4f %%, extremes %+.4f and %+.4f %%" % (
        100 * np.polyfit(ball[:, 0] / ball[-1, 0], bumps, 1)[0], 100 * bumps.min(), 100 * bumps.max()), abs(bumps).max() < 1e-3)
    sound = [name for name, found in small.items() if found["sound"] and found["overlaps"] == 0]
    report.claim("nothing passes through anything, small scenes, all defaults", "no penetration", "%d of %d scenes `verify` clean" % (len(sound), len(small)),
                 len(sound) == len(small))
    unknown = max(f["unclear"] + f["bent"] for _, f, _, _ in full)
    report.claim("the same at the paper's sizes, as far as they were run; pairs and paths that the frames leave undecided", "no penetration", "%d of %d sound; %d unclear in one scene at most" % (
        sum(f["sound"] and f["overlaps"] == 0 for _, f, _, _ in full), len(full), unknown), all(f["sound"] and f["overlaps"] == 0 for _, f, _, _ in full) and unknown <= MOST)
    vertices = [cloths[k]["vertices"] - 362 for k in cells]
    seconds = [cloths[k]["cpu_s"] / time for k in cells]
    power = growth(vertices, seconds)
    report.claim("cost as the mesh is refined, with the same steps: exponent", "linear; here at most 1.1", "%.2f from %d to %d vertices" % (
        power, vertices[0], vertices[-1]), power < 1.1)
    ratio = cloths[cells[-1]]["wall_s"] / two["wall_s"]
    report.claim("two threads", "-", "%.2f times one (wall clock, on a machine shared with others); the same bits: %s" % (
        ratio, "yes" if two["state_hash"] == cloths[cells[-1]]["state_hash"] else "no"), None if two["state_hash"] == cloths[cells[-1]]["state_hash"] else False)
    report.table("Small scenes (examples/)", ["scene", "vertices", "simulated", "CPU / s", "forces / s", "closest approach", "drift / largest energy", "verify"], [
        [name, f["vertices"], "%g" % f["time"], "%.1f" % f["cpu_s"], "%.1e" % (f["events"]["force"] / f["cpu_s"]), "%.3f" % f["closest"],
         "%+.2e" % drift(f), "sound" if f["sound"] else "violated"] for name, f in small.items()])
    report.table("The paper's sizes", ["scene", "vertices", "simulated", "of", "CPU / s", "CPU for all of it / h", "steps: layers, materials", "impacts", "forces", "resident / MB", "drift / largest energy", "verify"], [
        [name, "{:,}".format(f["vertices"]), "%.3g" % f["time"], "%g" % end, "%.0f" % f["cpu_s"], "%.2f" % (whole / 3600), "%.1e, %.1e" % tuple(f["steps"]), "{:,}".format(f["events"]["collision"]), "%.1e" % f["events"]["force"],
         "%.0f" % (f["peak_rss_bytes"] / 1e6), "%+.1e" % drift(f), ("sound" if f["sound"] else "violated") + ", %d unclear" % (f["unclear"] + f["bent"])] for name, f, end, whole in full])
    report.table("A draped cloth, refined (362 vertices more are the rigid sphere's)", ["vertices", "CPU / s a simulated second", "microseconds a vertex and material step", "resident kB a vertex, the program included"], [
        [n, "%.1f" % s, "%.2f" % (1e6 * s / n * 2.5e-5), "%.1f" % (cloths[k]["peak_rss_bytes"] / 1e3 / cloths[k]["vertices"])] for n, s, k in zip(vertices, seconds, cells)])
    report.notes += ["Closest approach in units of the contact's thickness 2 eta; drift is that of the ledger (energy, work, dissipation) over the largest of its entries.",
                     "CPU for all of it extrapolates the mean rate so far: where contacts are yet to come it is a lower bound."]
    report.columns = ["time", "energy", "stretch_bend"]
    report.rows = [["%.6g" % v for v in row] for row in long["ledger"][:: max(1, len(long["ledger"]) // 600)]]
    report.figure = draw(long, small["wedge"], dict(zip(vertices, seconds)), {name: found for name, found, _, _ in full})
    return report

"""Fig. 6: three spheres on a line, frame by frame. Two of them meet, rounding leaves them overlapping, and before that is
cleared the third drives one of them into the other. The rule separates them by a stabilising collision; what was done
before it does not."""
import inspect
import random

import numpy as np

from .lab import COLORS, Report, plt

DETECTIONS = ("stable", "naive", "rewind", "ignore_overlap", "retrospective")
LARGE = 0.09  # a gap of one unit as drawn
LATER = 0.4  # time after the contacts at 1

SCENE = """carom: 1
engine: hard
dimension: 3
box: {size: 20, boundary: open}
species: {sphere: {diameter: 1, mass: 1}}
particles: [{species: sphere, place: {at: [[2, 2, %r], [2, 2, %r], [2, 2, %r]]},
             velocity: {each: [[0, 0, 0], [0, 0, %r], [0, 0, %r]]}}]
hard: {detection: %s}
observe: [{what: stabilising, every: 1e300}]
run: {until: {%s}}
"""


def start(draw):
    """The second sphere meets the first, at rest, slowly at time 1, and so does the third the second: some 1e-14 later."""
    low, near, far = 0.5 + draw.random(), 0.02 + 0.03 * draw.random(), 0.2 + 0.3 * draw.random()
    middle, delay = low + 1 + near, 3e-14 * draw.random()
    return [low, middle, middle + 1 + far], [-near, -(near + far) / (1 + delay)]


def state(lab, at, v, detection, until):
    found = lab.carom_library.run("three", SCENE % (*at, *v, detection, until))
    z, u = [r[2] for r in found["positions"]], [w[2] for w in found["velocities"]]
    return {"time": found["time"], "events": found["events"]["collision"], "z": z, "v": u, "stop": found["stop"],
            "stabilising": found["observables"]["stabilising"]["stabilising"]["mean"], "message": found["message"]}


def gaps(frame):
    z = frame["z"]
    return [z[1] - z[0] - 1, z[2] - z[1] - 1]


def frames(lab, at, v, detection):
    """The start, the state after each collision, and that some time later; ends where the run does."""
    seen = [{"time": 0.0, "events": 0, "z": at, "v": [0.0] + v, "stop": "start", "stabilising": 0, "message": ""}]
    for n in range(1, 9):
        frame = state(lab, at, v, detection, "collisions: %d, time: 3" % n)
        if frame["stop"] != "collisions":
            break
        seen.append(frame)
    last = state(lab, at, v, detection, "collisions: 1000, time: %r" % (1 + LATER))
    if last["stop"] == "no_events":  # and the clock at the last: all fly on
        last["z"] = [z + u * (1 + LATER - last["time"]) for z, u in zip(last["z"], last["v"])]
    return seen + [last]


def is_the_case(lab, at, v):
    """Under the rule: two meet and overlap, the third comes, one stabilising collision; the text-book formula stops there."""
    second = state(lab, at, v, "stable", "collisions: 2")
    if second["stop"] != "collisions" or gaps(second)[0] >= 0 or second["v"][1] >= second["v"][0] or second["stabilising"] > 0:
        return False
    end = state(lab, at, v, "stable", "collisions: 1000, time: 1.1")
    naive = state(lab, at, v, "naive", "time: 1.1")
    return end["stabilising"] == 1 and end["events"] == 3 and naive["stop"] == "no_progress" and naive["events"] == 2


def search(lab, tries):
    """The first start that is the case, and what share of the starts is."""
    def work():
        draw, first, hits = random.Random(1), None, 0
        for _ in range(tries):
            at, v = start(draw)
            if is_the_case(lab, at, v):
                hits += 1
                first = first or [at, v]
        return {"first": first, "hits": hits, "tries": tries}
    return lab.remember("three_body_frames", {"scene": SCENE, "tries": tries, "how": inspect.getsource(start) + inspect.getsource(is_the_case)}, work)


# ---- the picture ------------------------------------------------------------------------------------------------------------


def shown(gap, unit):
    """A gap as drawn: rounding in units of `unit`, real gaps as they are, not too large."""
    if abs(gap) < 1e-9:
        return LARGE * max(-3, min(3, gap / unit))
    return max(-0.55, min(0.5, gap))


def label(gap):
    if abs(gap) >= 1e-9:
        return "%.2f" % gap
    return "0" if gap == 0 else "%+.1f$\\cdot$10$^{-16}$" % (gap * 1e16)


def draw_frame(axes, frame, unit, title, failed):
    z = [0.0]
    for gap in gaps(frame):
        z.append(z[-1] + 1 + shown(gap, unit))
    for k, (height, speed) in enumerate(zip(z, frame["v"])):
        axes.add_patch(plt.Circle((0, height), 0.5, facecolor=COLORS[k], alpha=0.55, edgecolor=COLORS[k]))
        if speed != 0:
            axes.annotate("", (-0.75, height + 1.1 * speed), (-0.75, height),
                          arrowprops={"arrowstyle": "-|>", "color": "#333333", "linewidth": 1.2})
    for k, gap in enumerate(gaps(frame)):
        axes.text(0.62, (z[k] + z[k + 1]) / 2, label(gap), va="center", fontsize=7.5, color=COLORS[3] if gap < 0 else "#444444")
    axes.set_title(title, fontsize=8.5, color=COLORS[3] if failed else "black")
    axes.set(xlim=(-0.95, 1.85), ylim=(-0.62, 3.12), aspect="equal")
    axes.axis("off")


WORDS = {"stable": "the stable rule", "naive": "text-book formula", "rewind": "text-book formula,\nnegative times carried out",
         "ignore_overlap": "overlapping pairs\nignored", "retrospective": "contact sought\nbackwards"}


def titles(seen):
    """What each frame shows, and whether it is a failure."""
    words, before = [], 1.0
    for k, frame in enumerate(seen):
        if k == 0:
            words.append(("start", False))
        elif frame["stop"] == "no_progress":
            words.append(("halts: next event\nin the past", True))
        elif k == len(seen) - 1:
            deep = min(gaps(frame)) < -1e-9
            words.append(("passing through\neach other" if deep else "later: all part", deep))
        elif frame["stabilising"] > seen[k - 1]["stabilising"]:
            words.append(("%d: stabilising" % k, False))
        else:
            back = frame["time"] - before
            words.append(("%d: clock stays,\npair moved back" % k if k == 3 and back <= 0 else "%d: impact" % k, k == 3 and back <= 0))
        before = frame["time"]
    return words


def draw(every, unit):
    columns = max(len(seen) for seen in every.values())
    figure, axes = plt.subplots(len(every), columns, figsize=(1.72 * columns + 0.5, 2.55 * len(every) + 0.3), layout="constrained",
                                squeeze=False)
    for row, (detection, seen) in zip(axes, every.items()):
        for k, a in enumerate(row):
            a.axis("off")
            if k < len(seen):
                title, failed = titles(seen)[k]
                draw_frame(a, seen[k], unit, title, failed)
        row[0].text(-1.15, 1.3, WORDS[detection], rotation=90, va="center", ha="right", fontsize=9.5)
    figure.suptitle("Three bodies: gaps at the right, overlaps in red; those by rounding are drawn %s times too large" % (
        "$%.0f\\times 10^{%d}$" % (LARGE / unit / 10 ** int(np.log10(LARGE / unit)), int(np.log10(LARGE / unit)))), fontsize=10)
    return figure


def run(lab):
    found = search(lab, lab.length(20000, 2000))
    if lab.only:
        return None
    at, v = found["first"]
    every = {detection: frames(lab, at, v, detection) for detection in DETECTIONS}
    report = Report("three_body_frames", "Three bodies, frame by frame", "figures 4 and 6", lab)
    stable, last = every["stable"], every["stable"][-1]
    report.claim("stable rule: after two impacts, collisions needed", "1, stabilising", "%d, stabilising" % (len(stable) - 4),
                 len(stable) == 5 and stable[3]["stabilising"] == 1)
    one_way = stable[3]["v"][0] < 0 and stable[3]["v"][1] < 0 and stable[2]["v"][0] < 0 and stable[2]["v"][1] < 0
    report.claim("the stabilising collision turns the relative velocity of the two, not their directions", "yes",
                 "%.3f, %.3f before; %.3f, %.3f after" % (*stable[2]["v"][:2], *stable[3]["v"][:2]),
                 one_way and stable[2]["v"][1] < stable[2]["v"][0] and stable[3]["v"][1] >= stable[3]["v"][0])
    report.claim("then all move apart and the overlaps clear", "yes", "gaps %.2f and %.2f at %.1f later" % (*gaps(last), LATER),
                 min(gaps(last)) > 0)
    naive = every["naive"][-1]
    report.claim("simple algorithms find a negative time", "yes", naive["message"].split(";")[0].replace("error: ", ""),
                 naive["stop"] == "no_progress")
    report.claim("ignoring overlapping pairs", "does not resolve it", "gap %.2f in the end: the spheres pass through each other" %
                 gaps(every["ignore_overlap"][-1])[0], gaps(every["ignore_overlap"][-1])[0] < -0.01)
    report.notes += [
        "The third sphere is aimed so that it arrives within 3e-14 after the two others have met. Rounding "
        "decides: in %.1f %% of %s such starts the case comes about." % (100 * found["hits"] / found["tries"], "{:,}".format(found["tries"])),
        "Start: z = %r, v = %r." % (at, [0.0] + v),
        "The paper's figures are sketches of one dimension; these frames are states of the engine. Bottom to top as there."]
    report.columns = ["detection", "frame", "time", "collisions", "stabilising", "z1", "z2", "z3", "v1", "v2", "v3", "stop"]
    report.rows = [[d, k, repr(f["time"]), f["events"], int(f["stabilising"]), *map(repr, f["z"]), *map(repr, f["v"]), f["stop"]]
                   for d, seen in every.items() for k, f in enumerate(seen)]
    unit = max(abs(g) for f in stable[1:4] for g in gaps(f) if abs(g) < 1e-9)
    report.figure = draw(every, max(unit / 1.5, 1e-16))
    return report

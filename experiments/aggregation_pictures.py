"""Pictures of aggregates: examples of both methods (figure 12), a million particles, and films of both methods (appendix C)."""
import os

import matplotlib
import numpy as np
from matplotlib.collections import EllipseCollection
from PIL import Image, ImageDraw

from .aggregates import PAPER, WAYS, Run, scene
from .lab import Report, plt

RADIUS, PACKING, WAY = 0.2, 0.2, {"ED": "ED", "TS": "TS 1/2"}
PALETTE = np.array([matplotlib.colors.to_rgb(c) for c in (
    "#2b6ca3", "#d9822b", "#3a8f5d", "#b5443c", "#7a5aa6", "#3aa0a8", "#a8842c", "#c2588f", "#5b7f3b", "#4f5d9e", "#8a5a3c", "#6f8fa8")])


def clusters_after(count, i, j, merges):
    """The cluster of each particle, as its smallest particle, after so many of the merges."""
    parent = list(range(count))

    def root(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x
    for a, b in zip(i[:merges].tolist(), j[:merges].tolist()):
        a, b = root(a), root(b)
        parent[max(a, b)] = min(a, b)
    return np.array([root(x) for x in range(count)])


def colors_of(cluster):
    """A colour a cluster; single particles are grey."""
    _, index, size = np.unique(cluster, return_inverse=True, return_counts=True)
    colors = PALETTE[(cluster.astype(np.uint64) * np.uint64(2654435761) >> np.uint64(7)) % np.uint64(len(PALETTE))]
    return np.where((size[index] == 1)[:, None], 0.6, colors)


def frame(ax):
    for spine in ax.spines.values():
        spine.set(visible=True, color="#444444")


def discs(ax, x, colors, side, low=(0.0, 0.0), radius=RADIUS):
    """Particles as discs in the square of this side, in units of the axes."""
    seen = np.all((x > np.array(low) - radius) & (x < np.array(low) + side + radius), axis=1)
    ax.add_collection(EllipseCollection(2 * radius, 2 * radius, 0, units="xy", offsets=x[seen], offset_transform=ax.transData,
                                        facecolors=colors[seen], linewidths=0))
    ax.set(xlim=(low[0], low[0] + side), ylim=(low[1], low[1] + side), aspect="equal", xticks=[], yticks=[])
    frame(ax)


def example(lab, count, way):
    """Places at the end, and the clusters that were the last dozen to be left."""
    def work():
        with Run(lab, scene(count, PACKING), 1, WAYS[WAY[way]]) as run:
            _, i, j = run.merges()
            time, x, _ = run.frame()
            return {"x": np.round(x, 4).tolist(), "cluster": clusters_after(count, i, j, count - 12).tolist(), "time": time,
                    "side": run.summary["box"][0]}
    return lab.remember("aggregation-picture-%d-%s" % (count, way), {"scene": scene(count, PACKING), "sets": WAYS[WAY[way]]}, work)


def examples(lab, counts):
    figure, axes = plt.subplots(2, 4, figsize=(13, 6.9), layout="constrained")
    rows = []
    for row, way in zip(axes, WAY):
        for ax, count in zip(row, counts):
            found = example(lab, count, way)
            discs(ax, np.array(found["x"]), colors_of(np.array(found["cluster"])), found["side"])
            ax.set_title("%s, $N$ = %s" % ({"ED": "exact events", "TS": "time steps"}[way], "{:,}".format(count)))
            rows += [[way, count, k, *x, c] for k, (x, c) in enumerate(zip(found["x"], found["cluster"]))] if count <= 400 else []
    return figure, rows


# ---- a million --------------------------------------------------------------------------------------------------------


def raster(x, colors, side, pixels):
    """Discs smaller than a pixel: the mean colour of the particles in it, as strong as they cover it."""
    at = np.minimum((x / side * pixels).astype(int), pixels - 1)
    place = at[:, 1] * pixels + at[:, 0]
    number = np.bincount(place, minlength=pixels * pixels)
    mean = np.stack([np.bincount(place, colors[:, k], pixels * pixels) for k in range(3)], axis=1) / np.maximum(number, 1)[:, None]
    cover = np.minimum(1, 1.25 * number * np.pi * RADIUS**2 * (pixels / side) ** 2)[:, None]
    return (cover * mean + 1 - cover).reshape(pixels, pixels, 3)


def million(lab, count, path):
    """One cluster of a million, from afar, nearer and near; colours: the clusters there were when they had 3,000 particles on average."""
    with Run(lab, scene(count, PACKING), 1) as run:
        _, i, j = run.merges()
        time, x, _ = run.frame()
        side, cpu = run.summary["box"][0], run.summary["cpu_s"]
    parts = max(8, count // 3000)
    colors = colors_of(clusters_after(count, i, j, count - parts))
    figure, axes = plt.subplot_mosaic([["all", "near"], ["all", "close"]], figsize=(13, 8.8), layout="constrained", width_ratios=[2.06, 1])
    pixels = 930 if count > 10000 else 400
    axes["all"].imshow(raster(x, colors, side, pixels), origin="lower", extent=(0, side, 0, side), interpolation="nearest")
    axes["all"].set(xticks=[], yticks=[], title="{:,} particles, one cluster; colours: the {:,} clusters that it was made of".format(count, parts))
    middle = np.array([0.42, 0.47]) * side
    for name, share, outer in (("near", 10, "all"), ("close", 80, "near")):
        low = middle - side / share / 2
        discs(axes[name], x, colors, side / share, low)
        axes[name].set_title("%d times nearer" % share)
        axes[outer].add_patch(plt.Rectangle(low, side / share, side / share, fill=False, color="black", linewidth=1.4))
    for ax in axes.values():
        ax.grid(False)
        frame(ax)
    figure.savefig(path)
    plt.close(figure)
    return time, cpu


# ---- films ------------------------------------------------------------------------------------------------------------


def moments(lab, text, sets):
    """When to look: at first in equal steps, then later and later, until the last merge; and the merges."""
    with Run(lab, text, 1, sets) as run:
        t, i, j = run.merges()
    order = np.argsort(t, kind="stable")
    return t[order], i[order], j[order]


def film(lab, count, ways, path, frames):
    """Both methods side by side from the same start: velocities on a circle, as in the paper's films."""
    text = scene(count, PACKING, velocity="{circle: 0.5}")
    merges = {way: moments(lab, text, WAYS[WAY[way]]) for way in ways}
    ends = [float(t[-1]) for t, _, _ in merges.values()]
    times = np.concatenate([[0.0], np.geomspace(0.3, 0.98 * min(ends), frames - 1)])
    looks = {way: lab.carom_library.watch("film", text, times.tolist(), "seed=1", *WAYS[WAY[way]]) for way in ways}
    side, images = np.sqrt(count * np.pi * RADIUS**2 / PACKING), []
    figure, axes = plt.subplots(1, len(ways), figsize=(3 * len(ways), 3.3), dpi=100, layout="constrained", squeeze=False)
    for time in times:
        for ax, way in zip(axes[0], ways):
            t, i, j = merges[way]
            done = int(np.searchsorted(t, time, side="right"))
            ax.clear()
            ax.grid(False)
            discs(ax, np.array(next(looks[way])[0]), colors_of(clusters_after(count, i, j, done)), side)
            ax.set_title("%s  t = %.3g: %d clusters" % (way, time, count - done), fontsize=8)
        figure.canvas.draw()
        picture = Image.frombuffer("RGBA", figure.canvas.get_width_height(), figure.canvas.buffer_rgba())
        images.append(picture.convert("RGB").quantize(32, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE))
    plt.close(figure)
    images[0].save(path, save_all=True, append_images=images[1:] + [images[-1]] * 12, duration=90, loop=0, optimize=True)
    return os.path.getsize(path)


# ---- films and selected frames of large systems -----------------------------------------------------------------------

LARGE, MOMENTS, PIXELS = (90000, 250000, 1000000), (3.0, 30.0, 300.0, 3000.0), 480
FILMED, FRAMES = 250000, 60  # more particles than that have no film


def words(image, text):
    """A picture of numbers from 0 to 1, its first row below, as one for a film, with a line of text above it."""
    picture = Image.new("RGB", (PIXELS, PIXELS + 16), "white")
    picture.paste(Image.fromarray((255 * image[::-1]).astype(np.uint8)), (0, 16))
    ImageDraw.Draw(picture).text((4, 2), text, fill="black")
    return picture.quantize(64, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def large_film(lab, count, path, film_path):
    """A run of the paper's method (DAHA, cfl 1/4; velocities on a circle): four moments as one picture, and a film up to FILMED particles;
    the numbers of clusters at the moments. Particles of a cluster are those with one velocity."""
    text, numbers, images = scene(count, PACKING, velocity="{circle: 0.5}"), [], []
    times = sorted({*MOMENTS, *(np.geomspace(0.3, MOMENTS[-1], FRAMES)[:-1].tolist() if count <= FILMED else ())})
    figure, axes = plt.subplots(1, len(MOMENTS), figsize=(3.1 * len(MOMENTS), 3.4), dpi=100, layout="constrained")
    side = np.sqrt(count * np.pi * RADIUS**2 / PACKING)
    for time, (x, v) in zip(times, lab.carom_library.watch("film", text, times, "seed=1", *WAYS["DAHA 1/4"])):
        _, cluster = np.unique(np.array(v), axis=0, return_inverse=True)
        title = "N = {:,}, t = {:.4g}: {:,} clusters".format(count, time, int(cluster.max()) + 1)
        colors = colors_of(cluster)
        images.append(words(raster(np.array(x), colors, side, PIXELS), title))
        if time not in MOMENTS:
            continue
        ax = axes[len(numbers)]
        numbers.append(int(cluster.max()) + 1)
        ax.imshow(raster(np.array(x), colors, side, 290), origin="lower", extent=(0, side, 0, side), interpolation="nearest")
        ax.set(xticks=[], yticks=[])
        ax.set_title(title, fontsize=7.5)
        ax.grid(False)
        frame(ax)
        print("    " + title, flush=True)
    figure.canvas.draw()
    picture = Image.frombuffer("RGBA", figure.canvas.get_width_height(), figure.canvas.buffer_rgba())
    picture.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)
    plt.close(figure)
    if count <= FILMED:
        images[0].save(film_path, save_all=True, append_images=images[1:] + [images[-1]] * 12, duration=90, loop=0, optimize=True)
    return numbers


def large_films(lab, folder, films):
    """The paper's three largest: selected frames of all, films of two."""
    rows = []
    for count in LARGE if lab.full else (2500,):
        path, film_path = os.path.join(folder, "aggregation_film_%d.png" % count), os.path.join(films, "film_%d.gif" % count)
        numbers = lab.remember("aggregation-film-%d" % count, {"times": MOMENTS, "frames": FRAMES, "sets": WAYS["DAHA 1/4"], "path": path},
                               lambda count=count, path=path, film_path=film_path: large_film(lab, count, path, film_path))
        rows.append(["{:,}".format(count), ", ".join("%g" % t for t in MOMENTS), ", ".join("{:,}".format(n) for n in numbers), os.path.basename(path),
                     "%.2f" % (os.path.getsize(path) / 1e6), "%d frames, %.1f MB" % (FRAMES, os.path.getsize(film_path) / 1e6) if count <= FILMED else "-"])
    return rows


def run(lab):
    if lab.only:
        return None
    counts = (100, 400, 900, 2500)
    most = lab.length(1000000, 40000) if lab.size is None else 400
    report = Report("aggregation_pictures", "Aggregates to look at", "figure 12 and appendix C", lab, PAPER)
    report.figure, report.rows = examples(lab, counts if lab.size is None else (100, 144, 196, 400))
    report.columns = ["way", "count", "particle", "x", "y", "cluster"]
    os.makedirs(lab.out, exist_ok=True)
    time, cpu = million(lab, most, os.path.join(lab.out, "aggregation_million.png"))
    report.claim("a million particles", "by TS alone; ED to 10,000", "ED: {:,} particles to one cluster at time {:.4g}, {:.3g} s of one core".format(most, time, cpu),
                 True if most >= 1000000 else None)
    films = os.path.join(lab.cache, "films")
    os.makedirs(films, exist_ok=True)
    small = os.path.join(lab.out, "aggregation_film.gif")
    plan = [(counts[1] if lab.size is None else 100, tuple(WAY), small, lab.length(60, 30) if lab.size is None else 4)]
    if lab.full:
        plan += [(n, tuple(WAY), os.path.join(films, "film_%d.gif" % n), 100) for n in (100, 900, 2500)]
        plan += [(n, ("TS",), os.path.join(films, "film_%d.gif" % n), 60) for n in (10000, 40000)]
    sizes = [[n, " beside ".join(ways), frames, os.path.relpath(path, lab.out), "%.1f" % (film(lab, n, ways, path, frames) / 1e6)]
             for n, ways, path, frames in plan]
    report.table("Films", ["N", "methods", "frames", "file", "MB"], sizes)
    if lab.size is None:
        report.table("Selected frames of large systems: DAHA, cfl 1/4, velocities on a circle, packing fraction 0.2", ["N", "times", "clusters", "file", "MB", "film"],
                     large_films(lab, lab.out, films))
    report.notes += ["Figure 12: R = 0.2, velocities uniform in [-1/2, 1/2]^2, packing fraction %g; colours are the last twelve clusters before they were one. "
                     "Both methods begin at the same state: small systems end almost alike, large ones do not, as the motion is chaotic. TS: cfl 1/2." % PACKING,
                     "[A million particles](aggregation_million.png), and a [film](aggregation_film.gif) of 400 by both methods: velocities on a circle, as in the "
                     "paper's films. Time runs faster and faster. The other films are written by the command and not kept here."]
    return report

"""Detects wrong numbers of `carom shape`: each is computed again from the frames by numpy, over all pairs."""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from readers import need  # noqa: E402

need("h5py")
import h5py  # noqa: E402
import numpy as np  # noqa: E402

CAROM = os.environ["CAROM"]
SCENE = """carom: 1
engine: {engine}
dimension: {dimension}
seed: {seed}
box: {{size: {size}, boundary: {boundary}}}
species:
{species}
particles:
{particles}
run: {{until: {{time: {time}}}}}
output: {{frames: {{every: {every}}}}}
"""


def run(name, **words):
    with open(name + ".yaml", "w") as file:
        file.write(SCENE.format(**words))
    # 76: clusters that can never meet end the run too
    status = subprocess.run([CAROM, "run", name + ".yaml", "-o", name + ".h5", "--quiet", "--force"]).returncode
    assert status in (0, 76), status
    return name + ".h5"


def aggregate(name, dimension, boundary, count, size, time, radii=(0.2,), seed=1):
    species = "\n".join(f"  s{k}: {{radius: {r}, mass: {1 + k}}}" for k, r in enumerate(radii))
    particles = "\n".join(f"  - {{species: s{k}, count: {count // len(radii)}, place: random, velocity: {{uniform: [-0.5, 0.5]}}}}"
                          for k in range(len(radii)))
    return run(name, engine="aggregation", dimension=dimension, seed=seed, size=[size] * dimension, boundary=boundary,
               species=species, particles=particles, time=time, every=time / 4)


def shape(*arguments, status=0):
    done = subprocess.run([CAROM, "shape", *arguments, "--json", "-"], capture_output=True, text=True)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return json.loads(done.stdout) if status == 0 else done.stderr


def close(what, value, wanted, tolerance=1e-9):
    """Equal up to rounding; null represents NaN."""
    value = np.array(value, dtype=float)
    wanted = np.array(wanted, dtype=float)
    assert value.shape == wanted.shape, (what, value.shape, wanted.shape)
    assert np.array_equal(np.isnan(value), np.isnan(wanted)), (what, value, wanted)
    off = np.nanmax(np.abs(value - wanted) / (1 + np.abs(wanted)), initial=0)
    assert off <= tolerance, (what, value, wanted)
    return off


class Frame:
    """A frame of a result, with its clusters computed by numpy."""

    def __init__(self, path, number):
        with h5py.File(path) as file:
            group = file["particles/all"]
            self.x = group["position/value"][number]
            self.radius, self.mass, self.id = group["radius"][:], group["mass"][:], group["id"][:]
            self.stored = group["cluster/value"][number] if "cluster" in group else None
            self.size = np.diag(group["box/edges/value"][number])
            self.periodic = np.array([b in (b"periodic", "periodic") for b in group["box"].attrs["boundary"]])
        self.mean_radius = self.radius.mean()
        self.by_contacts = self.connect()

    def ways(self, which):
        way = self.x[which][:, None, :] - self.x[which][None, :, :]
        return way - np.where(self.periodic, np.rint(way / self.size) * self.size, 0)

    def touching(self, which, factor):
        distance = np.sqrt((self.ways(which) ** 2).sum(axis=2))
        contact = self.radius[which][:, None] + self.radius[which][None, :]
        near = distance <= factor * contact
        np.fill_diagonal(near, False)
        return near

    def connect(self, gap=1e-6):
        near, label = self.touching(np.arange(len(self.x)), 1 + gap), self.id.copy()
        while True:
            spread = np.minimum(label, np.where(near, label[None, :], label.max()).min(axis=1))
            if np.array_equal(spread, label):
                return label
            label = spread

    def unwrapped(self, which):
        """Positions along a walk over the contacts."""
        near, ways = self.touching(which, 1 + 1e-6), self.ways(which)
        x = np.full((len(which), len(self.size)), np.nan)
        x[0] = self.x[which[0]]
        todo = [0]
        while todo:
            i = todo.pop()
            for j in np.flatnonzero(near[i] & np.isnan(x[:, 0])):
                x[j] = x[i] - ways[i, j]
                todo.append(j)
        assert not np.isnan(x).any()
        return x


def line(x, y):
    """Slope of a line through points, and its standard error."""
    if len(x) < 2:
        return math.nan, math.nan
    x, y = np.array(x), np.array(y)
    slope, intercept = np.polyfit(x, y, 1)
    rest = ((y - slope * x - intercept) ** 2).sum()
    error = math.sqrt(rest / (len(x) - 2) / ((x - x.mean()) ** 2).sum()) if len(x) > 2 else math.nan
    return slope, error


def check_gyration(c, x):
    dimension = x.shape[1]
    y = x - x.mean(axis=0)
    tensor = y.T @ y / len(y)
    value, vector = np.linalg.eigh(tensor)
    value, vector = value[::-1], vector.T[::-1]
    close("tensor", c["gyration_tensor"], tensor)
    close("eigenvalues", c["eigenvalues"], value)
    close("radius of gyration", c["gyration_radius"], math.sqrt(value.sum()))
    for k in range(dimension):
        if all(abs(value[k] - value[j]) > 1e-6 for j in range(dimension) if j != k):
            close("an eigenvector", abs(np.dot(c["eigenvectors"][k], vector[k])), 1)
    if value[1] > 1e-6 * value[0]:
        close("aspect ratio", c["aspect_ratio"], value[0] / value[1], 1e-6)
    if dimension == 2:
        close("anisotropy", c["anisotropy"], ((value[0] - value[1]) / value.sum()) ** 2)
        if value[0] - value[1] > 1e-6:
            angle = math.degrees(math.atan2(vector[0][1], vector[0][0])) % 180
            off = abs(angle - c["orientation"])
            assert min(off, 180 - off) < 1e-4, (angle, c["orientation"])
    else:
        close("asphericity", c["asphericity"], value[0] - (value[1] + value[2]) / 2)
        close("acylindricity", c["acylindricity"], value[1] - value[2])
        mixed = value[0] * value[1] + value[1] * value[2] + value[2] * value[0]
        close("anisotropy", c["anisotropy"], 1 - 3 * mixed / value.sum() ** 2)


def check_pairs(c, x, radius):
    distance = np.sqrt(((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2))
    r = radius * np.arange(5, 41) / 2
    count = np.array([(distance <= each * (1 + 1e-9)).sum() / len(x) for each in r])
    given = c["pairs"]
    close("r", given["r"], r)
    close("P with self", given["number_self"], count)
    close("P without self", given["number"], count - 1)
    window = [k for k in range(36) if r[k] <= c["gyration_radius"] and count[k] > 1]
    slope, error = line(np.log(r[window]), np.log(count[window] - 1))
    close("pair exponent", [given["exponent"], given["error"]], [slope, error], 1e-7)
    window = [k for k in range(36) if r[k] <= c["gyration_radius"]]
    slope, error = line(np.log(r[window]), np.log(count[window]))
    close("pair exponent with self", [given["exponent_self"], given["error_self"]], [slope, error], 1e-7)


def check_boxes(c, x, side, radius):
    given = c["boxes"]
    levels = len(given["side"])
    number = [len(np.unique(np.floor(x / (side / 2**m)), axis=0)) for m in range(levels)]
    assert given["number"] == number, (given["number"], number)
    close("sides", given["side"], [side / 2**m for m in range(levels)])
    assert side / 2 ** (levels - 1) < radius <= side / 2 ** (levels - 2)
    flat = [m for m in range(1, levels) if number[m] == number[m - 1] or (m + 1 < levels and number[m] == number[m + 1])]
    window = [m for m in range(1, levels) if side / 2**m >= 3 * radius]
    while window and window[0] in flat:
        window.pop(0)
    while window and window[-1] in flat:
        window.pop()
    slope, error = line([math.log(side / 2**m) for m in window], [math.log(number[m]) for m in window])
    close("box-counting dimension", [given["dimension"], given["error"]], [-slope, error], 1e-7)
    assert given["points"] == len(window)


def check_cluster(c, frame, label):
    which = np.flatnonzero(label == c["cluster"])
    assert c["size"] == len(which) and c["state"] == "whole", c["state"]
    close("mass", c["mass"], frame.mass[which].sum())
    near, most = frame.touching(which, 1.05).sum(), 6 if len(frame.size) == 2 else 12
    close("contacts", c["contacts"], near / (most * len(which)))
    close("contacts with self", c["contacts_self"], (len(which) + near) / (most * len(which)))
    x = frame.unwrapped(which)
    x += np.rint((c["centre"] - x.mean(axis=0)) / frame.size) * frame.size  # whichever image they were put at
    close("centre", c["centre"], x.mean(axis=0))
    check_gyration(c, x)
    check_pairs(c, x, frame.mean_radius)
    check_boxes(c, x, frame.size.max(), frame.mean_radius)


def check_ensemble(found):
    for name in ("size", "mass", "gyration_radius", "contacts", "contacts_self", "anisotropy"):
        values = np.array([c[name] for c in found["clusters"]], dtype=float)
        given = found["ensemble"][name]
        assert given["known"] == len(values)
        close(name, [given[k] for k in ("mean", "std", "median", "q05", "q25", "q75", "q95", "min", "max")],
              [values.mean(), values.std(ddof=1), *np.quantile(values, [0.5, 0.05, 0.25, 0.75, 0.95]), values.min(), values.max()])
    pairs = np.array([c["pairs"]["number"] for c in found["clusters"]])
    close("mean P(r)", found["ensemble"]["pairs"]["mean"], pairs.mean(axis=0))
    close("its spread", found["ensemble"]["pairs"]["std"], pairs.std(axis=0, ddof=1))
    if found["dimension"] == 2:
        angles = np.radians([c["orientation"] for c in found["clusters"] if c["orientation"] is not None])
        mean = np.exp(2j * angles).mean()
        close("order", found["ensemble"]["orientation"]["order"], abs(mean))
    mass = np.log([c["mass"] for c in found["clusters"]])
    slope, error = line(mass, np.log([c["gyration_radius"] for c in found["clusters"]]))
    given = found["gyration_radius_of_mass"]
    close("dimension from R_g", [given["dimension"], given["error"]], [1 / slope, error / slope**2], 1e-7)


def check_frames(found, frames):
    sizes = {}
    for given, (frame, label) in zip(found["frames"], frames):
        _, size = np.unique(label, return_counts=True)
        assert (given["clusters"], given["largest"], given["singles"]) == (len(size), size.max(), (size == 1).sum())
        close("mean sizes", [given["mean_size"], given["weight_mean_size"]], [size.mean(), (size**2).sum() / size.sum()])
        for each in size:
            sizes[int(each)] = sizes.get(int(each), 0) + 1
    assert dict(zip(found["distribution"]["size"], found["distribution"]["clusters"])) == sizes
    assert found["distribution"]["size"] == sorted(sizes)
    close("mass", sum(found["distribution"]["mass"]), sum(frame.mass.sum() for frame, _ in frames))


def check(path, *frames):
    """Checks all clusters of the last frame, or of all frames."""
    found = shape(path, "--cluster", "all", *(["--frame", "all"] if len(frames) > 1 else []))
    known = {number: Frame(path, number) for number in frames}
    labels = {n: f.stored if f.stored is not None else f.by_contacts for n, f in known.items()}
    assert len(found["frames"]) == len(frames)
    for c in found["clusters"]:
        check_cluster(c, known[c["frame"]], labels[c["frame"]])
    assert len(found["clusters"]) == sum((np.unique(label, return_counts=True)[1] > 1).sum() for label in labels.values())
    check_frames(found, [(known[n], labels[n]) for n in frames])
    check_ensemble(found)
    print(f"{path}: {len(found['clusters'])} clusters, largest {max(c['size'] for c in found['clusters'])}")
    return found


def check_table(path, found):
    subprocess.run([CAROM, "shape", path, "--cluster", "all", "--csv", "t.csv", "--force"], check=True, stdout=subprocess.DEVNULL)
    with open("t.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(found["clusters"])
    for row, c in zip(rows, found["clusters"]):
        assert (row["file"], int(row["cluster"])) == (path, c["cluster"])
        for name in ("size", "gyration_radius", "aspect_ratio", "contacts", "orientation"):
            assert row[name] == "" if c[name] is None else float(row[name]) == c[name], (name, row[name], c[name])
        assert float(row["gyration_xy"]) == c["gyration_tensor"][0][1]


def main():
    os.chdir(tempfile.mkdtemp(prefix="carom-shape-"))
    walls = aggregate("walls, \"2D\"", 2, "wall", 300, 20, 60, seed=3)
    check(walls, 0, 1, 2, 3, 4)
    labels = [set(Frame(walls, n).stored.tolist()) for n in range(5)]
    merged = min(labels[1] - labels[4])
    followed = shape(walls, "--frame", "all", "--cluster", str(merged))["clusters"]
    assert [c["frame"] for c in followed] == [n for n in range(5) if merged in labels[n]]
    assert "has no cluster" in shape(walls, "--cluster", str(merged), status=64)
    check_table(walls, check(walls, 4))
    check(aggregate("periodic", 2, "periodic", 400, 40, 40), 4)
    check(aggregate("radii", 2, "periodic", 300, 40, 60, radii=(0.1, 0.3, 0.7)), 4)
    check(aggregate("space", 3, "periodic", 300, 12, 20, radii=(0.3, 0.4)), 4)

    # Other seeds: the ensemble over files is that over their clusters.
    more = [aggregate(f"seed{k}", 2, "wall", 100, 12, 40, seed=k) for k in (1, 2)]
    both, each = shape(*more, "--cluster", "all"), [shape(path, "--cluster", "all") for path in more]
    assert both["clusters"] == each[0]["clusters"] + each[1]["clusters"] and both["files"] == more
    check_ensemble(both)

    # The same particles at rest in an engine that knows no clusters: contacts have to find them.
    rest = run("rest", engine="hard", dimension=2, seed=1, size=[40, 40], boundary="periodic", time=1, every=1,
               species="  s0: {radius: 0.2, mass: 1}",
               particles="  - {species: s0, place: {file: periodic.h5}, velocity: zero}")
    found = check(rest, 0)
    assert found["frames"][0]["clusters_from"] == "contacts"
    stored = shape("periodic.h5", "--cluster", "all")["clusters"]
    assert sorted(c["size"] for c in found["clusters"]) == sorted(c["size"] for c in stored)


main()

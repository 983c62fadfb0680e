"""The cost of a collision and of a particle, and the time to check a large list of particles."""
import os
import random
import time

from .harness import Row, count

SIZES = (1372, 4000, 13500, 32000, 97556)


def speed(lab, name):
    """Nanoseconds of CPU time per collision, after melting; fcc fills the box with 4 k^3. The fastest of three:
    other load of the machine can only increase the time."""
    cost, rows = {n: float("inf") for n in SIZES}, []
    for seed in lab.length((1, 2, 3), (1, )):
        for n in SIZES:
            melt, longer = 20 * n, 20 * n + lab.length(1000000, 300000)
            common = ["particles.0.count=%d" % n, "particles.0.place=fcc", "seed=%d" % seed]
            short = lab.run("fluid", *common, "run.until.collisions=%d" % melt)
            long = lab.run("fluid", *common, "run.until.collisions=%d" % longer)
            cost[n] = min(cost[n], 1e9 * (long["cpu_s"] - short["cpu_s"]) / (longer - melt))
    ratio = max(cost.values()) / min(cost.values())
    rows.append(Row(name, "cost of a collision, hard spheres at packing fraction 0.4, N = %s" % ", ".join(map(count, SIZES)), "-",
                    "within a factor 2 of each other: caches hold 1,372 and not 97,556, and other work slows", "%s ns; factor %.2f" % (", ".join("%.0f" % cost[n] for n in SIZES), ratio),
                    ratio < 2, "fastest of 3 times 1e6 collisions, one core, the machine shared with other work"))
    return rows


def memory(lab, name):
    tiny = lab.run("fluid", "particles.0.count=108", "particles.0.place=fcc", "run.until.collisions=100")
    n = 500000
    large = lab.run("fluid", "particles.0.count=%d" % n, "particles.0.place=fcc", "run.until.collisions=%d" % n)
    each = (large["peak_rss_bytes"] - tiny["peak_rss_bytes"]) / (n - 108)
    return [Row(name, "memory of a particle (largest resident size, less that of 108 particles)", "-", "below 500 bytes",
                "%.0f bytes" % each, each < 500, "N = %s" % count(n))]


def check(lab, name):
    n, side = 1000000, 100

    def work():
        path = os.path.join(lab.cache, "million.xyz")
        draw = random.Random(1)
        with open(path, "w") as file:
            file.write('%d\nLattice="150 0 0 0 150 0 0 0 150" Properties=species:S:1:pos:R:3:velo:R:3\n' % n)
            for i in range(n):
                cell = (i % side, i // side % side, i // side // side)
                place = " ".join("%.12f" % (1.5 * c + 0.5 + 0.4 * draw.random()) for c in cell)
                file.write("grain %s %s\n" % (place, " ".join("%.12f" % draw.gauss(0, 1) for _ in range(3))))
        started = time.time()
        status, out, err = lab.command("check", lab.scene("million"))
        return {"status": status, "seconds": time.time() - started, "out": out, "err": err}
    found = lab.remember("million", {"scene": "million"}, work)
    return [Row(name, "`carom check` of a scene with a million particles listed in a file", "-", "below 20 s, exit 0",
                "%.1f s, exit %d" % (found["seconds"], found["status"]), found["status"] == 0 and found["seconds"] < 20,
                "extended XYZ, 100 MB")]


ROWS = {"speed": speed, "memory": memory, "check": check}

"""Cooling gases: clustering, inelastic collapse and the policies."""
from math import log

from . import literature
from .harness import Row, count

PARTICLES = 13500
TC, CUTOFF = 1e-5, 1e-5
# Three times the deepest overlap of 1e7 collisions, in ulps.
DEEPEST = {(0.3, "tc"): 156, (0.3, "cutoff"): 102, (0.1, "tc"): 102, (0.1, "cutoff"): 186, (0.0, "tc"): 150, (0.0, "cutoff"): 228}
POLICIES = {"tc": "hard.collapse.tc=%g" % TC, "cutoff": "hard.collapse.speed=%g" % CUTOFF}


def cool(lab, e, collisions, *sets, **more):
    return lab.run("granular", "contacts.0.restitution=%g" % e, "run.until.collisions=%d" % collisions, *sets, **more)


def per_particle(found):
    return 2 * found["events"]["collision"] / found["particles"]


def cooled(found):
    """Final energy divided by the initial one; never 0, although the range of double ends at 1e-308."""
    return max(found["energy"]["kinetic"], 5e-324) / found["energy"]["initial"]


def excess(found):
    """Pairs 3 to 5 diameters apart divided by those of a homogeneous gas (1, far beyond the shells of neighbours),
    from the pair distribution: the mean of those at the start and the end."""
    g = found["observables"]["radial_distribution"]
    far = [(r * r, h) for r, h in zip(g["r"], g["g"]) if 3 < r < 5]
    return sum(weight * h for weight, h in far) / sum(weight for weight, _ in far)


def length_of(found):
    return "N = %s, %s collisions (%s a particle)" % (
        count(found["particles"]), count(found["events"]["collision"]), count(per_particle(found)))


def clustering(e):
    def rows(lab, name):
        found = cool(lab, e, lab.length(100000000, 3000000))
        start = excess(cool(lab, e, 1))
        end = 2 * excess(found) - start
        n = per_particle(found)
        slower = log(cooled(found)) / (-(1 - e * e) / 3 * n)
        overlap = found["max_overlap"] / 2**-52
        run = length_of(found) + ", time %.1e, %.0f s of CPU" % (found["time"], found["cpu_s"])
        return [
            Row(name, "granular gas, e = %g, runs to the end" % e, literature.BANNERMAN, "stop: collisions",
                "stop: %s; T fell by a factor of 10^%.1f" % (found["stop"], log(cooled(found)) / log(10)),
                found["stop"] == "collisions", run),
            Row(name, "clusters, e = %g: pairs 3 to 5 diameters apart, over those of a homogeneous gas" % e,
                "Goldhirsch, Zanetti, Phys. Rev. Lett. 70, 1619 (1993)", "above 1.02; at the start %.4f" % start,
                "%.3f; cooling per collision %.3f of Haff's" % (end, slower), end > 1.02, run),
            Row(name, "deepest overlap at an impact, e = %g" % e, literature.BANNERMAN, "below 1000 ulps of the diameter",
                "%.0f ulps (%.1e)" % (overlap, found["max_overlap"]), overlap < 1000, run),
        ]
    return rows


def goes_on(lab, name, e, policy):
    deepest = DEEPEST[e, policy]
    collisions = lab.length(10000000, 500000)
    found = cool(lab, e, collisions, "hard.collapse.policy=" + policy, POLICIES[policy], allow=(0, 76, 124), limit=3000)
    overlap = found.get("max_overlap", 0) / 2**-52
    ended = found["stop"] == "collisions"
    ours = "stop: %s; overlaps up to %.0f ulps" % (found["stop"], overlap)
    if ended:
        ours += "; T fell by a factor of 10^%.1f" % (log(cooled(found)) / log(10))
    return Row(name, "e = %g, policy %s (%s), runs to the end" % (e, policy, POLICIES[policy].replace("hard.collapse.", "")),
               "Luding, McNamara, Granular Matter 1, 113 (1998)" if policy == "tc" else "-",
               "stop: collisions; overlaps below %d ulps" % deepest, ours, ended and overlap < deepest,
               length_of(found) if ended else found["message"].splitlines()[0])


def stops(lab, name, e):
    found = cool(lab, e, 10000000, allow=(0, 76, 124), limit=3000)
    named = found["message"].splitlines()[0] if found["message"] else ""
    return Row(name, "e = %g, policy stop" % e, literature.BANNERMAN, "exit 76, a report that names particles",
               "exit %d, stop: %s, after %s collisions" % (found["status"], found["stop"], count(found["events"]["collision"])),
               found["status"] == 76 and found["stop"] == "collapse" and "particle" in named, named)


def naive(lab, name, e):
    found = cool(lab, e, 10000000, "hard.collapse.policy=tc", POLICIES["tc"], "hard.detection=naive", allow=(0, 76, 124),
                 limit=300)
    message = found["message"].splitlines()[0] if found["message"] else ""
    return Row(name, "e = %g, policy tc, naive detection" % e, literature.BANNERMAN, "fails: time runs backwards",
               "exit %d, stop: %s" % (found["status"], found["stop"]), found["status"] != 0, message)


def collapse(e):
    def rows(lab, name):
        return [goes_on(lab, name, e, "tc"), goes_on(lab, name, e, "cutoff"), stops(lab, name, e), naive(lab, name, e)]
    return rows


ROWS = {"clusters-0.9": clustering(0.9), "clusters-0.6": clustering(0.6)}
ROWS.update({"collapse-%g" % e: collapse(e) for e in (0.3, 0.1, 0.0)})

"""The table of a race, in Markdown, from what race.json holds."""
import math
import statistics

OURS, OTHERS = "carom", "DynamO"
VARIANTS = ("EDMD Cell", "EDMD Multi", "EDMD Single")
PROGRAMS = (OURS, *VARIANTS, OTHERS)
MILLION = 1000000
SAME_PHYSICS = 0.03  # relative difference of the collision rates


def target(n):
    """Required ratio of the speed to that of the best variant of EDMD."""
    return 3.0 if n >= MILLION else 1.5


def speeds(state, program):
    return [run["speed"] for run in state["runs"].get(program, [])]


def median(state, program, what="speed"):
    values = [run[what] for run in state["runs"].get(program, [])]
    return statistics.median(values) if values else None


def best_variant(state):
    """The fastest variant of EDMD by its median; None if none ran."""
    raced = [v for v in VARIANTS if speeds(state, v)]
    return max(raced, key=lambda v: median(state, v), default=None)


def ratios(state, program):
    """Ratios of the speed to that of the program, for each round."""
    return [a / b for a, b in zip(speeds(state, OURS), speeds(state, program))]


def count(n):
    return format(n, ",")


def spread(values, form):
    """Text of median (smallest - largest), or a dash."""
    if not values:
        return "-"
    middle = form % statistics.median(values)
    return middle if len(values) == 1 else "%s (%s-%s)" % (middle, form % min(values), form % max(values))


def missed(state):
    """Whether the state is below its target; None without a program to compare with."""
    variant = best_variant(state)
    if variant is None or not speeds(state, OURS):
        return None
    return statistics.median(ratios(state, variant)) < target(state["n"])


def strangers(state):
    """Programs with a collision rate other than that of carom: they did not simulate the same state."""
    ours = median(state, OURS, "rate")
    return [p for p in PROGRAMS if p != OURS and ours and speeds(state, p)
            and abs(median(state, p, "rate") / ours - 1) > SAME_PHYSICS]


def row(cells):
    return "| " + " | ".join(cells) + " |"


def head(names):
    return [row(names), row(["---"] * len(names))]


def name(state):
    return "N = %s at %g" % (count(state["n"]), state["fraction"])


def speed_table(states):
    lines = head(["N", "packing fraction", *PROGRAMS, "carom / best EDMD", "wanted", "carom / DynamO"])
    for state in states:
        variant = best_variant(state)
        against = spread(ratios(state, variant), "%.2f") if variant else "-"
        wanted = "%g%s" % (target(state["n"]), ": missed" if missed(state) else "")
        lines.append(row([count(state["n"]), "%g" % state["fraction"]]
                         + [spread([s / 1000 for s in speeds(state, p)], "%.0f") for p in PROGRAMS]
                         + [against, wanted, spread(ratios(state, OTHERS), "%.1f")]))
    return lines


def verdict(states):
    below, raced = [s for s in states if missed(s)], [s for s in states if missed(s) is not None]
    lines = ["%d of %d states reach the ratio wanted." % (len(raced) - len(below), len(raced))]
    if below:
        lines.append("Below it: %s." % "; ".join(name(s) for s in below))
    for state in states:
        if strangers(state):
            lines.append("**Not the same physics** (collision rate off by more than %g %%) at %s: %s."
                         % (100 * SAME_PHYSICS, name(state), ", ".join(strangers(state))))
    return lines


def growth(small, large, program):
    """Exponent of the growth of the cost per collision with size."""
    a, b = median(small, program), median(large, program)
    return math.log(a / b) / math.log(large["n"] / small["n"]) if a and b else None


def growth_table(states):
    lines = head(["packing fraction", "from N", "to N", *PROGRAMS])
    for fraction in sorted({s["fraction"] for s in states}):
        sizes = sorted((s for s in states if s["fraction"] == fraction), key=lambda s: s["n"])
        pairs = list(zip(sizes, sizes[1:])) + ([(sizes[0], sizes[-1])] if len(sizes) > 2 else [])
        for small, large in pairs:
            found = [growth(small, large, p) for p in PROGRAMS]
            lines.append(row(["%g" % fraction, count(small["n"]), count(large["n"])]
                             + ["-" if g is None else "%.2f" % g for g in found]))
    return lines


def rate_table(states):
    lines = head(["N", "packing fraction", *PROGRAMS, "lattice order"])
    for state in states:
        found = [median(state, p, "rate") for p in PROGRAMS]
        lines.append(row([count(state["n"]), "%g" % state["fraction"]] + ["-" if r is None else "%.3f" % r for r in found]
                         + ["%.3f" % state["order"]]))
    return lines


def start_table(states):
    """Set-up and memory at the largest size."""
    largest = max(s["n"] for s in states)
    lines = head(["N", "packing fraction"] + ["%s: s" % p for p in PROGRAMS] + ["%s: bytes" % p for p in PROGRAMS])
    for state in (s for s in states if s["n"] == largest):
        setup = [median(state, p, "setup") for p in PROGRAMS]
        size = [median(state, p, "bytes") for p in PROGRAMS]
        lines.append(row([count(largest), "%g" % state["fraction"]] + ["-" if s is None else "%.1f" % s for s in setup]
                         + ["-" if b is None else "%.0f" % (b / largest) for b in size]))
    return lines


def lattice_line(start):
    return ("`carom run` of N = %s, packing fraction %g, from the lattice: set up in %.2f s (wall), %.0f bytes a particle "
            "(largest resident size); from a file of extended XYZ: %.2f s, %.0f bytes."
            % (count(start["n"]), start["fraction"], start["lattice"]["setup_s"], start["lattice"]["bytes"] / start["n"],
               start["file"]["setup_s"], start["file"]["bytes"] / start["n"]))


def circumstances(states):
    """One line for each set of states that ran under the same conditions."""
    lines = []
    for where in sorted({s["where"] for s in states}):
        lines += ["- %s: %s" % (", ".join(name(s) for s in states if s["where"] == where), where)]
    return lines


def markdown(race):
    """The whole report."""
    states = sorted(race["states"], key=lambda s: (s["n"], s["fraction"]))
    if len({s["where"] for s in states}) == 1:
        lines = [states[0]["where"], ""]
    else:
        lines = circumstances(states) + [""]
    lines += ["Thousand collisions per CPU second, median of the rounds (smallest-largest); ratios are taken round by round.",
              "", *speed_table(states), "", *verdict(states), "", "### Growth", "",
              "Exponent of the cost of a collision with N.", "", *growth_table(states), "", "### The same physics", "",
              "Collisions of a particle per unit time, T = 1, in the measured stretch. Lattice order: Fourier component of the "
              "density at the lattice's first wave vectors, where the race starts (1 on the lattice, 1/sqrt(N) in a fluid).",
              "", *rate_table(states), "", "### Set-up and memory", "",
              "CPU seconds from the start of the process to its first line, reading the file of the state included, and largest "
              "resident size over N. carom's library is driven from Python here, which adds some 15 MB.",
              "", *start_table(states)]
    if race.get("start"):
        lines += ["", lattice_line(race["start"])]
    return "\n".join(lines) + "\n"

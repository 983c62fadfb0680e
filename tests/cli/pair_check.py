"""What is looked at for each pair of features, beside what was measured: bounds are three times that."""
import collections
import itertools
import os
import tempfile
import time

from readers import need_library

need_library("numpy", "h5py")

import numpy

import pair_balance
import pair_changes
import pair_observed
from pair_run import Library, Refused, Result
from pair_scene import Change, Clash, build

LOOKS = (2.0, 4.0)  # when changed runs are compared; each collision multiplies their difference by some ten
TIMES = 3.0         # bounds, in what was measured
KINDS = ("float", "kicked", "squares")  # features that have bounds of their own
LEAST = 10          # events of a run, without which nothing would be tested
ROUNDING = 4e-16    # what may be measured as zero
QUICK = 5           # one of so many pairs is run by `make test`, all by `make test-all`


class Pairs:
    def __init__(self, engine, features, measured, span=20.0, steps=False, always=()):
        self.engine, self.features, self.measured, self.span = engine, features, measured, span
        self.always = always  # pairs that `make test` runs in any case
        self.energies = read_energies(engine) if steps else None  # the error of steps in time differs from pair to pair
        self.energy_found = {}
        self.carom = Library(os.environ["CAROM_BUILD"])
        self.worst = collections.defaultdict(lambda: (0.0, ""))
        self.refused, self.stopped, self.faults, self.runs = {}, {}, [], 0

    # ---- what is noted

    def fault(self, names, what):
        self.faults.append("%s: %s" % ("+".join(names), what))

    def note(self, names, found):
        kind = "".join(name + " " for name in KINDS if name in names)
        for what, error in found:
            key = kind + what
            if not error <= self.worst[key][0]:
                self.worst[key] = (error, "+".join(names))
            bound = TIMES * self.measured_of(names, what, key)
            if not error <= bound:
                self.fault(names, "%s is off by %.2g, more than %.2g" % (key, error, bound))

    def measured_of(self, names, what, key):
        if self.energies is None or what != "energy":
            return self.measured.get(key, 0.0)
        return max(self.energies.get("+".join(names), 0.0), ROUNDING)

    # ---- what is done

    def scene(self, names):
        scene = build(self.engine, self.features, names)
        scene.time = self.span * scene.brief
        return scene

    def run(self, names):
        try:
            scene = self.scene(names)
            if self.engine == "hard":
                scene.observed = pair_observed.settings(scene)
            status, summary = self.carom.go(scene.text(Change(scene.dimension)), "pair.h5")
        except Clash as clash:
            self.refused["+".join(names)] = "both set %s" % clash
            return
        except Refused as refusal:
            self.refused["+".join(names)] = str(refusal).split("\n")[0].split("error: ")[1]
            return
        self.runs += 1
        result = Result("pair.h5")
        if len(result.time) < 3:
            return self.fault(names, "ends at once: %s" % summary["stop"])
        self.look(names, scene, status, summary, result)
        self.resume(names, scene, result)
        self.reference(names, scene, summary)
        self.change(names, scene)

    def look(self, names, scene, status, summary, result):
        if status != 0:
            self.stopped["+".join(names)] = summary["stop"]
        events = summary["events"]
        happened = events["collision"] + events["wall"] + events["merge"]
        if happened < LEAST:
            self.fault(names, "only %d events" % happened)
        if self.engine == "hard" and summary["max_overlap"] > 1e-3 * scene.radius.min():
            self.fault(names, "overlaps by %g at an impact" % summary["max_overlap"])
        look = pair_balance.Look(scene, result)
        balance = pair_balance.balance(look)
        self.energy_found["+".join(names)] = dict(balance)["energy"]
        self.note(names, balance)
        if self.engine == "hard":
            self.note(names, pair_observed.compared(look))

    def resume(self, names, scene, result):
        """Checks that a run that is stopped and resumed half-way has the same states."""
        scene.observed = {}
        text, half = scene.text(Change(scene.dimension)), result.time[-1] * 0.47
        self.carom.go(text, "half.h5", sets=["run.until.time=%r" % half])
        self.carom.go(text, "half.h5", resume=True)
        other = Result("half.h5").frames["state_hash"]
        # The stop has left a frame of its own, unless it is the last one's.
        if not set(result.frames["state_hash"]) <= set(other):
            self.fault(names, "a run that is resumed differs")

    def reference(self, names, scene, summary):
        if self.engine != "hard":
            return  # that of `variational` takes seconds
        try:
            _, other = self.carom.go(scene.text(Change(scene.dimension)), sets=["%s.reference=true" % self.engine])
        except Refused as refusal:
            return self.fault(names, "has no reference: %s" % refusal)
        if other["state_hash"] != summary["state_hash"]:
            self.fault(names, "differs from the reference")

    def differences(self, scene, change):
        times = [time for time in LOOKS[:1 if "float" in scene.names else 2] if time < scene.time] or [0.75 * scene.time]
        plain = self.carom.looks(scene.text(Change(scene.dimension)), times)
        changed = self.carom.looks(scene.text(change), [time * change.units[2] for time in times])
        n = scene.bodies
        if len(plain) != len(changed):
            return [("changed", numpy.inf)]
        return [("changed, at %g" % time, pair_changes.difference(scene, change, time, [x[:n] for x in a], [x[:n] for x in b]))
                for time, a, b in zip(times, plain, changed)]

    def change(self, names, scene):
        if self.engine != "hard":
            return  # steps begin where the rounding of times says
        changes, before = pair_changes.changes(scene), len(self.faults)
        self.note(names, self.differences(scene, changes.pop("all")))
        if len(self.faults) > before and self.measured:
            alone = {name: max(error for _, error in self.differences(scene, change)) for name, change in changes.items()}
            self.fault(names, "each change alone: %s" % ", ".join("%s %.1e" % item for item in alone.items()))

    # ---- all of them

    def all(self, tier=None):
        """The single features and all pairs. Tier `quick` has a part of the pairs, with each feature in several;
        `long` has the others."""
        order = {name: k for k, name in enumerate(self.features)}
        chosen = [(name,) for name in self.features] + list(itertools.combinations(self.features, 2))
        quick = {names for names in chosen if sum(order[name] for name in names) % QUICK == 0} | set(self.always)
        return [names for names in chosen if tier not in ("quick", "long") or (names in quick) == (tier == "quick")]

    def told(self):
        """The pairs that do not run, or not to the end, with the reasons, in the format of the file."""
        return "".join("%s: %s\n" % item for item in itertools.chain(self.refused.items(), self.stopped.items()))

    def report(self):
        for key, (error, names) in sorted(self.worst.items()):
            print("%-12s %-28s %8.1e of %8.1e  %s" % (self.engine, key, error, TIMES * self.measured.get(key, 0.0), names))
        print("%s: %d features and pairs run, %d refused, %d stopped, %.1f s" % (
            self.engine, self.runs, len(self.refused), len(self.stopped), time.process_time()))
        for fault in self.faults:
            print("FAULT", fault)


def energies_path(engine):
    return os.path.join(os.environ["CAROM_SOURCE"], "tests/cli/files/pairs-%s-energy.txt" % engine)


def read_energies(engine):
    """The pairs with the recorded error of their energy."""
    with open(energies_path(engine), encoding="utf-8") as file:
        return {name: float(error) for name, error in (line.split() for line in file)}


def write_energies(pairs):
    with open(energies_path(pairs.engine), "w", encoding="utf-8") as file:
        file.writelines("%s %.2g\n" % item for item in pairs.energy_found.items())


def listed(pairs, chosen, write):
    """Compares the pairs that do not run, and the reasons, with those of the list, so that no test becomes empty
    unnoticed."""
    path = os.path.join(os.environ["CAROM_SOURCE"], "tests/cli/files/pairs-%s.txt" % pairs.engine)
    given = pairs.told()
    if write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(given)
        if pairs.energies is not None:
            write_energies(pairs)
    with open(path, encoding="utf-8") as file:
        wanted = "".join(line for line in file if tuple(line.split(":")[0].split("+")) in chosen)
    for line in sorted(set(given.splitlines()) ^ set(wanted.splitlines())):
        print("%s: %s" % ("not in the list" if line in given else "in the list alone", line))
    return given == wanted


def run(all_pairs, arguments):
    """test_feature_pairs... [--write] [FEATURE+FEATURE ...]: all pairs, or these; --write creates the list of those
    that do not run."""
    chosen = [tuple(names.split("+")) for names in arguments if names != "--write"]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for pairs in all_pairs:
            every = pairs.all(os.environ.get("CAROM_TIER"))
            for names in chosen or every:
                if set(names) <= set(pairs.features):
                    pairs.run(names)
            pairs.report()
            good = (bool(chosen) or listed(pairs, set(every), "--write" in arguments)) and not pairs.faults and good
        os.chdir("/")
    return 0 if good else 1

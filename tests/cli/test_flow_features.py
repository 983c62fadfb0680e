"""Detects features of the engine `hard` that do not work with inflow and outflow: other bits on the reference path or in a resumed run,
energy or particles that are lost, states that `carom verify` refuses, and combinations that are accepted without being supported."""
import itertools
import json
import os
import subprocess
import sys
import tempfile

from readers import need_library

need_library("numpy")

from pair_features import HARD
from pair_run import Library, Refused
from pair_scene import Change, Clash, build

SPAN = 12.0
DRIFT = {"float": 5e-7}  # of the largest energy; three times the largest found
QUICK = 9                # one of so many pairs is run by `make test`
UNSUPPORTED = {"ellipsoids", "compression", "shear", "bath", "potentials", "bonds"}


def exchange(text):
    """The scene with particles that enter in its lower part, and leave in a third of the box."""
    scene = json.loads(text)
    size = scene["box"]["size"]
    low, high, third = [0.03 * x for x in size], [0.97 * x for x in size], [x / 3 for x in size]
    high[-1] = 0.42 * size[-1]
    more = {"species": {"z": 1, "a": 1}, "count": 40, "velocity": {"maxwell": 0.7},
            "place": {"inflow": {"region": {"box": {"from": low, "to": high}}, "rate": 6, "start": 0.4}}}
    if "angular_velocity" in scene["particles"][0]:
        more["angular_velocity"] = {"maxwell": 0.5}
    scene["particles"].append(more)
    scene["outflow"] = [{"name": "corner", "region": {"box": {"from": [-9.0 for x in size], "to": third}}, "every": 0.9, "start": 1.3}]
    if scene["box"]["boundary"][0] == "open":
        scene["outflow"].append({"name": "side", "side": "x+", "every": 0.37})
    scene["output"] = {"frames": {"every": 1}}
    scene["run"] = {"until": {"time": SPAN}}
    return json.dumps(scene)


class Trials:
    def __init__(self):
        self.carom, self.command = Library(os.environ["CAROM_BUILD"]), os.path.join(os.environ["CAROM_BUILD"], "carom")
        self.faults, self.runs, self.refused, self.worst, self.entered, self.left = [], 0, 0, {}, 0, 0

    def fault(self, names, what):
        self.faults.append("%s: %s" % ("+".join(names), what))

    def energy(self, names, summary):
        kind = "float" if "float" in names else "other"
        energy, flow = summary["energy"], summary["flow"]
        scale = abs(energy["initial"]) + abs(energy["total"]) + flow["energy_entered"] + flow["energy_left"]
        scale += energy["dissipated"] + abs(energy.get("supplied", 0)) + abs(energy.get("work", 0))
        drift = abs(energy["drift"]) / scale
        self.worst[kind] = max(self.worst.get(kind, 0), drift)
        if not drift <= DRIFT.get(kind, 2e-15):
            self.fault(names, "the energy balance is off by %.2g" % drift)

    def run(self, names):
        try:
            scene = build("hard", HARD, names)
            scene.time = SPAN
            scene.observed = {}
            text = exchange(scene.text(Change(scene.dimension)))
            status, summary = self.carom.go(text, "whole.h5")
        except Clash:
            return
        except Refused as refusal:
            self.refused += 1
            if not set(names) & UNSUPPORTED and len(names) == 1:
                self.fault(names, "refused: %s" % refusal)
            return
        if set(names) & UNSUPPORTED:
            return self.fault(names, "is accepted")
        self.runs += 1
        flow = summary["flow"]
        self.entered, self.left = self.entered + flow["entered"], self.left + flow["left"]
        if flow["entered"] == 0 or flow["present"] != scene.bodies + flow["entered"] - flow["left"]:
            self.fault(names, "particles are lost: %r" % flow)
        if status not in (0, 76):
            self.fault(names, "ends with %d" % status)
        self.energy(names, summary)
        verified = subprocess.run([self.command, "verify", "whole.h5"], capture_output=True, text=True, check=False)
        if verified.returncode != 0:
            self.fault(names, verified.stdout + verified.stderr)
        _, other = self.carom.go(text, sets=["hard.reference=true"])
        if other["state_hash"] != summary["state_hash"]:
            self.fault(names, "differs from the reference")
        self.carom.go(text, "half.h5", sets=["run.until.time=%r" % (0.47 * summary["time"])])
        _, resumed = self.carom.go(text, "half.h5", resume=True)
        if resumed["state_hash"] != summary["state_hash"] or resumed["flow"] != flow:
            self.fault(names, "a run that is resumed differs")


def main():
    trials, order = Trials(), {name: k for k, name in enumerate(HARD)}
    chosen = [(name,) for name in HARD] + list(itertools.combinations(HARD, 2))
    quick = [names for names in chosen if sum(order[name] for name in names) % QUICK == 0]
    tier = os.environ.get("CAROM_TIER")
    if len(sys.argv) > 1:
        chosen = [tuple(names.split("+")) for names in sys.argv[1:]]
    elif tier in ("quick", "long"):
        chosen = [names for names in chosen if (names in quick) == (tier == "quick")]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for names in chosen:
            trials.run(names)
        os.chdir("/")
    print("%d features and pairs run, %d refused; %d particles have entered, %d left; drift of the energy: %s"
          % (trials.runs, trials.refused, trials.entered, trials.left, trials.worst))
    for fault in trials.faults:
        print("FAULT", fault)
    return 1 if trials.faults else 0


if __name__ == "__main__":
    sys.exit(main())

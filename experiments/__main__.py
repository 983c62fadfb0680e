"""The experiments of three papers, redone - the stable rule, ballistic aggregation (aggregation_...), asynchronous variational
contact (variational_..., shells): each writes a picture, a
table beside the paper's claims, and its data.

    python3 -m experiments [NAME...] [--full] [--build FOLDER] [--out FOLDER] [--only PART] [--keep | --again] [--list]

NAME may be the first word of several: `aggregation`, `variational`. Quick runs (minutes) go to build/experiments/quick, full ones to experiments/results. A run that was done before with the
same sources is taken from build/experiments: what was interrupted goes on where it was. The exit status is 1 when a claim
fails."""
import argparse
import importlib
import os
import sys

from tools.needs import need
from validate.harness import ROOT

NAMES = ("impact_separation", "impact_states", "impact_clock", "three_body_frequency", "three_body_frames", "plate", "remedies", "precision",
         "aggregation_contacts", "aggregation_pairs", "aggregation_boxes", "aggregation_form", "aggregation_kinetics",
         "aggregation_cost", "aggregation_convergence", "aggregation_dilute", "aggregation_pictures", "aggregation_space",
         "variational_impacts", "variational_spring", "variational_boxes", "variational_restitution",
         "variational_variants", "variational_drift", "variational_hard", "shells")


def chosen(given):
    """The experiments of the names given: a name, or the first word of several (`aggregation`); and what is none of these."""
    meant = [[name for name in NAMES if name == word or name.startswith(word + "_")] for word in given]
    return [name for of in meant for name in of], [word for word, of in zip(given, meant) if not of]


def options(arguments=None):
    parser = argparse.ArgumentParser(prog="python3 -m experiments", description="Redoes the experiments of three papers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments, or the first word of several (default: all)")
    parser.add_argument("--full", action="store_true", help="the paper's sizes; hours")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"), help="folder of the build")
    parser.add_argument("--out", help="folder of the results")
    parser.add_argument("--only", default="", metavar="PART", help="only cases with this in their names; writes nothing")
    parser.add_argument("--size", type=int, help="samples or collisions instead of those of the full or quick run")
    parser.add_argument("--keep", action="store_true", help="take runs from the cache even where the sources have changed")
    parser.add_argument("--again", action="store_true", help="run everything anew")
    parser.add_argument("--list", action="store_true", help="names of the experiments, and end")
    return parser.parse_args(arguments)


def main():
    given = options()
    if given.list:
        print("\n".join(NAMES))
        return 0
    names, unknown = chosen(given.names)
    if unknown:
        print("no such experiment: %s (see --list)" % ", ".join(unknown), file=sys.stderr)
        return 64
    need("h5py", "matplotlib", "numpy", "PIL")
    from .lab import Experiment
    out = given.out or (os.path.join(ROOT, "experiments", "results") if given.full
                        else os.path.join(ROOT, "build", "experiments", "quick"))
    lab, failed = Experiment(given.build, given.full, out, given.keep, given.again, given.only, given.size), 0
    for name in names or NAMES:
        print(name, flush=True)
        lab.used = []
        report = importlib.import_module("." + name, __package__).run(lab)
        if report is not None and not given.only:
            failed += report.write()
    print("%d claims fail" % failed if failed else "all claims hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Detects features of the engines `variational` and `aggregation` that work alone but not in pairs, as
test_feature_pairs.py does for `hard`."""
import sys

import pair_check
from pair_features_forces import AGGREGATION, VARIATIONAL

# The largest errors of all pairs; bounds are three times these. Energy has the error of the steps, which differs: files/pairs-variational-energy.txt.
FORCES = {
    "angular momentum": 6.4e-16, "angular momentum of bodies": 3.7e-6, "centre of mass": 8.8e-14,
    "kicked kinetic": 3.6e-16, "kicked momentum": 9.0e-13, "kicked potential": 1.1e-16,
    "kicked springs": 6.3e-18, "kicked squares kinetic": 1.9e-16,
    "kicked squares momentum": 9.9e-14, "kicked squares potential": 4.5e-17, "kicked squares sum of momenta": 6.4e-17,
    "kicked squares total": 1.9e-16, "kicked sum of momenta": 2.0e-16, "kicked total": 4.0e-16, "kinetic": 4.1e-16,
    "momentum": 1.6e-14, "overlap": 3.3e-16, "potential": 10.0e-17, "springs": 1.1e-16, "squares angular momentum": 3.4e-16,
    "squares centre of mass": 6.2e-15, "squares kinetic": 3.1e-16, "squares momentum": 1.6e-15,
    "squares potential": 4.5e-17, "squares springs": 7.5e-17, "squares sum of momenta": 2.2e-16, "squares total": 3.1e-16,
    "sum of momenta": 3.6e-16, "total": 5.6e-16}
MERGES = {
    "energy": 3.7e-16, "kinetic": 1.3e-16, "momentum": 3.4e-16, "overlap": 3.3e-16, "potential": 0.0, "springs": 0.0,
    "sum of momenta": 2.7e-16, "total": 1.3e-16}

sys.exit(pair_check.run([pair_check.Pairs("variational", VARIATIONAL, FORCES, span=5.0, steps=True), pair_check.Pairs("aggregation", AGGREGATION, MERGES)],
                        sys.argv[1:]))

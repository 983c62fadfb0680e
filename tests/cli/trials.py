"""What the tests of the experiments share: an interpreter that has what they need, and comparing."""
from readers import need_library

need_library("numpy", "matplotlib", "h5py", "PIL")


def close(what, value, wanted, within=1e-12):
    print("%s: %r, wanted %r" % (what, value, wanted))
    assert abs(value - wanted) <= within, what

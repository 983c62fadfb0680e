"""Reports missing packages of Python, and the command that installs them, in one line."""
import importlib.util
import sys


def need(*modules):
    """Ends the program where one of them is not there."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        sys.exit("error: %s has no %s: `tools/setup.sh experiments` installs that for /usr/bin/python3"
                 % (sys.executable, ", ".join(missing)))

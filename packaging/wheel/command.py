#!python
"""The command `carom` of the Python package. It finds the package without importing it, and with it numpy: that takes longer
than a short run."""
import importlib.util
import os
import runpy

runpy.run_path(os.path.join(os.path.dirname(importlib.util.find_spec("carom").origin), "__main__.py"), run_name="__main__")

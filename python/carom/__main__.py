"""`python -m carom` runs the command carom with the same arguments."""
# Without imports from the package: the script `carom` runs this file alone.
from __future__ import annotations

import os
import runpy
import shutil
import sys
from pathlib import Path


def _is_script(path: Path) -> bool:
    """Whether the file is a script, as the one that runs this file, and not the command itself."""
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def find_command() -> Path | None:
    """The command in the package, in the build folder of the checkout, or on the search path."""
    package = Path(__file__).resolve().parent
    bundle = runpy.run_path(str(package / "_bundle.py"))
    bundle["prepare"]()
    candidates = [bundle["FOLDER"] / "carom", package.parents[1] / "build" / "release" / "carom"]
    installed = shutil.which("carom")
    if installed is not None:
        candidates.append(Path(installed))
    return next((path for path in candidates if path.is_file() and not _is_script(path)), None)


def main() -> None:
    command = find_command()
    if command is None:
        sys.exit("carom: the command carom is not found; install it (Debian: carom), or run `make build` in the checkout")
    os.execv(command, ["carom", *sys.argv[1:]])


if __name__ == "__main__":
    main()

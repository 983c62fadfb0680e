"""The folder of the libraries and the command that a wheel contains; packaging/wheel/bundle.py fills it."""
# Without imports from the package: __main__.py runs this file alone.
from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "lib"


def prepare() -> None:
    """Names the fonts to the bundled cairo where the system has no list of them; otherwise each drawing prints a warning.

    To be called before libcarom is loaded or the command is started.
    """
    fonts = FOLDER / "fonts.conf"
    if fonts.exists() and not Path("/etc/fonts/fonts.conf").exists():
        os.environ.setdefault("FONTCONFIG_FILE", str(fonts))

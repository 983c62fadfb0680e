#!/usr/bin/python3
"""The pictures of docs/view.md: the live page, as headless Chromium shows it, for a scene of each engine.

    tools/view_figures.py [--carom build/release/carom]

Needs what tools/setup.sh all installs."""
import argparse
import os
import shutil
import subprocess
import sys

from PIL import Image

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "view"))
import viewer  # noqa: E402
from viewer import Server  # noqa: E402

FIGURES = (("hard-sphere-fluid", 6, "light", "view-spheres"), ("ballistic-aggregation", 80, "dark", "view-clusters"),
           ("draped-cloth", 0.72, "light", "view-cloth"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--carom", default=os.path.join(ROOT, "build", "release", "carom"))
    viewer.CAROM = parser.parse_args().carom
    playwright = os.path.join(ROOT, "build", "web", "node_modules", "playwright-core")
    for scene, time, scheme, name in FIGURES:
        path = os.path.join(ROOT, "docs", "figures", f"{name}.png")
        with Server(os.path.join(ROOT, "examples", f"{scene}.yaml")) as server:
            command = ["node", os.path.join(ROOT, "tools", "view_page.mjs"), playwright, shutil.which("chromium")]
            subprocess.run([*command, server.url, "picture", str(time), scheme, path], check=True)
        Image.open(path).convert("RGB").resize((960, 600), Image.LANCZOS).save(path, optimize=True)
        print(path, os.path.getsize(path))


if __name__ == "__main__":
    main()

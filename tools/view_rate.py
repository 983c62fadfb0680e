#!/usr/bin/env python3
"""Pictures per second of the live page, in headless Chromium with software rendering.

    tools/view_rate.py [--spheres N] [--seconds S] [--carom build/release/carom]

Needs what tools/setup.sh all installs."""
import argparse
import os
import shutil
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "view"))
import viewer  # noqa: E402
from viewer import Server  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spheres", type=int, default=5324)  # 4 x 11 x 11 x 11
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--carom", default=os.path.join(ROOT, "build", "release", "carom"))
    options = parser.parse_args()
    viewer.CAROM = options.carom
    playwright = os.path.join(ROOT, "build", "web", "node_modules", "playwright-core")
    scene = os.path.join(ROOT, "examples", "hard-sphere-fluid.yaml")
    sets = ["--set", f"particles.0.count={options.spheres}", "--set", "run.until.time=20", "--set", "observe=[]"]
    with Server(scene, *sets) as server:
        command = ["node", os.path.join(ROOT, "tools", "view_page.mjs"), playwright, shutil.which("chromium")]
        subprocess.run([*command, server.url, "rate", str(options.seconds)], check=True)


if __name__ == "__main__":
    main()

"""A sweep in four parts, as a job array runs it, against the same sweep in one piece."""
from __future__ import annotations

import csv
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent


def in_parts(carom: str, folder: pathlib.Path) -> list[dict[str, str]]:
    """The job script with each number of the array, one after the other; the part that ends last writes the tables."""
    path = str(pathlib.Path(carom).parent) + os.pathsep + os.environ["PATH"]
    for part in range(1, 5):
        subprocess.run([FOLDER / "cluster-job.sh", FOLDER / "cluster-job.yaml", folder], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "SLURM_ARRAY_TASK_ID": str(part), "PATH": path})
    return list(csv.DictReader((folder / "runs.csv").open()))


def whole(carom: str, folder: pathlib.Path) -> list[dict[str, str]]:
    """The sweep by one command."""
    subprocess.run([carom, "sweep", FOLDER / "cluster-job.yaml", "-o", folder, "--jobs", "2"], check=True,
                   stdout=subprocess.DEVNULL)
    return list(csv.DictReader((folder / "runs.csv").open()))


if __name__ == "__main__":
    command = sys.argv[1] if len(sys.argv) > 1 else "carom"
    parts, piece = in_parts(command, pathlib.Path("cluster-job")), whole(command, pathlib.Path("one-piece"))
    print("%d runs, tables equal: %s" % (len(parts), parts == piece))

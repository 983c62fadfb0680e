#!/usr/bin/env python3
"""Repeats the numbers of docs/validation.md.

    tools/validate.py [ROW...] [--quick] [--build FOLDER] [--keep | --again | --table] [--list]

Without rows, all of them, and the tables are written to docs/validation.md, below the mark there; with rows, those
alone, and their lines there are renewed. A run that was done before with the same sources is taken from build/validate: an
interrupted validation continues. The exit status is 1 when a claim fails."""
import argparse
import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from validate import cost, cylinders, drape, ellipsoids, fluids, friction, granular, haff, impacts, knots, rolling, shells, single, vessels  # noqa: E402
from validate.harness import Lab, NotRun, Row, compiler, machine  # noqa: E402

GROUPS = (("Equation of state and conservation", fluids.ROWS), ("Granular gases", {**haff.ROWS, **granular.ROWS}),
          ("Planes and gravity", single.ROWS), ("Boundaries from CAD", vessels.ROWS), ("Cylinders", cylinders.ROWS),
          ("Ellipsoids", ellipsoids.ROWS), ("Static friction", friction.ROWS), ("Rolling", rolling.ROWS), ("Impacts of elastic spheres", impacts.ROWS), ("Shells that bend far", {**shells.ROWS, **drape.ROWS}), ("Knots", knots.ROWS),
          ("Cost", cost.ROWS))


def options():
    parser = argparse.ArgumentParser(description="Repeats the numbers of docs/validation.md.")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="names of rows (default: all, and the table is written)")
    parser.add_argument("--quick", action="store_true", help="short runs: do the claims still about hold? Writes no table")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"), help="folder of the build")
    parser.add_argument("--keep", action="store_true", help="take runs from the cache even where the sources have changed")
    parser.add_argument("--again", action="store_true", help="run everything anew")
    parser.add_argument("--table", action="store_true",
                        help="run nothing: write the tables from the cache, as with --keep; rows never run are named")
    parser.add_argument("--list", action="store_true", help="names of the rows, and end")
    return parser.parse_args()


def rows_of(lab, name, make):
    """The rows under one name. What cannot be measured is a row that fails, not the end of everything."""
    lab.used = []
    try:
        rows = make(lab, name)
    except NotRun:
        return []
    except (RuntimeError, KeyError, OSError) as error:
        rows = [Row(name, "(not measured)", "", "", str(error).splitlines()[0], False, "")]
    for row in rows:
        row.commit = ", ".join(sorted({run["commit"] for run in lab.used}))
        row.date = max([run["date"] for run in lab.used], default="")
    return rows


def cell(text):
    return text.replace("|", "\\|")


HEAD = ["| claim | source | expected | ours | holds | run | redo with | commit |", "|---|---|---|---|---|---|---|---|"]


def line_of(row):
    cells = [row.claim, row.source, row.expected, row.ours, "yes" if row.holds else "**no**", row.length,
             command(row.name), row.commit]
    return "| " + " | ".join(cell(c) for c in cells) + " |"


def command(name):
    return "`tools/validate.py %s`" % name


def report(row):
    print("%s %s\n      expected %s\n      ours     %s\n" % ("  ok  " if row.holds else "**NO**", row.claim, row.expected, row.ours),
          flush=True)


PAGE = os.path.join(ROOT, "docs", "validation.md")
MARK = "<!-- Below this line: written by tools/validate.py. -->\n"


def write(text):
    with open(PAGE) as file:
        head = file.read().split(MARK)[0]
    with open(PAGE, "w") as file:
        file.write(head + MARK + "\n" + text)


def renew(title, rows):
    """Puts rows of one name in the place of their lines, or below the last line of their group's table."""
    with open(PAGE) as file:
        head, mark, text = file.read().partition(MARK)
    lines = text.splitlines()
    old = [k for k, line in enumerate(lines) if " | %s | " % command(rows[0].name) in line]
    if not old:
        first = lines.index("## " + title)
        end = next((k for k in range(first + 1, len(lines)) if lines[k].startswith("## ")), len(lines))
        last = max(k for k in range(first, end) if lines[k].startswith("|"))
        old = [last + 1, last]
    lines[old[0]:old[-1] + 1] = [line_of(row) for row in rows]
    with open(PAGE, "w") as file:
        file.write(head + mark + "\n".join(lines) + "\n")


def main():
    given = options()
    every = {name: make for _, group in GROUPS for name, make in group.items()}
    if given.list:
        print("\n".join(every))
        return 0
    unknown = [name for name in given.rows if name not in every]
    if unknown:
        print("no such row: %s (see --list)" % ", ".join(unknown), file=sys.stderr)
        return 64
    lab = Lab(given.build, given.quick, given.keep or given.table, given.again, given.table,
              lambda line: print(line, flush=True))
    parts, failed, missing = [], 0, []
    for title, group in GROUPS:
        rows = []
        for name, make in group.items():
            if given.rows and name not in given.rows:
                continue
            print(name, flush=True)
            done = rows_of(lab, name, make)
            for row in done:
                report(row)
            rows += done
            if not done:
                missing.append(name)
            elif given.rows and not given.quick:
                renew(title, done)
        if rows:
            parts.append("\n".join(["## %s\n" % title] + HEAD + [line_of(row) for row in rows]) + "\n")
            failed += sum(not row.holds for row in rows)
    if missing:
        parts.append("Not run yet: %s.\n" % ", ".join(missing))
    if not given.rows and not given.quick:
        write("\n".join(["%s, commit %s; %s; %s.\n" % (time.strftime("%Y-%m-%d"), lab.commit, machine(),
                                                     compiler(lab.build))] + parts))
    print("%d claims fail" % failed if failed else "all claims hold")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())

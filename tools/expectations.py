#!/usr/bin/env python3
"""Copies the expected numbers of the examples into the table of docs/validation.md.

    tools/expectations.py [--write]

A row there names an example (`run`) and its expectations: the NAMEs of its lines `# expect NAME = VALUE +- BOUND: EXPRESSION`. Its
cells `expected` and `within` are VALUE and BOUND. Without --write the rows that differ are printed, and the status is 1."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.bounds import expectations  # noqa: E402

PAGE = ROOT / "docs" / "validation.md"
HEAD = "| claim | source | expectation | expected | within | run |"
CLAIM, SOURCE, NAME, VALUE, BOUND, RUN = range(6)


def filled(cells):
    """A row with the numbers of its example."""
    scenes = [ROOT / path for path in re.findall(r"`carom run (examples/[\w-]+\.yaml)`", cells[RUN])]
    if not scenes:
        raise ValueError("'%s' runs no example" % cells[CLAIM])
    found = {one[0]: one for scene in scenes for one in expectations(scene.read_text())}
    names = cells[NAME].split("; ")
    if not set(names) <= set(found):
        raise ValueError("'%s': %s is not expected" % (cells[CLAIM], ", ".join(sorted(set(names) - set(found)))))
    value, bound = ("; ".join(found[name][k] for name in names) for k in (1, 2))
    return [cells[CLAIM], cells[SOURCE], cells[NAME], value, "exact" if set(bound.split("; ")) == {"0"} else bound, cells[RUN]]


def main(arguments):
    lines = PAGE.read_text().split("\n")
    first = lines.index(HEAD) + 2
    last = lines.index("", first)
    differ = 0
    for k in range(first, last):
        line = "| " + " | ".join(filled([cell.strip() for cell in lines[k].strip("|").split(" | ")])) + " |"
        if line != lines[k]:
            print("%s:%d:\n  %s\n  %s" % (PAGE.relative_to(ROOT), k + 1, lines[k], line))
            lines[k], differ = line, differ + 1
    print("%d rows, %d differ" % (last - first, differ))
    if "--write" in arguments:
        PAGE.write_text("\n".join(lines))
        return 0
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

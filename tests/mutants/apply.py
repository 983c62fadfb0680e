"""Copies src/ with all mutations of mutants.txt in it, each behind its switch: apply.py FOLDER. Files that are the same
are left alone, so that only what changed is compiled again."""
import os
import sys

sys.dont_write_bytecode = True
import table


def write(path, data):
    if os.path.exists(path):
        with open(path, "rb") as old:
            if old.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as new:
        new.write(data)


def main(folder):
    source, kept, files = os.path.join(table.SOURCE, "src"), set(), table.by_file(table.read())
    for base, _, names in os.walk(source):
        for name in names:
            path = os.path.relpath(os.path.join(base, name), source)
            with open(os.path.join(base, name), "rb") as f:
                data = f.read()
            if path in files:
                data = table.mutate(data.decode(), files.pop(path)).encode()
            write(os.path.join(folder, path), data)
            kept.add(path)
    for base, _, names in os.walk(folder):
        for name in names:
            if os.path.relpath(os.path.join(base, name), folder) not in kept:
                os.remove(os.path.join(base, name))
    if files:
        sys.exit("mutants of files that are not there: %s" % ", ".join(sorted(files)))


if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
main(sys.argv[1])

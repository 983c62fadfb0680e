"""Detects empty cells and broken commands, files and links in docs/papers.md. `carom` may read only files that exist
or that earlier commands of the page write."""
import fnmatch
import os
import re
import subprocess
import sys

ROOT, BUILD = os.environ["CAROM_SOURCE"], os.environ["CAROM_BUILD"]
CELL, NAMED = re.compile(r"(?<!\\)\|"), re.compile(r"[\w./*-]+\.(?:c|h|py|yaml|obj)\b")
SHORT = {"T ": "ctest --test-dir build/release -V -R ", "E ": "python3 -m experiments "}


def rows(text):
    """(line number, cells) of each row of a table, except rules."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("|") and not set(line) <= set("|- "):
            yield number, [cell.strip().replace("\\|", "|") for cell in CELL.split(line)[1:-1]]


def sources():
    """All files of the project, from its root."""
    found = []
    for folder, below, files in os.walk(ROOT):
        below[:] = [name for name in below if name not in ("build", "node_modules") and not name.startswith(".")]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in files]
    return found


def names(*command):
    said = subprocess.run([sys.executable, *command, "--list"], cwd=ROOT, capture_output=True, text=True)
    return set(said.stdout.split())


def tests(pattern):
    """Number of tests of the build with names that match."""
    said = subprocess.run(["ctest", "--test-dir", BUILD, "-N", "-R", pattern], capture_output=True, text=True)
    return int(re.search(r"Total Tests: (\d+)", said.stdout).group(1))


def words(command):
    """The words of a command; a quoted pattern is one word."""
    return [a or b for a, b in re.findall(r"'([^']*)'|(\S+)", command)]


def missing(command, known):
    """The names in a command that do not exist."""
    for short, long in SHORT.items():
        if command.startswith(short):
            command = long + command[len(short):]
    w = words(command)
    if w[0] == "python3" and w[1].endswith(".py"):
        return [] if os.path.exists(os.path.join(ROOT, w[1])) else [w[1]]
    if w[:3] == ["python3", "-m", "experiments"]:
        return [n for n in w[3:] if n[0].isalpha() and not any(e == n or e.startswith(n) for e in known["experiments"])]
    if w[0] == "tools/validate.py":
        return [n for n in w[1:] if n[0].isalpha() and n not in known["rows"]]
    if w[0] == "ctest":
        return [] if tests(w[w.index("-R") + 1]) > 0 else [w[w.index("-R") + 1]]
    if w[0].startswith("build/release/"):
        return [] if os.access(os.path.join(BUILD, w[0][len("build/release/"):]), os.X_OK) else [w[0]]
    return []


def files_of(commands):
    """The files that the commands of a cell create, in order, and errors for files that neither exist nor were
    created before."""
    made, wrong = set(), []
    for command in commands:
        w = words(command)
        if w[0] != "carom":
            continue
        of = next((name for name in w[2:] if name.endswith((".yaml", ".h5"))), None)
        if w[1] == "init":
            made.add(w[w.index("-o") + 1] if "-o" in w else "")
        elif w[1] in ("run", "check", "verify", "plot", "render", "shape", "info"):
            if of not in made and not (of and of.endswith(".yaml") and os.path.exists(os.path.join(ROOT, of))):
                wrong.append("'%s' names no file that is there or made before" % command)
            elif w[1] == "run":
                made.add(w[w.index("-o") + 1] if "-o" in w else os.path.basename(of)[:-len("yaml")] + "h5")
    return made, wrong


def main():
    if os.environ.get("CAROM_SANITIZE", "0") != "0":
        return 77  # not all programs are built there
    with open(os.path.join(ROOT, "docs/papers.md")) as file:
        text = file.read()
    files, wrong, seen = sources(), [], 0
    known = {"experiments": names("-m", "experiments"), "rows": names("tools/validate.py")}
    for number, cells in rows(text):
        seen += 1
        if len(cells) != 6 or "" in cells:
            wrong.append((number, "%d cells, %d empty" % (len(cells), cells.count(""))))
            continue
        commands = re.findall(r"`([^`]*)`", cells[2])
        made, amiss = files_of(commands)
        wrong += [(number, what) for what in amiss]
        for command in commands:
            wrong += [(number, "'%s' of '%s' is unknown" % (name, command)) for name in missing(command, known)]
        for name in NAMED.findall(" ".join(re.findall(r"`([^`]*)`", " ".join(cells[1:3])))):
            if name not in made and not any(fnmatch.fnmatch("/" + path, "*/" + name) for path in files):
                wrong.append((number, "no file '%s'" % name))
        for link in re.findall(r"\]\((?!http|#)([^)#]+)", " ".join(cells)):
            if not os.path.exists(os.path.join(ROOT, "docs", link)):
                wrong.append((number, "no file '%s'" % link))
    for number, what in wrong:
        print("docs/papers.md:%d: %s" % (number, what))
    print("%d rows, %d faults" % (seen, len(wrong)))
    return 1 if wrong or seen < 100 else 0


sys.exit(main())

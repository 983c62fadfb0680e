"""Detects files and folders named in docs/architecture.md that do not exist, and one that is put in."""
import fnmatch
import os
import re
import sys

SOURCE = os.environ.get("CAROM_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(SOURCE, "docs", "architecture.md")
CODE, LINK = re.compile(r"`([^`\s]+)`"), re.compile(r"\]\(([^)#]+)")
ENDINGS = (".c", ".h", ".py", ".sh", ".md", ".txt", ".cmake", ".json", ".svg", ".html", ".js")
TOP = ("src", "cli", "web", "tests", "tools", "bench", "experiments", "validate", "docs", "cmake", "include", "examples")
# Sections whose tables name files of one folder.
FOLDERS = {"The hard engine": "src/hard", "The aggregation engine": "src/aggregation",
           "The variational engine": "src/variational"}
MADE = ("version.c",)  # by the build


def tree():
    """All files and folders of the sources, folders with a slash at the end."""
    found = []
    for folder, below, files in os.walk(SOURCE):
        below[:] = [name for name in below
                    if not name.startswith(".") and name not in ("node_modules", "__pycache__")
                    and not (folder == SOURCE and name == "build")]
        at = os.path.relpath(folder, SOURCE)
        at = "" if at == "." else at + "/"
        found += [at + name for name in files] + [at + name + "/" for name in below]
    return found


def is_path(name):
    name = name.rstrip("/")
    if "NAME" in name or "<" in name or name in MADE:
        return False
    return name.endswith(ENDINGS) or name.split("/")[0] in TOP and (name in TOP or "/" in name)


def missing(text, paths):
    """(line number, name) of what does not exist."""
    bad, folder = [], ""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("## "):
            folder = FOLDERS.get(line[3:], "")
        cell = folder and line.startswith("| `")  # its first column: below the folder, the rest of a cell in one place
        first = line.split("|")[1] if cell else ""
        beside = None
        for name in CODE.findall(first):
            if not is_path(name) and not name.endswith("/"):
                continue
            below = [p for p in paths if p.startswith(folder + "/") and fnmatch.fnmatch("/" + p, "*/" + name)]
            if beside is not None and "/" not in name.rstrip("/"):
                below = [p for p in below if os.path.dirname(p.rstrip("/")) in beside]
            if not below:
                bad.append((number, name))
            elif beside is None or "/" in name.rstrip("/"):
                beside = {os.path.dirname(p.rstrip("/")) for p in below}
        for name in CODE.findall(line[len(first):] if cell else line):
            if is_path(name) and not any(fnmatch.fnmatch("/" + p.rstrip("/"), "*/" + name.rstrip("/")) for p in paths):
                bad.append((number, name))
        for name in LINK.findall(line):
            if not name.startswith("http") and not os.path.exists(os.path.join(SOURCE, "docs", name)):
                bad.append((number, name))
    return bad


with open(PAGE, encoding="utf-8") as file:
    page = file.read()
everything = tree()
lost = missing(page, everything)
names = [name for name in CODE.findall(page) if is_path(name)]
for number, name in lost:
    print("docs/architecture.md:%d: no such file or folder: %s" % (number, name))
print("%d names of files and folders, %d that do not exist" % (len(names), len(lost)))

SAMPLE = "## The hard engine\n| `kernel/gas.h`, `run.c` | the event loop |\n\nRead `src/hard/gone.c` and [x](gone.md).\n"
assert [name for _, name in missing(SAMPLE, everything)] == ["run.c", "src/hard/gone.c", "gone.md"]
sys.exit(1 if lost or len(names) < 150 else 0)

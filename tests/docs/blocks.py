"""Runs the code blocks of a page in a folder of its own, in their order:

    sh       by bash, with `carom` and this interpreter in the path; examples/, docs/ and the other folders of the checkout are there as links
    python   in one interpreter for the page. A comment behind a print gives the expected output: print(x)  # -> 1.5
    yaml     a scene is checked by `carom check`, a sweep by `carom sweep --dry-run`
    c        compiled with the library, and run; without main, as the statements of main
    text     each line has to be in the output of the block before it, in this order; ... stands for any text

Comments in front of a block change this; repository views and the site do not show them:

    <!-- file: NAME -->          the block is written to this file first
    <!-- part of: NAME -->       yaml: the keys replace those of the scene NAME, which is checked
    <!-- lines part of: NAME --> yaml: each line alone is such a part
    <!-- key of: NAME PATH -->   yaml: one key of the list item or map PATH (drives.0) of the scene NAME, which is checked
    <!-- form -->                the forms of commands: they have these options
    <!-- exit: N -->             expected exit status of the block
    <!-- before: COMMANDS -->    commands that prepare the files of the block, quietly
    <!-- setup: STATEMENTS -->   python: statements that prepare the names of the block
    <!-- needs: MODULE ... -->   modules of Python without which the block is left out
    <!-- not run: REASON -->     the block is not run; the test counts these
    <!-- same: NAME -->          text: the content of this file, in place of an output"""
from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Set

SOURCE = Path(os.environ.get("CAROM_SOURCE") or Path(__file__).resolve().parents[2])
sys.path.insert(0, str(SOURCE / "tools" / "site"))
import markdown  # noqa: E402

BUILD = Path(os.environ.get("CAROM_BUILD") or SOURCE / "build/release").resolve()
FOLDERS = ("examples", "docs", "experiments", "validate", "tools", "include", "python", "bench", "CITATION.cff")
SHELL = ("sh", "bash", "shell", "console")
NOTES = ("file", "part of", "lines part of", "key of", "form", "exit", "not run", "same", "before", "setup", "needs")
LIMIT_S = 900  # of one block
DRIVER = r"""
import contextlib, io, json, sys, traceback
names = {"__name__": "__main__"}
for line in sys.stdin:
    out, failed = io.StringIO(), False
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            exec(compile(json.loads(line), "<block>", "exec"), names)
        except BaseException:
            failed = True
            traceback.print_exc(file=out)
    sys.__stdout__.write(json.dumps([failed, out.getvalue()]) + "\n")
    sys.__stdout__.flush()
"""


class Fault(NamedTuple):
    page: str
    line: int
    text: str

    def __str__(self) -> str:
        return "%s:%d: %s" % (self.page, self.line, self.text)


class Notes:
    """Comments in front of a block."""

    def __init__(self, notes: "tuple[str, ...]") -> None:
        found = dict(re.match(r"([a-z ]+?)(?::\s*([\s\S]*))?$", note).groups("") for note in notes  # type: ignore[union-attr]
                     if re.match(r"(%s)(:|$)" % "|".join(NOTES), note))
        self.file: Optional[str] = found.get("file")
        self.part_of: Optional[str] = found.get("part of")
        self.lines_of: Optional[str] = found.get("lines part of")
        self.key_of: Optional[str] = found.get("key of")
        self.form = "form" in found
        self.exit = int(found.get("exit") or 0)
        self.skipped: Optional[str] = found.get("not run")
        self.same: Optional[str] = found.get("same")
        self.needs = (found.get("needs") or "").split()
        self.setup: Optional[str] = found.get("setup")
        self.before: Optional[str] = found.get("before")


class Page:
    """The state of one page: its folder, last outputs, counts."""

    def __init__(self, name: str, folder: Path, languages: Optional[Set[str]] = None) -> None:
        self.name = name
        self.languages = languages  # of the blocks that are run; None: all
        self.folder = folder
        self.counts: Dict[str, int] = {}
        self.faults: List[Fault] = []
        self.outputs: List[str] = []
        self.interpreter: Any = None
        for item in FOLDERS:
            if (SOURCE / item).exists():
                (folder / item).symlink_to(SOURCE / item)
        programs = folder / "programs"
        programs.mkdir()
        (programs / "python3").write_text('#!/bin/sh\nexec "%s" "$@"\n' % sys.executable)
        (programs / "python3").chmod(0o755)
        path = os.pathsep.join([str(programs), str(Path(os.environ.get("CAROM", str(BUILD / "carom"))).resolve().parent), os.environ["PATH"]])
        library = {} if "CAROM_LIBRARY" in os.environ else {"CAROM_LIBRARY": str(BUILD / "libcarom.so")}
        self.environment = dict(os.environ, PATH=path, PYTHONPATH=str(SOURCE / "python"), MPLBACKEND="agg", NO_COLOR="1", **library)

    def run(self, text: str) -> None:
        for block in markdown.blocks(text):
            self.block(block)
        if self.interpreter is not None and self.interpreter.poll() is None:
            self.interpreter.stdin.close()
            self.interpreter.wait(timeout=LIMIT_S)

    def block(self, block: markdown.Block) -> None:
        notes = Notes(block.notes)
        kind = self.kind_of(block)
        if notes.part_of or notes.lines_of or notes.key_of or notes.file is not None and notes.file.endswith(".yaml"):
            kind = "yaml"
        if notes.skipped is not None:
            if not notes.skipped.strip():
                self.fail(block, "a block that is not run needs a reason: <!-- not run: REASON -->")
            return self.count("not run")
        if any(importlib.util.find_spec(name) is None for name in notes.needs):
            return self.count("left out")
        if kind.startswith("{") or self.languages is not None and block.language not in self.languages:
            return None  # a directive of the site, or another test's
        if notes.before is not None:
            done = self.command(["bash", "-e", "-c", notes.before])
            if done.returncode:
                self.fail(block, "the commands before it: exit status %d\n%s" % (done.returncode, done.stdout))
        if notes.form:
            self.count("form")
            return self.forms(block)
        if notes.same is not None:
            kind = "text"
        if kind == "text" and notes.file is None:
            return self.compare(block, notes)
        if notes.file is not None:
            (self.folder / notes.file).write_text(block.text, encoding="utf-8")
        actions = {"sh": self.shell, "python": self.python, "yaml": self.scene, "c": self.program}
        if kind in actions:
            self.count(kind)
            return actions[kind](block, notes)
        if notes.file is None:
            self.fail(block, "no test runs blocks of the language '%s'; mark it with <!-- not run: REASON -->" % block.language)
        return None

    @staticmethod
    def kind_of(block: markdown.Block) -> str:
        if block.language in SHELL:
            return "sh"
        if block.language == "":
            return indented_kind(block.text)
        return block.language

    def count(self, kind: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def fail(self, block: markdown.Block, text: str) -> None:
        self.faults.append(Fault(self.name, block.line, text))

    def command(self, words: List[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(words, cwd=str(self.folder), env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, timeout=LIMIT_S, check=False, stdin=subprocess.DEVNULL)

    def shell(self, block: markdown.Block, notes: Notes) -> None:
        done = self.command(["bash", "-e", "-o", "pipefail", "-c", block.text])
        self.outputs = [done.stdout]
        if done.returncode != notes.exit:
            self.fail(block, "exit status %d in place of %d:\n%s" % (done.returncode, notes.exit, done.stdout))

    def python(self, block: markdown.Block, notes: Notes) -> None:
        if self.interpreter is None:
            self.interpreter = subprocess.Popen([sys.executable, "-c", DRIVER], cwd=str(self.folder), env=self.environment,
                                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True)
        if notes.setup is not None:
            failed, output = self.executed(notes.setup)
            if failed:
                return self.fail(block, "the setup: " + output)
        failed, output = self.executed(block.text)
        self.outputs = self.outputs[:1] + [output]
        if failed:
            return self.fail(block, output)
        missing = unmatched(re.findall(r"^\s*print\(.*\)\s+# -> (.*)$", block.text, re.M), output)
        if missing is not None:
            self.fail(block, "the output has no line '%s' here:\n%s" % (missing, output))
        return None

    def executed(self, code: str) -> "tuple[bool, str]":
        """Whether the code failed in the interpreter of the page, and its output."""
        self.interpreter.stdin.write(json.dumps(code) + "\n")
        self.interpreter.stdin.flush()
        guard = threading.Timer(LIMIT_S, self.interpreter.kill)
        guard.start()
        line = self.interpreter.stdout.readline()
        guard.cancel()
        return tuple(json.loads(line)) if line else (True, "the interpreter has ended, or was stopped after %d s" % LIMIT_S)

    def scene(self, block: markdown.Block, notes: Notes) -> None:
        name = notes.file or "block-%d.yaml" % block.line
        if notes.key_of is not None:
            base, path = notes.key_of.split()
            key, value = block.text.split(":", 1)
            return self.checked(block, notes, ["carom", "check", base, "--set", "%s.%s=%s" % (path, key, value.strip())])
        parts = block.text.splitlines() if notes.lines_of is not None else [block.text]
        base = notes.lines_of or notes.part_of
        for part in parts:
            text = part if base is None else merged((self.folder / base).read_text(encoding="utf-8"), part)
            (self.folder / name).write_text(text, encoding="utf-8")
            if re.search(r"^scene:", text, re.M):
                self.checked(block, notes, ["carom", "sweep", name, "--dry-run"])
            elif re.search(r"^carom:", text, re.M):
                self.checked(block, notes, ["carom", "check", name])
            else:
                self.fail(block, "neither a scene nor a sweep; mark it with <!-- part of: NAME --> or <!-- not run: REASON -->")
        return None

    def checked(self, block: markdown.Block, notes: Notes, words: List[str]) -> None:
        done = self.command(words)
        if done.returncode != notes.exit:
            self.fail(block, "exit status %d in place of %d:\n%s" % (done.returncode, notes.exit, done.stdout))

    def forms(self, block: markdown.Block) -> None:
        """Each line names a subcommand, and options of its help."""
        for line in block.text.splitlines():
            found = re.match(r"carom (\w+)\b", line)
            if not found:
                self.fail(block, "'%s' is no form of a command" % line)
                continue
            done = self.command(["carom", "help", found[1]])
            known = re.findall(r"(?<![\w-])--?[a-z][\w-]*", done.stdout)
            wrong = [word for word in re.findall(r"(?<![\w-])--?[a-z][\w-]*", line.split(" #")[0]) if word not in known]
            if done.returncode or wrong:
                self.fail(block, "`carom help %s` does not have %s" % (found[1], ", ".join(wrong) or "this subcommand"))

    def program(self, block: markdown.Block, notes: Notes) -> None:
        name = notes.file or "block-%d.c" % block.line
        whole = "int main(" in block.text
        text = block.text if whole else "#include <carom/carom.h>\nint main(void) {\n%sreturn 0;\n}\n" % block.text
        (self.folder / name).write_text(text, encoding="utf-8")
        binary = str(self.folder / name[:-len(".c")])
        words = ["-std=c17", "-Wall", "-Wextra", "-Werror", "-I", str(SOURCE / "include"), name, "-o", binary, "-L", str(BUILD), "-lcarom",
                 "-Wl,-rpath," + str(BUILD), "-lm"]
        done = self.command([os.environ.get("CC", "cc")] + words)
        if done.returncode == 0:
            done = self.command([binary])
        self.outputs = [done.stdout]
        if done.returncode != notes.exit:
            self.fail(block, "exit status %d in place of %d:\n%s" % (done.returncode, notes.exit, done.stdout))

    def compare(self, block: markdown.Block, notes: Notes) -> None:
        outputs = self.outputs
        if notes.same is not None:
            outputs = [(self.folder / notes.same).read_text(encoding="utf-8")]
        if not outputs:
            return self.fail(block, "no block before this text has an output; mark it with <!-- not run: REASON -->")
        self.count("text")
        missing = [unmatched(block.text.split("\n"), output) for output in outputs]
        if all(line is not None for line in missing):
            self.fail(block, "the output has no line '%s' here:\n%s" % (missing[0], outputs[0]))
        return None


def unmatched(lines: List[str], output: str) -> Optional[str]:
    """The first line that the output lacks, after those before it."""
    have = [line.strip() for line in output.replace("\r", "\n").split("\n")]
    at = 0
    for line in lines:
        if not line.strip() or line.strip() == "...":
            continue
        pattern = re.compile(r"\s+".join(".*".join(re.escape(part) for part in word.split("...")) for word in line.split()))
        while at < len(have) and not pattern.fullmatch(have[at]):
            at += 1
        if at == len(have):
            return line
        at += 1
    return None


def merged(scene: str, part: str) -> str:
    """The scene with the top-level keys of another text in place of its own."""
    keys = re.findall(r"^([a-z]\w*):", part, re.M)
    kept: List[str] = []
    drop = False
    for line in scene.split("\n"):
        key = re.match(r"([a-z]\w*):", line)
        if key:
            drop = key[1] in keys
        if not drop:
            kept.append(line)
    return "\n".join(kept).rstrip("\n") + "\n" + part


def indented_kind(text: str) -> str:
    """The language of a block without one: a command line of carom, or text."""
    if re.match(r"cat > \S+ << END$", text.split("\n")[0]):
        return "sh"
    first = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    return "sh" if first and all(re.match(r"(carom|python3|cmake|mkdir|cd|cp|echo) |\s", line) for line in first) else "indented"

"""Common parts of the rows of the validation: a cache of runs of the command, and the table."""
import hashlib
import json
import os
import platform
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


class Row:
    """One claim: the two numbers, and whether they agree."""

    def __init__(self, name, claim, source, expected, ours, holds, length):
        self.name, self.claim, self.source = name, claim, source
        self.expected, self.ours, self.holds, self.length = expected, ours, holds, length
        self.commit = self.date = ""


def git(*arguments):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def source_tree():
    """Hash of the sources of the program: changes of documents or scripts have no effect on it."""
    text = "".join(git("rev-parse", "HEAD:" + part) for part in ("src", "include", "cli", "CMakeLists.txt"))
    text += git("diff", "HEAD", "--", "src", "include", "cli", "CMakeLists.txt")
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def machine():
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            model = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return "%s, %d cores, %s" % (model, os.cpu_count() or 1, platform.system())


def compiler(build):
    try:
        with open(os.path.join(build, "CMakeCache.txt")) as file:
            path = next(line.split("=")[1].strip() for line in file if line.startswith("CMAKE_C_COMPILER:"))
        return subprocess.run([path, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    except (OSError, StopIteration, IndexError):
        return "unknown compiler"


class NotRun(Exception):
    """A run is not in the cache, and new runs are not permitted."""


class Lab:
    """Runs scenes; results of earlier runs with the same sources are read from the cache."""

    def __init__(self, build, quick=False, keep=False, again=False, idle=False, log=print, cache="validate"):
        self.build, self.quick, self.keep, self.again, self.log = os.path.abspath(build), quick, keep, again, log
        self.idle = idle  # run nothing
        self.cache = os.path.join(ROOT, "build", cache)
        self.carom = os.path.join(self.build, "carom")
        self.tree, self.commit = source_tree(), git("rev-parse", "--short", "HEAD") or "unknown"
        self.used = []  # the runs that the row at hand looked at
        os.makedirs(self.cache, exist_ok=True)

    def length(self, long, quick):
        """The number for a long run, or that for a quick one."""
        return quick if self.quick else long

    def remember(self, name, key, work):
        """The result of work() (a JSON object), from the cache if it exists there."""
        digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:12]
        path = os.path.join(self.cache, "%s-%s.json" % (name, digest))
        if not self.again and os.path.exists(path):
            with open(path) as file:
                kept = json.load(file)
            if self.keep or kept["tree"] == self.tree:
                self.used.append(kept)
                return kept["result"]
        if self.idle:
            raise NotRun(name)
        started = time.time()
        kept = {"name": name, "key": key, "tree": self.tree, "commit": self.commit,
                "date": time.strftime("%Y-%m-%d"), "result": work()}
        self.log("    %s: %.1f s" % (" ".join([name] + key.get("sets", [])), time.time() - started))
        with open(path + ".part", "w") as file:
            json.dump(kept, file, indent=1)
        os.replace(path + ".part", path)
        self.used.append(kept)
        return kept["result"]

    def scene(self, name):
        return os.path.join(HERE, "scenes", name + ".yaml")

    def run(self, name, *sets, allow=(0,), limit=None, threads=1):
        """The JSON summary of `carom run` on a scene, with `status` (the exit code), `message`, `command` added."""
        options = ["--threads", str(threads)]

        def work():
            result = os.path.join(self.cache, "%s.%d.h5" % (name, os.getpid()))
            summary = result + ".json"
            command = ["nice", self.carom, "run", self.scene(name), "-o", result, "--json", summary, "--force", "--quiet",
                       *options]
            for one in sets:
                command += ["--set", one]
            if os.path.exists(summary):
                os.remove(summary)
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
            except subprocess.TimeoutExpired:
                return {"status": 124, "message": "no end within %g s" % limit, "stop": "timeout"}
            found = {}
            if os.path.exists(summary):
                with open(summary) as file:
                    found = json.load(file)
            for left in (result, result + ".checkpoint", result + ".lock", summary):
                if os.path.exists(left):
                    os.remove(left)
            found.update(status=done.returncode, message=done.stderr.strip())
            return found

        with open(self.scene(name)) as file:
            text = file.read()
        key = {"scene": text, "sets": [*sets, *(options if threads > 1 else [])]}
        found = self.remember(name, key, work)
        if found["status"] not in allow:
            raise RuntimeError("%s %s: exit %d: %s" % (name, " ".join(sets), found["status"], found["message"]))
        return found

    def command(self, *command):
        done = subprocess.run([self.carom, *command], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr


def count(n):
    """1e8 for 100000000, 13,500 for 13500."""
    text = "%.0e" % n
    return text.replace("e+0", "e") if n >= 1000000 and float(text) == n else "{:,}".format(int(n))

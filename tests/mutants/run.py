"""Runs the tests against each mutant of mutants.txt: run.py [--build build/mutants] [NUMBER ...].

First all tests run once without a mutant, which tells what they cost and which mutants they reach. Then each mutant runs
the tests that reach it, from cheap to expensive, until one fails; a test that takes LIMIT times as long as it should
has failed, too. The sources must not change meanwhile. Writes results.md, unless only some mutants were asked for."""
import argparse
import concurrent.futures
import datetime
import json
import os
import platform
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import table

# A hang: so many times the test's usual time, at least so many seconds, of a processor; WAIT times that of a clock.
LIMIT, LEAST, WAIT = 5, 20, 20
SIZE = 1024  # of the file of what was reached, as in mutant.h
# Tests of the build and the tools, and of what is not deterministic when processes share a machine.
SKIPPED = {"test_install", "test_configure", "test_layers", "test_needs", "test_race", "test_mutants"}


def tests_of(build):
    text = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    tests = {}
    for test in json.loads(text.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        if test["name"] not in SKIPPED:
            tests[test["name"]] = (test["command"], properties["WORKING_DIRECTORY"], environment)
    return tests


def run(test, number, limit, reached=None):
    """How a test ended, or "hang", and how many seconds of a processor it took; each of its processes may take `limit`."""
    command, folder, environment = test
    environment = dict(os.environ, **environment, CAROM_MUTANT=str(number))
    if reached:
        environment["CAROM_REACHED"] = reached

    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=output, start_new_session=True, preexec_fn=bound)
        killer = threading.Timer(WAIT * limit, os.killpg, (process.pid, signal.SIGKILL))
        killer.start()
        _, status, used = os.wait4(process.pid, 0)
        killer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what it has left behind
        except ProcessLookupError:
            pass
    hangs = process.returncode in (-signal.SIGKILL, -signal.SIGXCPU)
    return "hang" if hangs else process.returncode, used.ru_utime + used.ru_stime


def look_at(name, test):
    """What a test costs and reaches without a mutant."""
    with tempfile.NamedTemporaryFile() as reached:
        reached.write(bytes(SIZE))
        reached.flush()
        status, seconds = run(test, 0, 1200, reached.name)
        with open(reached.name, "rb") as f:
            marks = f.read()
    return name, status, seconds, [n for n in range(SIZE) if marks[n]]


class Memory:
    """What has been found out, in a file of the build: a run of an hour goes on where it was stopped."""

    def __init__(self, path, goes_on):
        self.path, self.known = path, {"tests": {}, "mutants": {}}
        if goes_on and os.path.exists(path):
            with open(path) as f:
                self.known = json.load(f)

    def keep(self, kind, name, found):
        self.known[kind][name] = found
        with open(self.path + ".new", "w") as f:
            json.dump(self.known, f, indent=0)
        os.replace(self.path + ".new", self.path)


def survey(tests, memory, jobs, deadline):
    """The cost of each test, and which tests reach each mutant."""
    def one(name):
        return look_at(name, tests[name]) if time.monotonic() < deadline else None
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(one, name) for name in tests if name not in memory.known["tests"]]
        for done in concurrent.futures.as_completed(waiting):
            if done.result() is None:
                continue
            name, status, seconds, marks = done.result()
            if status not in (0, 77):
                sys.exit("%s fails without a mutant (%s): nothing can be measured" % (name, status))
            memory.keep("tests", name, [seconds, marks if status == 0 else []])
    if any(name not in memory.known["tests"] for name in tests):
        sys.exit("not all tests have been looked at: --go-on")
    cost, reaching = {name: memory.known["tests"][name][0] for name in tests}, {}
    for name in tests:
        for number in memory.known["tests"][name][1]:
            reaching.setdefault(number, []).append(name)
    return cost, reaching


def hunt(mutant, tests, cost, reaching, before):
    """What notices a mutant: [test or None, seconds until then, tests that did not notice]; goes on from `before`."""
    _, spent, passed = before or (None, 0, [])
    order = sorted(reaching.get(mutant.number, []), key=lambda name: (cost[name], name))
    for name in order:
        if name in passed:
            continue
        status, seconds = run(tests[name], mutant.number, max(LEAST, LIMIT * cost[name]))
        spent += seconds
        if status not in (0, 77):
            return [name + (" (hangs)" if status == "hang" else ""), spent, passed]
        passed = passed + [name]
    return [None, spent, passed]


def row(mutant, found):
    name, seconds, passed = found
    if name is None:
        name = "**survives**: " + (mutant.reason or "?")
    return "| %d | %s | %s | %s | %.0f | %d |" % (mutant.number, mutant.path, mutant.what, name, seconds, len(passed))


def write(path, mutants, results, seconds):
    def git(*words):
        return subprocess.run(["git", "-C", table.SOURCE, *words], capture_output=True, text=True).stdout.strip()
    caught = sum(results[m.number][0] is not None for m in mutants)
    lines = ["# Mutants", "",
             "Written by `make mutants`: each is a wrong change of a result (mutants.txt), switched on in the `mutants` build, against the",
             "tests that reach it, from cheap to expensive. How to add one: [CONTRIBUTING.md](../../CONTRIBUTING.md).", "",
             "%d of %d are caught. %s, commit %s, %s with %d processors, %.0f minutes of one."
             % (caught, len(mutants), datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
                git("rev-parse", "--short", "HEAD"), platform.machine(), os.cpu_count(), seconds / 60), "",
             "| | file in src/ | what it gets wrong | caught by | CPU s | tests before |", "|---|---|---|---|---|---|"]
    lines += [row(m, results[m.number]) for m in mutants]
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    return caught


def mark(mutant):
    """What a known result is about: the mutant as it stands in the table."""
    return "%d %s %s => %s" % (mutant.number, mutant.path, mutant.code, mutant.wrong)


def hunt_all(mutants, tests, known, memory, jobs, deadline):
    """Those that were caught before stay so; those that survived meet the tests that they have not met."""
    results = {m.number: memory.known["mutants"].get(mark(m)) for m in mutants}

    def one(mutant):
        return hunt(mutant, tests, *known, results[mutant.number]) if time.monotonic() < deadline else None
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(one, m): m for m in mutants if results[m.number] is None or results[m.number][0] is None}
        for done in concurrent.futures.as_completed(waiting):
            mutant = waiting[done]
            if done.result() is None:
                results[mutant.number] = None
                continue
            results[mutant.number] = done.result()
            memory.keep("mutants", mark(mutant), done.result())
            print(row(mutant, done.result()), flush=True)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(table.SOURCE, "build", "mutants"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--without", default="", help="a regular expression of tests to leave out")
    parser.add_argument("--go-on", action="store_true", help="take what the calls before have found out, of the same tests")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin nothing new after so many seconds")
    parser.add_argument("number", nargs="*", type=int)
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    mutants = [m for m in table.read() if not arguments.number or m.number in arguments.number]
    tests, begin = tests_of(arguments.build), time.monotonic()
    if arguments.without:
        tests = {name: test for name, test in tests.items() if not re.search(arguments.without, name)}
    deadline = begin + arguments.seconds
    memory = Memory(os.path.join(arguments.build, "mutants.json"), arguments.go_on)
    known = survey(tests, memory, arguments.jobs, deadline)
    print("%d tests, %.0f s without a mutant" % (len(tests), sum(known[0].values())), flush=True)
    results = hunt_all(mutants, tests, known, memory, arguments.jobs, deadline)
    left = [number for number, found in results.items() if found is None]
    if left:
        sys.exit("%d mutants are left: --go-on" % len(left))
    if not arguments.number:
        seconds = sum(known[0].values()) + sum(found[1] for found in results.values())
        caught = write(os.path.join(table.HERE, "results.md"), mutants, results, seconds)
        print("%d of %d are caught" % (caught, len(mutants)))
    unexplained = [m.number for m in mutants if results[m.number][0] is None and not m.reason]
    if unexplained:
        sys.exit("survivors without a reason: %s" % unexplained)


main()

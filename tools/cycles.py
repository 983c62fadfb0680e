#!/usr/bin/env python3
"""Cycles of calls between the files of a kernel: cycles.py [--most N] [FOLDER]...

A file is NAME.c together with NAME.h. File A calls file B where a function defined in A calls one that is defined in B. Files that call each other, perhaps through others, form a cycle; a cycle is
printed with the calls that hold it together. Ends with 1 where a cycle has more than N files (4). Calls through
pointers in structs are no calls of one file by another: that is what breaks a cycle.

Files of one name in several folders, of which the build takes one (`events` and `rotating` of aggregation), count as
one. Prototypes, strings and comments do not count; macros count where they are used."""
import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KERNELS = ("src/hard/kernel", "src/variational/kernel", "src/aggregation/kernel")
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "do", "else", "case", "__attribute__", "_Pragma", "defined", "TRY"}
MOST = 4


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def sources(folder):
    for base, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.join(base, name)


def functions(text):
    """(name, body) of each function and function-like macro defined in a text without comments."""
    for macro in re.finditer(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(((?:[^\n]*\\\n)*[^\n]*)", text, re.M):
        yield macro.group(1), macro.group(2)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)
    depth, start, head = 0, 0, 0
    for at, character in enumerate(text):
        if character == "{":
            if depth == 0:
                start = at
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                name = re.search(r"(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*$", re.sub(r"__attribute__\s*\(\(.*?\)\)", "", text[head:start]))
                if name and name.group(1) not in KEYWORDS:
                    yield name.group(1), text[start:at]
                head = at + 1
        elif character == ";" and depth == 0:
            head = at + 1


def calls(folder):
    """{file: {file: {(caller, called)}}}"""
    defined, bodies = collections.defaultdict(set), collections.defaultdict(list)
    for path in sources(folder):
        with open(path, encoding="utf-8") as source:
            text = NOT_CODE.sub(blank, source.read())
        unit = os.path.splitext(os.path.basename(path))[0]
        for name, body in functions(text):
            defined[name].add(unit)
            bodies[unit].append((name, body))
    graph = collections.defaultdict(lambda: collections.defaultdict(set))
    for unit, of_unit in bodies.items():
        own = {name for name, _ in of_unit}
        for name, body in of_unit:
            mentioned = {word.group(1) for word in re.finditer(r"(?<![\w.])(?<!->)(\w+)(?=\s*\()", body)}
            for called in mentioned - own:
                for other in defined.get(called, ()):
                    graph[unit][other].add((name, called))
    return graph


def cycles(graph):
    """Strongly connected components of more than one file (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in sorted(graph.get(unit, ())):
            if other not in index:
                visit(other)
                low[unit] = min(low[unit], low[other])
            elif other in stack:
                low[unit] = min(low[unit], index[other])
        if low[unit] == index[unit]:
            part = set()
            while unit not in part:
                part.add(stack.pop())
            if len(part) > 1:
                found.append(part)

    for unit in sorted(graph):
        if unit not in index:
            visit(unit)
    return found


def main(arguments):
    most, good = MOST, True
    if arguments[:1] == ["--most"]:
        most, arguments = int(arguments[1]), arguments[2:]
    for folder in arguments or KERNELS:
        graph = calls(os.path.join(ROOT, folder))
        for part in sorted(cycles(graph), key=len, reverse=True):
            good = good and len(part) <= most
            print("%s: a cycle of %d files: %s" % (folder, len(part), ", ".join(sorted(part))))
            for unit in sorted(part):
                for other in sorted(graph[unit].keys() & part):
                    names = sorted({called for _, called in graph[unit][other]})
                    print("    %s calls %s: %s" % (unit, other, ", ".join(names)))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

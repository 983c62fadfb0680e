"""Reads mutants.txt and puts its mutations into the text of sources.

    [NUMBER] path below src/
    what the mutation gets wrong
    - code with the «mutated part» marked, as it stands in the file exactly once (white space does not matter)
    + what stands in its place
    ? why no test can be expected to notice; only where that is so

A marked part that ends with a semicolon is a statement, any other an expression."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))


class Mutant:
    def __init__(self, number, path):
        self.number, self.path = number, path
        self.what, self.code, self.wrong, self.reason = "", "", "", ""

    @property
    def module(self):
        return self.path.split("/")[0]


def read(path=os.path.join(HERE, "mutants.txt")):
    """The mutants of the table, in its order."""
    mutants = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            head = re.fullmatch(r"\[(\d+)\] (\S+)", line)
            if head:
                mutants.append(Mutant(int(head[1]), head[2]))
            elif line.startswith("- "):
                mutants[-1].code += line[2:] + "\n"
            elif line == "+" or line.startswith("+ "):
                mutants[-1].wrong += line[2:] + "\n"
            elif line.startswith("? "):
                mutants[-1].reason += (" " if mutants[-1].reason else "") + line[2:]
            elif line and not line.startswith("#"):
                if mutants[-1].code:
                    raise SystemExit("%s:%d: a line of no kind: %s" % (path, number, line))
                mutants[-1].what += (" " if mutants[-1].what else "") + line
    numbers = [m.number for m in mutants]
    twice = sorted({n for n in numbers if numbers.count(n) > 1})
    if twice or not all(0 < n < 1024 for n in numbers):
        raise SystemExit("%s: numbers that are not unique, or not in 1 to 1023: %s" % (path, twice))
    return mutants


def loose(text):
    """A pattern of code in which white space does not matter."""
    return r"\s*".join(re.escape(word) for word in text.split())


def place(mutant, text):
    """From where to where the marked part lies in the text of the file."""
    before, rest = mutant.code.split("«")
    part, after = rest.split("»")
    pattern = r"\s*".join(p for p in (loose(before), "(%s)" % loose(part), loose(after)) if p)
    found = list(re.finditer(pattern, text))
    if len(found) != 1:
        raise SystemExit("mutant %d: its code is found %d times in src/%s: change tests/mutants/mutants.txt\n%s"
                         % (mutant.number, len(found), mutant.path, mutant.code))
    return found[0].span(1)


def mutate(text, mutants):
    """The text of a file with all mutants of it, each behind its switch."""
    places = sorted(((place(m, text), m) for m in mutants), key=lambda found: found[0])
    for (a, b) in zip(places, places[1:]):
        if a[0][1] > b[0][0]:
            raise SystemExit("mutants %d and %d overlap" % (a[1].number, b[1].number))
    for (start, end), m in reversed(places):
        part, wrong = text[start:end], m.wrong.strip().replace("\n", " ")
        shape = "if (mutant(%d)) { %s } else { %s }" if part.endswith(";") else "(mutant(%d) ? (%s) : (%s))"
        text = text[:start] + shape % (m.number, wrong, part) + text[end:]
    return text


def by_file(mutants):
    files = {}
    for m in mutants:
        files.setdefault(m.path, []).append(m)
    return files

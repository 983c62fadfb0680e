"""Detects entries of tests/mutants/mutants.txt whose code is no longer in the sources, exactly once, or begins or ends with an operator, which
does not compile in parentheses."""
import os
import re
import sys

SOURCE = os.environ.get("CAROM_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "tests", "mutants"))
import table

mutants = table.read()
for m in mutants:
    part = m.code.split("«")[1].split("»")[0].strip()
    assert not re.search(r"^([<>=|/+]|[-*&] |!=)|([<>=|&/*-]|[^+]\+)$", part), "mutant %d: mark the whole expression, with what its operator joins" % m.number
for path, of_file in table.by_file(mutants).items():
    with open(os.path.join(SOURCE, "src", path), encoding="utf-8") as source:
        text = source.read()
    changed = table.mutate(text, of_file)
    assert all("mutant(%d)" % m.number in changed for m in of_file), path
    assert changed.count("\n") == text.count("\n"), "lines of %s are counted otherwise" % path
print("%d mutants in %d files" % (len(mutants), len(table.by_file(mutants))))

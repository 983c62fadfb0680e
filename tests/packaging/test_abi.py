"""Detects changes of the binary interface of libcarom.so.N that break programs which are linked with it, and additions that
are not recorded. tests/packaging/abi.py describes the record."""
import os
import re
import subprocess
import sys
import tempfile

import abi
import checks

BUILD = os.environ["CAROM_BUILD"]
REMEDY = """
The record is tests/packaging/abi_%d.inc. After an addition, or before libcarom.so.%d is part of a release (CHANGELOG.md says so),
write it with `tests/packaging/abi.py --update`. After a release a change of what exists needs another number: raise CAROM_ABI in
CMakeLists.txt, and with it the node of cmake/exports.map and the package libcarom%d (packaging/README.md)."""


def broken(header, record):
    """What the compiler says about the record with a header."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "carom"))
        with open(os.path.join(folder, "carom", "carom.h"), "w", encoding="utf-8") as file:
            file.write(header)
        program = "#include <carom/carom.h>\n" + "\n".join(record) + "\n"
        done = subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-fsyntax-only", "-I", folder, "-x", "c", "-"],
                              input=program, text=True, capture_output=True)
    return done.stderr if done.returncode else ""


def exported():
    """The functions of the built library, with the node of their version."""
    text = subprocess.run(["nm", "-D", "--defined-only", os.path.join(BUILD, "libcarom.so")], check=True, capture_output=True,
                          text=True).stdout
    return set(re.findall(r" T (carom_\w+@@\w+)$", text, re.MULTILINE))


with open(os.path.join(abi.SOURCE, "include", "carom", "carom.h"), encoding="utf-8") as file:
    header = file.read()
record = abi.recorded()
names = {name for name in map(abi.function_name, record) if name}
remedy = REMEDY % (abi.ABI, abi.ABI, abi.ABI + 1)

checks.check("the record has functions, numbers and members", len(names) > 80 and sum("offsetof" in line for line in record) > 50)
errors = broken(header, record)
checks.check("the header agrees with the record", not errors, errors + remedy)
now = {name for name in map(abi.function_name, abi.interface()) if name}
checks.check("no recorded function is gone", names <= now, "gone: %s%s" % (sorted(names - now), remedy))
gone, new = abi.differences()
checks.check("the record is complete", not gone and not new, "\n".join(["- " + line for line in gone] + ["+ " + line for line in new]) + remedy)
wanted = {"%s@@CAROM_%d" % (name, abi.ABI) for name in now}
checks.check("the library exports the functions of the header and no others, with their version", exported() == wanted,
      "\n".join(sorted(exported() ^ wanted)))
checks.check("the symbols of the Debian package are those of the record", abi.SYMBOLS.read_text() == abi.symbols_text(),
      "write packaging/debian/libcarom%d.symbols with `tests/packaging/abi.py --update`" % abi.ABI)
soname = subprocess.run(["readelf", "-dW", os.path.join(BUILD, "libcarom.so")], check=True, capture_output=True, text=True).stdout
checks.check("the name of the library has the number", "[libcarom.so.%d]" % abi.ABI in soname, soname)

# The record must detect each kind of change.
for what, before, after in [
        ("another value", "CAROM_IO = 74", "CAROM_IO = 72"),
        ("another type of parameter", "carom_sim_advance(carom_sim *sim, double time)", "carom_sim_advance(carom_sim *sim, float time)"),
        ("another result", "size_t carom_frame_count", "int carom_frame_count"),
        ("a member before the others", "typedef struct carom_options {", "typedef struct carom_options {\n    int first;"),
        ("a member behind the others", "} carom_options;", "    int last;\n} carom_options;"),
        ("another type of member with the same size", "    double packing_fraction;", "    uint64_t packing_fraction;"),
        ("another callback", "typedef void (*carom_progress_callback)(", "typedef int (*carom_progress_callback)(")]:
    changed = header.replace(before, after)
    checks.check("it would detect " + what, changed != header and broken(changed, record))
checks.check("it would permit another name of a parameter",
      not broken(header.replace("carom_sim_advance(carom_sim *sim, double time)", "carom_sim_advance(carom_sim *run, double t)"), record))
sys.exit(checks.failures > 0)

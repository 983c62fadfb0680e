#!/usr/bin/env python3
"""The binary interface of libcarom as statements of C that a compiler checks against carom.h: the prototype of each function,
the values of enumerations, and size, offsets and types of the members of structs.

    abi.py             prints the differences to tests/packaging/abi_N.inc
    abi.py --update    writes that file, and the functions to packaging/debian/libcarom1.symbols

N is CAROM_ABI of CMakeLists.txt. packaging/README.md says when it rises."""
from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ.get("CAROM_SOURCE", Path(__file__).resolve().parents[2]))
CMAKE = (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8")
ABI = int(re.search(r"^set\(CAROM_ABI (\d+)\)", CMAKE, re.MULTILINE)[1])
VERSION = re.search(r"^project\(carom VERSION ([0-9.]+)", CMAKE, re.MULTILINE)[1]
GOLDEN = SOURCE / "tests" / "packaging" / ("abi_%d.inc" % ABI)
SYMBOLS = SOURCE / "packaging" / "debian" / ("libcarom%d.symbols" % ABI)
TITLE = "/* Written by tests/packaging/abi.py --update: the binary interface of libcarom.so.%d. */\n" % ABI


def split_list(text: str, separator: str) -> list[str]:
    """Splits at separators outside parentheses and braces."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "({") - (c in ")}")
        if c == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def declarations() -> list[str]:
    """The declarations of carom.h, each on one line, without comments."""
    text = subprocess.run([os.environ.get("CC", "cc"), "-E", "-", "-I", str(SOURCE / "include")], check=True, text=True,
                          input="#include <carom/carom.h>\n", capture_output=True).stdout
    own, lines = False, []
    for line in text.splitlines():
        if line.startswith("#"):
            own = '/carom/carom.h"' in line
        elif own:
            lines.append(line)
    return split_list(re.sub(r"\s+", " ", " ".join(lines)).replace("_Bool", "bool"), ";")


def describe_struct(name: str, body: str) -> list[str]:
    statements = ["_Static_assert(sizeof(%s) == {sizeof(%s)}, \"size of %s\");" % (name, name, name)]
    for member in split_list(body, ";"):
        parts = split_list(member, ",")
        base = re.match(r"(.*?)\(?\**\w+[^\w]*$|(.*)", parts[0])
        for number, part in enumerate(parts):
            declaration = part if number == 0 else base[1] + part
            found = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(|(\w+)\s*(\[|$)", declaration)
            field = found[1] or found[2]
            pointer = re.sub(r"\b%s\b" % field, "(*)", declaration, count=1)
            statements.append("_Static_assert(offsetof(%s, %s) == {offsetof(%s, %s)} && _Generic(&((%s *)0)->%s, %s: 1, "
                              "default: 0), \"%s.%s\");" % (name, field, name, field, name, field, pointer, name, field))
    return statements


def statements() -> list[str]:
    """The interface in C, with {EXPRESSION} in place of numbers."""
    found = []
    for text in declarations():
        text = re.sub(r"^__attribute__\(\(visibility\(\"default\"\)\)\) ", "", text)
        enum = re.fullmatch(r"(?:typedef )?enum (?:\w+ )?{(.*)}\s*(\w*)", text)
        struct = re.fullmatch(r"typedef struct \w* ?{(.*)} (\w+)", text)
        if enum:
            names = [re.match(r"\w+", entry)[0] for entry in split_list(enum[1], ",")]
            found += ["_Static_assert(%s == {%s}, \"%s\");" % (name, name, name) for name in names]
            found += ["_Static_assert(sizeof(%s) == {sizeof(%s)}, \"size of %s\");" % (enum[2], enum[2], enum[2])] if enum[2] else []
        elif struct:
            found += describe_struct(struct[2], struct[1])
        else:
            found.append(text + ";") # a function, a type of callback, an opaque struct: the same declaration may be repeated
    return found


def interface() -> list[str]:
    """The statements with the numbers that the compiler gives, sorted."""
    found = statements()
    expressions = [expression for line in found for expression in re.findall(r"{([^{}]*)}", line) if "Static" in line]
    program = "#include <carom/carom.h>\nint main(void) {\n%sreturn 0; }\n" % "".join(
        'printf("%%lld\\n", (long long)(%s));\n' % expression for expression in expressions)
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "numbers.c"), Path(folder, "numbers")
        source.write_text(program)
        subprocess.run([os.environ.get("CC", "cc"), "-I", str(SOURCE / "include"), "-o", str(binary), str(source)], check=True)
        numbers = iter(subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.split())
    return sorted(re.sub(r"{([^{}]*)}", lambda _: next(numbers), line) if "Static" in line else line for line in found)


def function_name(statement: str) -> str | None:
    found = re.match(r"(?!typedef|_Static_assert|struct).*?\b(carom_\w+)\(", statement)
    return found[1] if found else None


def recorded() -> list[str]:
    return GOLDEN.read_text(encoding="utf-8").splitlines()[1:] if GOLDEN.exists() else []


def differences() -> tuple[list[str], list[str]]:
    """The statements of the record that no longer hold or are gone, and those that are not recorded."""
    now, before = interface(), recorded()
    return [line for line in before if line not in now], [line for line in now if line not in before]


def symbols_text() -> str:
    """packaging/debian/libcarom1.symbols: each function with the version in which it appeared."""
    since = dict(re.findall(r"^ (\w+)@CAROM_%d (\S+)$" % ABI, SYMBOLS.read_text() if SYMBOLS.exists() else "", re.MULTILINE))
    names = sorted(filter(None, map(function_name, interface())))
    lines = ["libcarom.so.%d libcarom%d #MINVER#" % (ABI, ABI), "* Build-Depends-Package: libcarom-dev",
             " CAROM_%d@CAROM_%d %s" % (ABI, ABI, since.get("CAROM_%d" % ABI, VERSION))]
    return "\n".join(lines + [" %s@CAROM_%d %s" % (name, ABI, since.get(name, VERSION)) for name in names]) + "\n"


def main() -> int:
    gone, new = differences()
    print("\n".join(["- " + line for line in gone] + ["+ " + line for line in new]) or "no difference")
    if sys.argv[1:] == ["--update"]:
        GOLDEN.write_text(TITLE + "\n".join(interface()) + "\n", encoding="utf-8")
        SYMBOLS.write_text(symbols_text(), encoding="utf-8")
        return 0
    return 1 if gone or new else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Writes python/carom/_declarations.py, the ctypes declarations of the functions, structs and constants of carom.h.

    tools/python_declarations.py            writes the file
    tools/python_declarations.py --check    fails if the file does not agree with the header"""
from __future__ import annotations

import pathlib
import re
import sys
import textwrap

from c_declarations import split_list, squeeze

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "include/carom/carom.h"
TARGET = ROOT / "python/carom/_declarations.py"

# Types of C and their names in ctypes. Text that the caller frees must keep its address, so that it is a `c_void_p`.
PLAIN = {
    "void": "None", "bool": "c_bool", "int": "c_int", "double": "c_double", "size_t": "c_size_t", "int32_t": "c_int32",
    "uint32_t": "c_uint32", "int64_t": "c_int64", "uint64_t": "c_uint64", "const char *": "c_char_p",
    "char *": "c_void_p", "void *": "c_void_p", "const void *": "c_void_p", "uint8_t": "c_uint8", "uint16_t": "c_uint16", "char": "c_char",
}


class Header:
    """What carom.h declares."""

    def __init__(self, text: str) -> None:
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        text = re.sub(r"^\s*#(?:\\\n|.)*$", "", text, flags=re.M)
        self.opaque = set(re.findall(r"typedef struct (\w+) \1;", text))
        self.enums = {name: self.constants(body) for body, name in
                      re.findall(r"typedef enum \w+ \{(.*?)\}\s*(\w+);", text, flags=re.S)}
        self.loose = [pair for body in re.findall(r"^enum \{(.*?)\};", text, flags=re.S | re.M)
                      for pair in self.constants(body)]
        self.callbacks = {name: (result, parameters) for result, name, parameters in
                          re.findall(r"typedef (\w[\w *]*?)\(\*(\w+)\)\((.*?)\);", text)}
        self.structs = re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, flags=re.S)
        self.functions = [re.fullmatch(r"(.*?[\s*])(carom_\w+)\s*\((.*)\)", squeeze(d)).groups()
                          for d in re.findall(r"CAROM_API\s+([^;]+);", text)]

    @staticmethod
    def constants(body: str) -> list[tuple[str, int]]:
        pairs, value = [], -1
        for item in filter(str.strip, body.split(",")):
            name, _, given = item.partition("=")
            value = int(given, 0) if given.strip() else value + 1
            pairs.append((name.strip(), value))
        return pairs

    def type_of(self, kind: str) -> str:
        kind = squeeze(kind)
        if kind in PLAIN:
            return PLAIN[kind]
        if kind in self.enums:
            return "c_int"
        if kind in self.callbacks:
            return kind
        base = re.sub(r"\bconst\b", "", kind).replace("*", "").strip()
        stars = kind.count("*")
        if base in self.opaque or base == "void":
            return "c_void_p" if stars == 1 else "POINTER(c_void_p)"
        if base == "char":
            return "POINTER(%s)" % ("c_char_p" if kind.startswith("const") else "c_void_p")
        named = self.type_of(base) if base in PLAIN or base in self.enums else base
        if named == base and base not in [name for name, _ in self.structs]:
            sys.exit("tools/python_declarations.py: unknown type '%s'" % kind)
        for _ in range(stars):
            named = "POINTER(%s)" % named
        return named

    def function_type(self, result: str, parameters: str) -> str:
        kinds = [self.parameter(p)[0] for p in split_list(parameters)]
        return "CFUNCTYPE(%s)" % ", ".join([self.type_of(result)] + kinds)

    def parameter(self, declaration: str) -> tuple[str, str]:
        """(ctypes type, name) of a parameter or field."""
        text = squeeze(declaration)
        pointer = re.fullmatch(r"(.+?)\(\s*\*\s*(\w+)\s*\)\s*\((.*)\)", text)
        if pointer:
            return self.function_type(pointer[1], pointer[3]), pointer[2]
        kind, name, length = re.fullmatch(r"(.*?[\s*])(\w+)\s*(?:\[(\w+)\])?", text).groups()
        named = self.type_of(kind)
        return ("%s * %s" % (named, length) if length else named), name

    def fields(self, body: str) -> list[tuple[str, str]]:
        fields: list[tuple[str, str]] = []
        for line in filter(str.strip, body.split(";")):
            first, *others = split_list(line)
            kind, name = self.parameter(first)
            fields += [(kind, name)] + [(kind, other.strip()) for other in others]
        return fields


def written(header: Header) -> str:
    lines: "list[str]" = [""]
    for constants in [*header.enums.values(), header.loose]:
        lines += ["%s = %d" % pair for pair in constants] + [""]
    for name in [n for n, _ in header.structs]:
        lines += ["", "class %s(Structure):" % name, "    pass", ""]
    lines.append("")
    for name, (result, parameters) in header.callbacks.items():
        lines += ["%s = %s" % (name, header.function_type(result, parameters))]
    for name, body in header.structs:
        lines += ["%s._fields_ = [" % name]
        lines += ["    (%r, %s)," % (field, kind) for kind, field in header.fields(body)] + ["]"]
    lines += ["", "# Name, type of the result, types of the parameters.", "FUNCTIONS = ["]
    for result, name, parameters in header.functions:
        kinds = ", ".join(header.parameter(p)[0] for p in split_list(parameters))
        lines.append("    (%r, %s, [%s])," % (name, header.type_of(result), kinds))
    body = "\n".join(lines + ["]"]).replace('\'', '"') + "\n"
    used = sorted({"Structure", *re.findall(r"\b(?:CFUNCTYPE|POINTER|c_\w+)\b", body)})
    imports = textwrap.fill("from ctypes import (%s)" % ", ".join(used), width=116, subsequent_indent=" " * 20)
    head = ['"""The declarations of include/carom/carom.h for ctypes; its comments describe them.',
            "", 'Written by tools/python_declarations.py."""', "# flake8: noqa", "from __future__ import annotations", "", imports]
    return "\n".join(head) + "\n" + body


def main() -> None:
    text = written(Header(HEADER.read_text(encoding="utf-8")))
    if sys.argv[1:] != ["--check"]:
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        sys.exit("python/carom/_declarations.py does not agree with carom.h: run tools/python_declarations.py")


main()

"""Writes the reference of the C interface from include/carom/carom.h: its sections, comments and declarations, as
reStructuredText with the C domain of Sphinx.

A comment of the form /* ... */ that ends on the line before a declaration documents it. Sections begin with
/* ---- Name ---- */. A declaration that the reader does not know ends the build."""
from __future__ import annotations

import re
from typing import Dict, List, Tuple

SECTION = re.compile(r"/\* -{4} (.*?) -{4,} \*/")
COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
ESCAPED = re.compile(r"([\\*|_<>])")
WORD = re.compile(r"`([^`]*)`|\b((?:carom|CAROM)_\w+)|\b(docs/[\w/-]+\.md)|\b(examples/[\w/.-]*\w)")
Known = Dict[str, str]


def plain(comment: str) -> str:
    lines = [re.sub(r"^\s*\* ?", "", line) if n else line.strip() for n, line in enumerate(comment.split("\n"))]
    return "\n".join(lines).strip()


def names_of(text: str) -> Known:
    """Roles by name: functions, types, enumerators."""
    known: Known = {}
    for name in re.findall(r"\b(carom_\w+)\s*\(", text):
        known[name] = "func"
    for name in re.findall(r"typedef (?:struct|enum) (carom_\w+)", text):
        known[name] = "type"
    for name in re.findall(r"\(\*(carom_\w+)\)\(", text):
        known[name] = "type"
    for body in re.findall(r"enum(?: \w+)? \{(.*?)\}", text, re.S):
        for name in re.findall(r"\b(CAROM_\w+)\b\s*(?:=|,|/|$)", COMMENT.sub("", body) + "\n", re.M):
            known[name] = "enumerator"
    for name in re.findall(r"#define (CAROM_\w+)", text):
        known[name] = "macro"
    return known


def prose(text: str, known: Known) -> str:
    """A comment as reStructuredText: words of the interface become links, the rest is escaped."""
    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", text):
        if all(line.startswith("    ") for line in paragraph.split("\n")):
            paragraphs.append(".. code-block:: c\n\n" + paragraph)
            continue
        out, last = [], 0
        for match in WORD.finditer(paragraph):
            out.append(ESCAPED.sub(r"\\\1", paragraph[last:match.start()]))
            out.append(linked(match, known))
            last = match.end()
        out.append(ESCAPED.sub(r"\\\1", paragraph[last:]))
        paragraphs.append("".join(out))
    return "\n\n".join(paragraphs)


def linked(match: "re.Match[str]", known: Known) -> str:
    word = match[0]
    if match[1] is not None:
        text = match[1]
        return ":c:%s:`%s`\\ " % (known[text], text) if text in known else "``%s``\\ " % text
    if match[3]:
        return ":doc:`/%s`\\ " % match[3][len("docs/"):-len(".md")]
    if match[4]:
        return "``%s``\\ " % word
    return ":c:%s:`%s`\\ " % (known[word], word) if word in known else ESCAPED.sub(r"\\\1", word)


def indent(text: str, by: str = "   ") -> str:
    return "\n".join(by + line if line else line for line in text.split("\n"))


def directive(kind: str, signature: str, text: str, known: Known, inside: str = "") -> str:
    head = ".. c:%s:: %s\n" % (kind, re.sub(r"\s+", " ", signature).strip())
    return head + ("\n" + indent(prose(text, known)) + "\n" if text else "") + ("\n" + indent(inside) if inside else "") + "\n"


def members(body: str, kind: str, known: Known) -> str:
    """Fields of a struct or values of an enum, each with the comment before it or on its line."""
    out: List[str] = []
    last: Tuple[str, str] = (kind, "")
    before = ""
    for match in re.finditer(r"/\*(.*?)\*/|((?:[^;,/(]|\([^)]*\))+)[;,]?", body, re.S):
        if match[1] is not None:
            text = plain(match[1])
            gap = body[:match.start()].rstrip(" ")
            if out and not gap.endswith("\n") and not gap.endswith("*/"):
                out[-1] = directive(*last, text, known)
            else:
                before = (before + "\n\n" + text).strip()
            continue
        text = re.sub(r"\s+", " ", match[2]).strip()
        if not text:
            continue
        last = (kind, text)
        out.append(directive(kind, text, before, known))
        before = ""
    return "\n".join(out)


def entry(comment: str, code: str, known: Known) -> str:
    """One declaration with its comment."""
    code = code.strip()
    struct = re.fullmatch(r"typedef struct (\w+) \{(.*)\} \w+;", code, re.S)
    enum = re.fullmatch(r"typedef enum (\w+) \{(.*)\} \w+;", code, re.S)
    nameless = re.fullmatch(r"enum \{(.*)\};", code, re.S)
    function = re.fullmatch(r"CAROM_API (.*);", code, re.S)
    opaque = re.fullmatch(r"typedef struct (\w+) \w+;", code)
    callback = re.fullmatch(r"typedef (.*\(\*\w+\).*);", code, re.S)
    macro = re.fullmatch(r"#define (\w+(?:\([^)]*\))?).*", code, re.S)
    if struct:
        return directive("struct", struct[1], comment, known, members(struct[2], "member", known))
    if enum:
        return directive("enum", enum[1], comment, known, members(enum[2], "enumerator", known))
    if nameless:
        return prose(comment, known) + "\n\n" + members(nameless[1], "enumerator", known)
    if function:
        return directive("function", function[1], comment, known)
    if opaque:
        return directive("struct", opaque[1], comment, known)
    if callback:
        return directive("type", callback[1], comment, known)
    if macro:
        return directive("macro", macro[1], comment, known)
    raise ValueError("carom.h: cannot read the declaration '%s'" % code[:200])


def declarations(text: str) -> List[Tuple[str, str]]:
    """Pairs (comment, declaration) and ("section", name)."""
    out: List[Tuple[str, str]] = []
    comment, code, depth = "", "", 0
    lines = text.split("\n")
    n = 0
    while n < len(lines):
        line = lines[n]
        section = SECTION.match(line.strip())
        if not code and section:
            out.append(("section", section[1]))
            comment = ""
        elif not code and line.startswith("/*"):
            end = n
            while "*/" not in lines[end]:
                end += 1
            comment = plain("\n".join(lines[n:end + 1])[2:].rsplit("*/", 1)[0])
            n = end
        elif not code and (line.startswith("#") and not line.startswith("#define CAROM_ENGINES")
                           or line.startswith(("extern", "}"))):
            comment = ""
        elif line.strip() or code:
            code += line + "\n"
            bare = COMMENT.sub("", line)
            depth += bare.count("{") - bare.count("}")
            open_comment = code.count("/*") > code.count("*/")
            if line.startswith("#define") or (depth == 0 and not open_comment and bare.rstrip().endswith(";")):
                out.append((comment, code))
                comment, code = "", ""
        n += 1
    return out


def reference(header: str) -> str:
    """The page."""
    introduction = plain(COMMENT.match(header)[1])  # type: ignore[index]
    body = header[header.index("#ifndef"):]
    known = names_of(body)
    out = ["C interface\n===========\n",
           "From :doc:`include/carom/carom.h </files/include/carom/carom.h>`. Programs link with ``-lcarom`` (``pkg-config "
           "--cflags --libs carom``, or ``find_package(carom)`` of CMake); complete programs are in "
           ":doc:`examples/embed </files/examples/embed/index>`.\n",
           prose(introduction.split("\n", 1)[1] if introduction.startswith("carom:") else introduction, known) + "\n",
           "Status and version\n------------------\n"]
    for comment, code in declarations(body):
        out.append("%s\n%s\n" % (code, "-" * len(code)) if comment == "section" else entry(comment, code, known))
    return "\n".join(out)

"""Detects public declarations without a comment of their own, and one that is put in without a comment."""
import glob
import os
import re
import sys

SOURCE = os.environ.get("CAROM_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMENT = re.compile(r"/\*.*?\*/", re.S)
OPENS = re.compile(r"(typedef\s+)?(struct|enum)\b[^;{]*\{$")
IGNORED = re.compile(r'#(?!define)|#define CAROM_\w+_H$|extern "C" \{$|\}$')


def blocks(text):
    """The header as (line, kind, text): comments, blank lines, lines of code without their comments."""
    found, at = [], 0
    number = 1
    for comment in list(COMMENT.finditer(text)) + [None]:
        for k, line in enumerate(text[at:comment.start() if comment else len(text)].split("\n")):
            number += k > 0
            found.append((number, "code" if line.strip() else "blank", line.strip()))
        if comment is None:
            break
        kind = "title" if comment[0].startswith("/* ----") else "comment"
        found.append((number, kind, comment[0]))
        number += comment[0].count("\n")
        at = comment.end()
    return found


def declarations(text):
    """(first line, last line, code) of each declaration; bodies of structs and enums are split into their members."""
    line, code = None, ""
    for number, kind, part in blocks(text):
        if kind != "code":
            continue
        if not code and IGNORED.match(part):
            continue
        line = number if not code else line
        code = (code + " " + part).strip()
        if code.startswith("#define"):
            if code.endswith("\\"):
                code = code[:-1]
                continue
            yield line, number, code
            code = ""
        elif OPENS.match(code) or code.endswith((";", ",")) and code.count("(") == code.count(")") or \
                re.match(r"[A-Z][A-Z0-9_]*( = -?\w+)?,?$", code):
            if not code.startswith("}"):
                yield line, number, code
            code = ""
        elif code.startswith("}"):
            code = ""


def without_comment(text):
    """Declarations that have neither a comment directly before them nor one that begins on their last line."""
    begins, ends = {}, {}
    for number, kind, part in blocks(text):
        if kind == "comment":
            begins[number] = ends[number + part.count("\n")] = part
    bad = []
    for first, last, code in declarations(text):
        several = "(" not in code and not OPENS.match(code) and code.endswith(";") and "," in code
        before = first - 1 in ends and not any(n == first - 1 for n, k, _ in blocks(text) if k == "code")
        if several or not (before or last in begins):
            bad.append("line %d: %s%s" % (first, "several at once: " if several else "", code))
    return bad


headers = sorted(glob.glob(os.path.join(SOURCE, "include", "carom", "*.h")))
failed, count = [], 0
for path in headers:
    with open(path, encoding="utf-8") as file:
        header = file.read()
    count += sum(1 for _ in declarations(header))
    failed += ["%s, %s" % (os.path.basename(path), line) for line in without_comment(header)]
print("\n".join(failed))
print("%d declarations, %d without a comment" % (count, len(failed)))

SAMPLE = """/* Seconds. */
typedef struct span {
    double begin; /* first */
    double end;
} span;

/* Kinds of spans. */
enum {
    SHORT, /* below a second */
    LONG
};
/* Length. */
CAROM_API double length(const span *s,
                        int unit);
CAROM_API double middle(const span *s);
"""
missing = [line.split(": ", 1)[1] for line in without_comment(SAMPLE)]
assert missing == ["double end;", "LONG", "CAROM_API double middle(const span *s);"], missing
both = without_comment(SAMPLE.replace("double begin;", "double begin, end;"))
assert "several at once" in both[0], both
assert headers and count > 200, "the header has been read"
sys.exit(1 if failed else 0)

"""Reads Markdown by lines: code blocks, links, headings and the anchors that headings have."""
from __future__ import annotations

import re
from typing import Callable, Dict, Iterator, List, NamedTuple, Tuple

FENCE = re.compile(r"^( {0,3})(`{3,}|~{3,}|:{3,})(.*)$")
LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`|\[[^\]]*\])*)\]\(<?([^()\s>]+)>?(\s+\"[^\"]*\")?\)")
CODE = re.compile(r"(`+)(?:(?!\1)[\s\S])*?\1")


class Block(NamedTuple):
    """A code block: its language ("" if it is indented), first line (from 1), text, and the comments in front of it."""
    language: str
    line: int
    text: str
    notes: Tuple[str, ...]


def segments(text: str) -> Iterator[Tuple[bool, int, List[str]]]:
    """Runs of lines: (is code, number of the first line, lines). Fences belong to the code. Directives in colons are text."""
    run: List[str] = []
    start, code, fence = 1, False, ""
    before = ""
    for number, line in enumerate(text.split("\n"), 1):
        match = FENCE.match(line)
        if fence:
            run.append(line)
            if match and match[2].startswith(fence) and not match[3].strip():
                yield True, start, run
                run, start, fence = [], number + 1, ""
            before = line
            continue
        if match and not match[2].startswith(":"):
            if run:
                yield code, start, run
            run, start, code, fence = [line], number, False, match[2]
            continue
        indented = line.startswith("    ") and (code or not before.strip())
        blank = not line.strip()
        if indented != code and not (blank and code):
            if run:
                yield code, start, run
            run, start, code = [], number, indented
        run.append(line)
        before = line
    if run:
        yield code or bool(fence), start, run


def blocks(text: str) -> Iterator[Block]:
    """All code blocks, each with the comments `<!-- ... -->` that stand directly in front of it. Items of lists that are
    indented count as text."""
    notes: Tuple[str, ...] = ()
    in_list = False
    for code, line, lines in segments(text):
        if not code:
            body = "\n".join(lines)
            notes = tuple(re.findall(r"<!--\s*([\s\S]*?)\s*-->", trailing_comments(body)))
            last = [entry for entry in lines if entry.strip()]
            in_list = bool(last) and bool(re.match(r"\s*([-*]|\d+\.)\s", last[-1]))
            continue
        fence = FENCE.match(lines[0])
        if fence and not lines[0].startswith("    "):
            words = fence[3].split()
            yield Block(words[0] if words else "text", line, "\n".join(lines[1:-1]) + "\n", notes)
        elif not in_list:
            yield Block("", line, "\n".join(entry[4:] for entry in lines).strip("\n") + "\n", notes)
        notes = ()


def trailing_comments(text: str) -> str:
    match = re.search(r"((?:<!--(?:(?!-->)[\s\S])*-->\s*)+)$", text)
    return match[1] if match else ""


def replace_links(text: str, goal: Callable[[str, bool], str]) -> str:
    """The text with each link target outside code replaced by goal(target, is_image)."""
    out: List[str] = []
    for code, _, lines in segments(text):
        body = "\n".join(lines)
        out.append(body if code else replace_in_text(body, goal))
    return "\n".join(out)


def replace_in_text(body: str, goal: Callable[[str, bool], str]) -> str:
    spans = [match.span() for match in CODE.finditer(body)]

    def replaced(match: "re.Match[str]") -> str:
        if any(a < match.start() < b for a, b in spans):
            return match[0]
        label = replace_in_text(match[2], goal) if "](" in match[2] else match[2]
        return "%s[%s](%s%s)" % (match[1], label, goal(match[3], bool(match[1])), match[4] or "")

    return LINK.sub(replaced, body)


def links(text: str) -> List[Tuple[str, bool]]:
    """Targets of all links outside code: (target, is an image)."""
    found: List[Tuple[str, bool]] = []

    def note(link: str, image: bool) -> str:
        found.append((link, image))
        return link

    replace_links(text, note)
    return found


def anchors(text: str) -> List[str]:
    """The anchors of all headings, as repository views and the site form them, and explicit targets `(name)=`."""
    seen: Dict[str, int] = {}
    out: List[str] = []
    for code, _, lines in segments(text):
        if code:
            continue
        for line in lines:
            target = re.match(r"^\(([\w.-]+)\)=\s*$", line)
            heading = re.match(r"^#{1,6}\s+(.*?)\s*#*$", line)
            if target:
                out.append(target[1])
            if heading:
                slug = slug_of(heading[1])
                count = seen.get(slug, 0)
                seen[slug] = count + 1
                out.append(slug if not count else "%s-%d" % (slug, count))
    return out


def slug_of(heading: str) -> str:
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[`*]", "", text).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")

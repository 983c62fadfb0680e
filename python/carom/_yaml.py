"""Writes trees of maps, lists and values as text of the scene language."""
from __future__ import annotations

import json
import re
from typing import Any, Mapping, Sequence

_WORD = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_./-]| (?=[A-Za-z0-9_./-]))*\Z")
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # characters that YAML does not permit
_WIDTH = 100


def scalar(value: Any) -> str:
    """A value on one line. Text that the reader would take for a number or a truth value is quoted."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if _WORD.match(value) and value not in ("true", "false"):
        return value
    return _UNPRINTABLE.sub(lambda found: "\\u%04x" % ord(found[0]), json.dumps(value, ensure_ascii=False))


def flow(value: Any) -> str:
    """A tree on one line: "{size: 10, boundary: [wall, open]}"."""
    if isinstance(value, Mapping):
        return "{%s}" % ", ".join("%s: %s" % (scalar(key), flow(below)) for key, below in value.items())
    if isinstance(value, (list, tuple)):
        return "[%s]" % ", ".join(map(flow, value))
    return scalar(value)


def block(tree: Mapping[str, Any]) -> str:
    """A scene as text, one line for each key or item where that fits."""
    lines: list[str] = []
    for key, value in tree.items():
        _add(lines, "", "%s:" % scalar(key), value)
    return "\n".join(lines) + "\n"


def _add(lines: list[str], indent: str, head: str, value: Any) -> None:
    """Adds `head`, a key or a dash, with its value. Lists of maps have a line for each item, or several."""
    line = (indent + head + " " + flow(value)).rstrip()
    listed = isinstance(value, Sequence) and not isinstance(value, str) and any(isinstance(v, Mapping) for v in value)
    deep = isinstance(value, Mapping) and any(_has_maps(v) for v in value.values())
    if not value or isinstance(value, str) or not isinstance(value, (Mapping, Sequence)) or \
            (len(line) <= _WIDTH and not listed and not deep):
        lines.append(line)
    elif isinstance(value, Mapping) and head == "-":
        start = len(lines)
        for key, below in value.items():
            _add(lines, indent + "  ", "%s:" % scalar(key), below)
        lines[start] = indent + "- " + lines[start].lstrip()
    elif isinstance(value, Mapping):
        lines.append(indent + head)
        for key, below in value.items():
            _add(lines, indent + "  ", "%s:" % scalar(key), below)
    elif listed:
        lines.append(indent + head)
        for item in value:
            _add(lines, indent + "  ", "-", item)
    else:
        _add_items(lines, indent, head, value)


def _has_maps(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(isinstance(v, Mapping) or _has_maps(v) for v in value.values())
    return isinstance(value, (list, tuple)) and any(isinstance(v, Mapping) for v in value)


def _add_items(lines: list[str], indent: str, head: str, value: Sequence[Any]) -> None:
    """A list of values or vectors in lines of equal width."""
    line = indent + head + " ["
    below = " " * (len(indent) + 2)
    for n, item in enumerate(value):
        text = flow(item) + ("," if n + 1 < len(value) else "]")
        if len(line) + len(text) + 1 > _WIDTH and line.strip():
            lines.append(line.rstrip())
            line = below
        line += text + " "
    lines.append(line.rstrip())

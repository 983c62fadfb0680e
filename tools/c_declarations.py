"""Parts of declarations in C, for the scripts that read carom.h."""
from __future__ import annotations

import re


def squeeze(text: str) -> str:
    """A type or declaration with single spaces, and each `*` beside what follows it."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s*\*\s*", " *", text).replace("* *", "**").replace("*const", "*const ").strip()
    return re.sub(r"\s+", " ", text)


def split_list(text: str) -> "list[str]":
    """The parts between commas outside parentheses; `void` is none."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip() not in ("", "void")]

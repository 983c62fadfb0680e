"""Pages of notebooks: their text, code, and those outputs that are text or pictures."""
from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, Callable, Dict, List


def fenced(language: str, text: str) -> str:
    return "```%s\n%s\n```\n" % (language, text.rstrip("\n"))


def joined(source: Any) -> str:
    return source if isinstance(source, str) else "".join(source)


def output(out: Dict[str, Any], picture: Callable[[bytes], str]) -> str:
    data = out.get("data", {})
    if "image/png" in data:
        return "![](%s)\n" % picture(base64.b64decode(joined(data["image/png"])))
    text = joined(out.get("text") or data.get("text/plain") or "")
    return fenced("text", text) if text.strip() else ""


def page(path: Path, picture: Callable[[bytes], str]) -> str:
    """Markdown of a notebook. picture(PNG) stores a picture and returns its place for a link."""
    parts: List[str] = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = joined(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text + "\n")
        elif cell["cell_type"] == "code" and text.strip():
            parts.append(fenced("python", text))
            parts += [output(out, picture) for out in cell.get("outputs", [])]
    return "\n".join(part for part in parts if part)

"""Sphinx extension of the site: formulas typeset while the site is built, pairs of a shell and a Python block as tabs, the
language of blocks without one, texts for the search results of pages that are read without a server."""
from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any, Dict, List

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.math import get_node_equation_number

HERE = Path(__file__).resolve().parent
COMMAND = re.compile(r"^(?:\$ )?(?:carom|make|cmake|python3?|build/|ctest|tools/|mpirun|pip|git|apt-get|sudo|ffmpeg)\b", re.M)
SCENE = re.compile(r"^(?:[a-z_]+:(?:\s|$)|- [{a-z])", re.M)


class Formulas:
    """A process that typesets formulas, and those of this build."""

    def __init__(self) -> None:
        self.known: Dict[str, str] = {}
        self.process: Any = None

    def html(self, tex: str, display: bool) -> str:
        line = json.dumps({"tex": tex, "display": display})
        if line not in self.known:
            if self.process is None:
                self.process = subprocess.Popen(["node", str(HERE / "formulas.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                universal_newlines=True, encoding="utf-8")
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            self.known[line] = json.loads(self.process.stdout.readline())
            if self.known[line].startswith("ERROR "):
                raise ExtensionError("formula '%s': %s" % (tex, self.known[line][len("ERROR "):]))
        return self.known[line]


formulas = Formulas()


def visit_inline(self: Any, node: nodes.math) -> None:
    self.body.append(formulas.html(node.astext(), False))
    raise nodes.SkipNode


def visit_block(self: Any, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="formula"))
    self.body.append('<div class="formula-body">%s</div>' % formulas.html(node.astext(), True))
    if node["number"]:
        self.body.append('<span class="formula-number">(%s)</span>' % get_node_equation_number(self, node))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def block_language(text: str) -> str:
    """The language of a block that names none."""
    if COMMAND.search(text):
        return "bash"
    if re.search(r"^#include|^(?:static|const|int|void|carom_\w+) .*[;{]$", text, re.M):
        return "c"
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and sum(bool(SCENE.match(line) or line.startswith(("  ", "#"))) for line in lines) == len(lines):
        return "yaml"
    return "text"


def read(app: Sphinx, document: nodes.document) -> None:
    for block in document.findall(nodes.literal_block):
        if block.get("language", "none") in ("none", "default", ""):
            block["language"] = block_language(block.astext())
    number = 0
    for block in list(document.findall(nodes.literal_block)):
        parent = block.parent
        follower = parent.index(block) + 1
        after = parent[follower] if follower < len(parent) else None
        if block["language"] == "sh" and isinstance(after, nodes.literal_block) and after.get("language") == "python":
            number += 1
            position = parent.index(block)
            parent.remove(block)
            parent.remove(after)
            parent.insert(position, tabs(number, block, after))


def raw(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def tabs(number: int, shell: nodes.Element, python: nodes.Element) -> nodes.container:
    box = nodes.container(classes=["tabs"])
    for name, label, block in (("shell", "Command line", shell), ("python", "Python", python)):
        identity = "tab-%d-%s" % (number, name)
        box += raw('<input type="radio" name="tab-%d" id="%s" data-tab="%s"%s><label for="%s">%s</label>'
                   % (number, identity, name, " checked" if name == "shell" else "", identity, label))
        panel = nodes.container(classes=["panel"])
        panel += block
        box += panel
    return box


def texts(app: Sphinx, error: Any) -> None:
    """The text of each page, for the order and the summaries of search results: a browser reads no other file without a server."""
    if error or app.builder.name != "html":
        return
    found: Dict[str, str] = {}
    for name in app.env.found_docs:
        words: List[str] = [node.astext() for node in app.env.get_doctree(name).findall(nodes.paragraph)]
        found[name] = " ".join(" ".join(words).split())
    text = "window.PAGE_TEXTS = %s;\n" % json.dumps(found, ensure_ascii=False)
    (Path(app.outdir) / "_static" / "texts.js").write_text(text, encoding="utf-8")


def page_scripts(app: Sphinx, name: str, template: str, context: Dict[str, Any], tree: Any) -> None:
    if name == "search":
        app.add_js_file("texts.js")
        app.add_js_file("search-offline.js")
        app.add_js_file("search-order.js")


def setup(app: Sphinx) -> Dict[str, Any]:
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.connect("doctree-read", read)
    app.connect("html-page-context", page_scripts)
    app.connect("build-finished", texts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": False}

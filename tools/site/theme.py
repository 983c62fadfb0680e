"""Completes the files of the theme furo in a built site. Debian's package lacks the rules for readers whose system is set to
dark, imports a style sheet from the root of a server, and loads its script as a module, which browsers refuse without a
server."""
from __future__ import annotations

import re
import shutil
from pathlib import Path

NORMALIZE = Path("/usr/share/javascript/normalize.css/normalize.css")
DARK = re.compile(r'body\[data-theme="dark"\] \{[^}]*--color-background-primary[^}]*\}')


def complete(static: Path) -> None:
    style(static / "styles" / "furo.css")
    script(static / "scripts" / "furo.js", static / "scripts" / "gumshoe-patched.js")


def style(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if "url(/javascript/" in text:
        shutil.copyfile(NORMALIZE, path.parent / "normalize.css")
        text = re.sub(r"url\(/javascript/[^)]*\)", "url(normalize.css)", text)
    dark = DARK.search(text)
    if "prefers-color-scheme" not in text and dark:
        rules = dark[0].replace('body[data-theme="dark"]', 'body:not([data-theme="light"])')
        text += "\n@media screen and (prefers-color-scheme: dark) {\n%s\n%s\n%s\n}\n" % (
            rules, 'html body:not([data-theme="light"]) .only-light { display: none !important; }',
            'html body:not([data-theme="light"]) .only-dark { display: block !important; }')
    path.write_text(text, encoding="utf-8")


def script(path: Path, module: Path) -> None:
    text = path.read_text(encoding="utf-8")
    rest = re.sub(r'^import Gumshoe from "[^"]*";\n', "", text)
    if rest != text:
        path.write_text(module.read_text(encoding="utf-8") + rest, encoding="utf-8")

"""Collects the sources of the site in one folder: the pages of docs/site, docs/*.md and other Markdown of the checkout, with
links between them rewritten for their places on the site. Links to other files of the checkout lead to pages that show these
files with highlighting; a link to a file that does not exist ends the build."""
from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple

import catalogue
import markdown
import notebook

# Markdown of the checkout: pattern, folder on the site ("" is its root).
PAGES = [
    ("docs/site/*.md", ""), ("docs/site/tutorials/*.md", "tutorials"), ("docs/site/theory/*.md", "theory"),
    ("docs/*.md", ""), ("docs/extending/*.md", "extending"), ("docs/cookbook/*.md", "cookbook"),
    ("experiments/results/*.md", "experiments/results"), ("CHANGELOG.md", ""), ("CONTRIBUTING.md", ""), ("packaging/README.md", ""),
    ("tests/bounds.md", "tests"), ("tests/mutants/results.md", "tests/mutants"), ("examples/notebooks/*.ipynb", "notebooks"),
]
# Pages with another name on the site.
NAMES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "README.md": "index.md", "packaging/README.md": "packaging.md",
         "examples": "gallery.md", "docs/cookbook/README.md": "cookbook/index.md"}
# Added to a page: the pages that it leads to.
BELOW = {"docs/cookbook/README.md": "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"}
MADE = "made:"  # begins a link to a file that is in place
PICTURES = {".png", ".svg", ".gif", ".jpg"}
LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".yaml": "yaml", ".yml": "yaml", ".sh": "bash", ".cff": "yaml",
             ".patch": "diff", ".txt": "text", "": "text", ".mjs": "javascript", ".js": "javascript",
             ".cmake": "cmake", ".json": "json", ".toml": "toml", ".css": "css", ".csv": "text", ".ipynb": "json"}


class Broken(Exception):
    """Links without a target: one line each."""


class Assembly:
    """The pages of the site, by path in the checkout, and the files that they show."""

    def __init__(self, root: Path, target: Path) -> None:
        self.root = root
        self.target = target
        self.pages: Dict[str, str] = {}
        self.shown: Dict[str, str] = {}
        self.faults: List[str] = []
        for pattern, folder in PAGES:
            for path in sorted(root.glob(pattern)):
                name = path.relative_to(root).as_posix()
                self.pages[name] = NAMES.get(name, os.path.join(folder, path.stem + ".md"))

    def run(self) -> None:
        shutil.rmtree(self.target, ignore_errors=True)
        for source, place in self.pages.items():
            self.write(place, self.rewritten(source, place, self.text(source, place)) + BELOW.get(source, ""))
        waiting = dict(self.shown)
        for source, place in waiting.items():
            self.write(place, self.shown_page(source))
        if self.faults:
            raise Broken("\n".join(self.faults))

    def text(self, source: str, place: str) -> str:
        path = self.root / source
        if path.suffix != ".ipynb":
            return path.read_text(encoding="utf-8")
        pictures: List[str] = []

        def picture(data: bytes) -> str:
            pictures.append("pictures/%s-%d.png" % (path.stem, len(pictures)))
            file = self.target / "pictures" / Path(pictures[-1]).name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            return MADE + os.path.relpath(pictures[-1], os.path.dirname(place))

        return notebook.page(path, picture)

    def write(self, place: str, text: str) -> None:
        path = self.target / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def rewritten(self, source: str, place: str, text: str) -> str:
        """The text with the links of a page at `place`, and included scenes."""
        if "docs/cookbook/README.md" not in self.pages:
            text = text.replace("\ncookbook/index\n", "\n")
        lines = markdown.replace_links(text, lambda link, image: self.link(source, place, link, image))
        return catalogue.expanded(self.root, lines, catalogue.depth_of(place))

    def link(self, source: str, place: str, link: str, image: bool) -> str:
        if re.match(r"[a-z]+:|#", link):
            return link[len(MADE):] if link.startswith(MADE) else link
        path, _, anchor = link.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(source), path))
        goal = self.place_of(file, image)
        if goal is None:
            self.faults.append("%s: the link '%s' leads to no file" % (source, link))
            return link
        if file == "README.md":
            anchor = ""  # its headings are those of the repository, not of the start page
        return os.path.relpath(goal, os.path.dirname(place) or ".") + ("#" + anchor if anchor else "")

    def place_of(self, file: str, image: bool) -> Optional[str]:
        """Where a file of the checkout is on the site; files that are no pages are added."""
        if file in self.pages:
            return self.pages[file]
        if file in NAMES:
            return NAMES[file]
        path = self.root / file
        if path.is_dir():
            return self.show(file, os.path.join("files", file, "index.md"))
        if not path.is_file():
            return file[len("docs/site/"):] if file.startswith("docs/site/reference/") else None
        if image or path.suffix in PICTURES:
            place = os.path.join("pictures", file.replace("docs/pictures/", "").replace("/", "-"))
            (self.target / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.target / place)
            return place
        return self.show(file, os.path.join("files", file + ".md"))

    def show(self, file: str, place: str) -> str:
        self.shown[file] = place
        return place

    def shown_page(self, file: str) -> str:
        """A page that shows a file, or lists a folder."""
        path = self.root / file
        head = "---\norphan: true\n---\n\n"
        if path.is_dir():
            rows = ["- %s" % self.listed(file, item) for item in sorted(path.iterdir()) if not item.name.startswith((".", "__"))]
            return head + "# %s/\n\n" % file + "\n".join(rows) + "\n"
        text = path.read_text(encoding="utf-8", errors="replace")
        if len(text) > 200000:
            text = text[:200000] + "\n(shortened: the file has %d characters)\n" % len(text)
        fence = "`" * max(3, max((len(m) for m in re.findall("`+", text)), default=0) + 1)
        return head + "# %s\n\n%s%s\n%s\n%s\n" % (file, fence, LANGUAGES.get(path.suffix, "text"), text.rstrip("\n"), fence)

    def listed(self, folder: str, item: Path) -> str:
        name = "%s/%s" % (folder, item.name)
        known = self.pages.get(name) or self.shown.get(name)
        if item.is_file() and item.suffix in LANGUAGES and not known:
            known = self.show(name, os.path.join("files", name + ".md"))
            self.write(known, self.shown_page(name))
        if not known:
            return "`%s`" % item.name
        return "[%s](%s)" % (item.name, os.path.relpath(known, os.path.join("files", folder)))


def page_sources(root: Path) -> Iterator[Tuple[str, Path]]:
    """All Markdown of the site: path in the checkout, file."""
    for source in Assembly(root, root / "build" / "none").pages:
        yield source, root / source

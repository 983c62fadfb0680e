"""The pictures and films of the site: docs/site/gallery.txt lists them, `carom run` and `carom render` make them from the
examples, and pages refer to them by comments that repository views ignore:

    <!-- film: NAME -->           replaces the image after it by the film of the gallery's entry NAME
    <!-- gallery: ENGINE -->      all entries of an engine, with their scenes and commands
    <!-- scene: PATH -->          the text of a scene, folded"""
from __future__ import annotations

import html
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, List, NamedTuple

SIZE = "640x480"


class Entry(NamedTuple):
    """One line of the table."""
    name: str
    example: str
    engine: str
    film: bool
    render: List[str]
    caption: str


def entries(root: Path) -> Dict[str, Entry]:
    found: Dict[str, Entry] = {}
    for line in (root / "docs/site/gallery.txt").read_text(encoding="utf-8").split("\n"):
        if line.strip() and not line.startswith("#"):
            name, example, engine, kind, render, caption = [part.strip() for part in line.split("|")]
            found[name] = Entry(name, example, engine, kind == "film", render.split(), caption)
    return found


def depth_of(place: str) -> str:
    return "../" * place.count("/")


def expanded(root: Path, text: str, up: str = "") -> str:
    """A page with its comments replaced."""
    known = entries(root)
    text = re.sub(r"<!-- film: ([\w-]+) -->\s*!\[([^\]]*)\]\([^)]*\)", lambda m: shown(known[m[1]], m[2], up), text)
    text = re.sub(r"<!-- gallery: (\w+) -->", lambda m: "\n".join(listed(root, e, up) for e in known.values() if e.engine == m[1]), text)
    return re.sub(r"<!-- scene: (\S+) -->", lambda m: folded(root, m[1]), text)


def shown(entry: Entry, alt: str, up: str) -> str:
    """HTML of a picture or film, for light and for dark."""
    out = []
    for look in ("light", "dark"):
        base = "%s_static/gallery/%s-%s" % (up, entry.name, look)
        if entry.film:
            out.append('<video class="only-%s" poster="%s.png" width="640" height="480" autoplay muted loop playsinline '
                       'aria-label="%s"><source src="%s.mp4" type="video/mp4"></video>' % (look, base, html.escape(alt), base))
        else:
            out.append('<img class="only-%s" src="%s.png" width="640" height="480" alt="%s">' % (look, base, html.escape(alt)))
    return '<div class="shown">\n%s\n</div>\n' % "\n".join(out)


def film_options(entry: Entry) -> List[str]:
    """The options of a picture without the choice of its frame."""
    words = entry.render
    return [word for n, word in enumerate(words) if word != "--frame" and words[max(n - 1, 0)] != "--frame"]


def commands(entry: Entry) -> str:
    file = os.path.basename(entry.example)[:-len(".yaml")]
    options = film_options(entry) + ["-o", file + ".mp4"] if entry.film else entry.render
    return "```sh\ncarom run %s\ncarom render %s\n```" % (entry.example, " ".join([file + ".h5"] + options))


def listed(root: Path, entry: Entry, up: str) -> str:
    """An entry of the gallery."""
    title = re.search(r"^title: (.*)$", (root / entry.example).read_text(encoding="utf-8"), re.M)
    head = title[1] if title else entry.name
    return "### %s\n\n%s\n%s\n\n%s\n\n%s\n" % (head, shown(entry, head, up), entry.caption, commands(entry), folded(root, entry.example))


def folded(root: Path, path: str) -> str:
    text = (root / path).read_text(encoding="utf-8").rstrip("\n")
    return "<details><summary>%s</summary>\n\n```yaml\n%s\n```\n\n</details>\n" % (path, text)


def make(root: Path, carom: Path, cache: Path) -> None:
    """Makes the pictures and films that the cache lacks, or whose scene or options have changed. A change of carom does not
    make them again: remove the cache after a change of what they show."""
    cache.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(lambda entry: make_entry(root, carom, cache, entry), entries(root).values()))


def make_entry(root: Path, carom: Path, cache: Path, entry: Entry) -> None:
    scene = root / entry.example
    key = "%s\n%s\n%s" % (scene.read_text(encoding="utf-8"), " ".join(entry.render), entry.film)
    record = cache / (entry.name + ".key")
    if record.exists() and record.read_text(encoding="utf-8") == key:
        return
    print("site: %s" % entry.name, flush=True)
    result = cache / (entry.name + ".h5")
    run(carom, "run", scene, "-o", result, "--quiet", "--force", cwd=root)
    for look in ("light", "dark"):
        base = cache / ("%s-%s" % (entry.name, look))
        dark = ["--dark"] if look == "dark" else []
        run(carom, "render", result, "-o", "%s.png" % base, "--force", "--size", SIZE, *entry.render, *dark, cwd=root)
        if entry.film:
            run(carom, "render", result, "-o", "%s.mp4" % base, "--force", "--size", SIZE, *film_options(entry), *dark, cwd=root)
    result.unlink()
    record.write_text(key, encoding="utf-8")


def run(carom: Path, *words: object, cwd: Path) -> None:
    done = subprocess.run([str(carom)] + [str(word) for word in words], cwd=str(cwd), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    if done.returncode:
        raise SystemExit("site: carom %s: %s" % (" ".join(str(word) for word in words), done.stdout))

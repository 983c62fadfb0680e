"""Makes libcarom independent of the libraries of the machine: copies those that it needs, with names and search paths of
their own, so that a process can load other versions of them beside.

Libraries that are needed for the loader only (UNUSED) are replaced by stubs with the same symbols: no function that carom
calls reaches them. They would more than double the size of the wheel."""
from __future__ import annotations

import platform
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

CAIRO = "libcairo.so.2"

# Part of every Linux system with the GNU C library; PEP 600 permits wheels to rely on them.
SYSTEM = re.compile(r"^(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|util|gcc_s|stdc\+\+))\.so\.\d+$")

# Libraries of parts that carom does not use, with these parts.
UNUSED = [
    (re.compile(r"^lib(curl|crypto)\b"), "HDF5: files in object stores (the ros3 driver)"),
    (re.compile(r"^lib(X|xcb)"), "cairo: drawing in windows of the X Window System"),
    (re.compile(r"^libbrotli"), "FreeType: compressed fonts of web pages (WOFF2)"),
]


def bundled_name(name: str) -> str:
    """libyaml-0.so.2 -> libcarom-yaml-0.so.2"""
    return "libcarom-" + name[len("lib"):]


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(path: Path) -> list[str]:
    """The libraries that a file names."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", _output("readelf", "-dW", str(path)))


def _loaded(path: Path) -> dict[str, Path]:
    """The file of each library that the loader would load for this one."""
    return {name: Path(file) for name, file in re.findall(r"^\s*(\S+) => (/\S+)", _output("ldd", str(path)), re.MULTILINE)}


def symbols(path: Path) -> tuple[set[str], dict[str, str]]:
    """The names that a file leaves undefined, and those that it defines, with their versions ("" without)."""
    undefined, defined = set(), {}
    for line in _output("readelf", "--dyn-syms", "-W", str(path)).splitlines():
        words = line.split()
        if len(words) < 8 or not words[0].endswith(":") or words[4] == "LOCAL":
            continue
        name, _, version = words[7].partition("@")
        if words[6] == "UND":
            undefined.add(name)
        else:
            defined[name] = version.lstrip("@")
    return undefined, defined


def glibc_version(files: list[Path]) -> tuple[int, int] | None:
    """The oldest C library that has all the symbols in use; None without the GNU C library."""
    versions = set()
    for file in files:
        text = _output("readelf", "-VW", str(file))
        versions |= {(int(major), int(minor)) for major, minor in re.findall(r"\bGLIBC_(\d+)\.(\d+)", text)}
        if "GLIBC_ABI_DT_RELR" in text:
            versions.add((2, 36))
    return max(versions, default=None)


def platform_tag(files: list[Path]) -> str:
    """manylinux_2_N_MACHINE (PEP 600)"""
    version = glibc_version(files)
    return "linux_" + platform.machine() if version is None else \
        "manylinux_%d_%d_%s" % (*version, platform.machine())


def _unused_part(name: str) -> str | None:
    return next((part for pattern, part in UNUSED if pattern.match(name)), None)


@dataclass
class Closure:
    """The libraries that libcarom and cairo need."""

    copied: dict[str, Path] = field(default_factory=dict)
    replaced: dict[str, Path] = field(default_factory=dict)


def closure(library: Path, cairo: Path) -> Closure:
    found = {**_loaded(library), **_loaded(cairo), CAIRO: cairo}
    result = Closure()
    open_names = [CAIRO, *needed(library)]
    while open_names:
        name = open_names.pop()
        if name in result.copied or name in result.replaced or SYSTEM.match(name):
            continue
        if name not in found:
            raise SystemExit("carom: the loader does not find %s, which libcarom needs" % name)
        if _unused_part(name):
            result.replaced[name] = found[name]
        else:
            result.copied[name] = found[name]
            open_names += needed(found[name])
    return result


def _write_stub(name: str, original: Path, wanted: set[str], folder: Path, scratch: Path) -> None:
    """A library in place of `original`: its functions among `wanted`, which return 0."""
    versions: dict[str, list[str]] = {}
    for symbol, version in symbols(original)[1].items():
        if symbol in wanted:
            versions.setdefault(version, []).append(symbol)
    names = sorted(symbol for group in versions.values() for symbol in group)
    source, script = scratch / (name + ".c"), scratch / (name + ".map")
    source.write_text("".join("void *%s(void) { return (void *)0; }\n" % symbol for symbol in names))
    script.write_text("".join("%s { global: %s; };\n" % (version, "; ".join(sorted(group)))
                              for version, group in sorted(versions.items()) if version))
    link = ["-Wl,--version-script=" + str(script)] if any(versions) else []
    _output("cc", "-shared", "-fPIC", "-O1", "-nostdlib", "-fno-builtin", "-s", "-o", str(folder / bundled_name(name)),
            "-Wl,-soname," + bundled_name(name), *link, str(source))


def _rename(copy: Path, renamed: dict[str, str]) -> None:
    """Gives a copied library its name, the new names of those that it needs, and its own folder as search path."""
    _output("strip", "--strip-unneeded", str(copy))
    expected = [renamed.get(name, name) for name in needed(copy)]
    # One call each: patchelf 0.14 confuses the texts of several operations.
    if copy.name in renamed.values():
        _output("patchelf", "--set-soname", copy.name, str(copy))
    _output("patchelf", "--set-rpath", "$ORIGIN", str(copy))
    replacements = [word for name in needed(copy) if name in renamed for word in ("--replace-needed", name, renamed[name])]
    if replacements:
        _output("patchelf", *replacements, str(copy))
    if needed(copy) != expected:
        raise SystemExit("carom: patchelf changed %s to need %s instead of %s" % (copy.name, needed(copy), expected))


def bundle(library: Path, command: Path, cairo: Path, folder: Path, scratch: Path) -> Closure:
    """Fills `folder` with the library, the command and all that they need beside the C library."""
    libraries = closure(library, cairo)
    renamed = {name: bundled_name(name) for name in [*libraries.copied, *libraries.replaced]}
    wanted: set[str] = set()
    for source, target in [(library, library.name), (command, command.name),
                           *((path, bundled_name(name)) for name, path in libraries.copied.items())]:
        copy = folder / target
        shutil.copyfile(source, copy)
        copy.chmod(0o755)
        _rename(copy, renamed)
        wanted |= symbols(source)[0]
    for name, path in libraries.replaced.items():
        _write_stub(name, path, wanted, folder, scratch)
    return libraries


def cairo_file() -> Path:
    """The cairo that pkg-config, and with it the build, finds."""
    return Path(_output("pkg-config", "--variable=libdir", "cairo").strip()) / CAIRO


def _debian_package(file: Path) -> str | None:
    """The Debian package of a file; None on other systems."""
    real = str(file.resolve())
    for path in (real, real[len("/usr"):] if real.startswith("/usr/") else "/usr" + real):
        try:
            found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        except OSError:
            return None
        if found.returncode == 0:
            return found.stdout.split(": ")[0]
    return None


def licences(libraries: Closure) -> dict[str, str]:
    """Texts by file name: those of the packages that bundled libraries come from, equal ones once, and a table of them."""
    texts, rows = {}, []
    for name, path in sorted(libraries.copied.items()):
        package = _debian_package(path)
        copyright_file = Path("/usr/share/doc") / (package or "").split(":")[0] / "copyright"
        if package is None or not copyright_file.is_file():
            rows.append("%s: copied from %s, whose licence was not found: add it before you pass this package on"
                        % (bundled_name(name), path))
            continue
        source = _output("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package)
        text = copyright_file.read_text(encoding="utf-8")
        file = next((known for known in texts if texts[known] == text), package.split(":")[0] + ".txt")
        texts[file] = text
        rows.append("%s: %s of Debian, source package %s, licence in %s" % (bundled_name(name), package, source, file))
    rows += ["%s: written by carom in place of %s, which serves a part that carom does not use (%s)"
             % (bundled_name(name), name, _unused_part(name)) for name in sorted(libraries.replaced)]
    texts["bundled.txt"] = ("Libraries in this package besides libcarom, with names and search paths of their own, otherwise "
                            "unchanged.\nThe licences are beside this file.\n\n" + "\n".join(rows) + "\n")
    return texts

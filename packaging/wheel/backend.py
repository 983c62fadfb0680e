"""The build backend of the Python package (PEP 517, PEP 660); packaging/README.md explains it.

A wheel contains the Python sources, libcarom, the command and the libraries that they need. With the setting
`library=system` it contains the Python sources only, for distributions whose package of libcarom is installed beside:
`pip install . --config-settings library=system`."""
from __future__ import annotations

import tempfile
from pathlib import Path

import archive
import bundle
import library
import project

PACKAGE = project.ROOT / "python" / "carom"
BUNDLE = "carom/lib"  # folder of the library in the package; python/carom/_library.py looks there first
EDITABLE_TAG = "py3-none-any"


def _is_pure(config_settings: dict[str, object] | None) -> bool:
    choice = (config_settings or {}).get("library", "bundled")
    if choice not in ("bundled", "system"):
        raise SystemExit("carom: the setting library is 'bundled' or 'system', not '%s'" % choice)
    return choice == "system"


def get_requires_for_build_wheel(config_settings: dict[str, object] | None = None) -> list[str]:
    return []


def get_requires_for_build_editable(config_settings: dict[str, object] | None = None) -> list[str]:
    return []


def get_requires_for_build_sdist(config_settings: dict[str, object] | None = None) -> list[str]:
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: dict[str, object] | None = None) -> str:
    folder = Path(metadata_directory) / archive.info_folder()
    folder.mkdir()
    for name, text in archive.info_files(EDITABLE_TAG).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def _add_command_and_licence(wheel: archive.Wheel) -> None:
    script = Path(__file__).with_name("command.py").read_bytes()
    wheel.add("%s-%s.data/scripts/carom" % (project.NAME, project.version()), script, executable=True)
    wheel.add(wheel.info + "/licenses/LICENSE", (project.ROOT / "LICENSE").read_bytes())


def _add_sources(wheel: archive.Wheel) -> None:
    for path in sorted(PACKAGE.rglob("*")):
        relative = path.relative_to(PACKAGE)
        if path.is_file() and "__pycache__" not in relative.parts and relative.parts[0] != "lib":
            wheel.add("carom/" + relative.as_posix(), path.read_bytes())


def build_wheel(wheel_directory: str, config_settings: dict[str, object] | None = None,
                metadata_directory: str | None = None) -> str:
    if _is_pure(config_settings):
        wheel = archive.Wheel(Path(wheel_directory), "py3-none-any")
        _add_sources(wheel)
        wheel.add(wheel.info + "/licenses/LICENSE", (project.ROOT / "LICENSE").read_bytes())
        wheel.close()
        return wheel.name
    library.setup("wheel")
    built = library.build("wheel", "-DCAROM_CAIRO_LIBRARY=" + bundle.bundled_name(bundle.CAIRO))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "bundle"
        folder.mkdir()
        libraries = bundle.bundle(library.shared_object(built), built / "carom", bundle.cairo_file(), folder, Path(scratch))
        files = sorted(folder.iterdir())
        wheel = archive.Wheel(Path(wheel_directory), "py3-none-" + bundle.platform_tag(files))
        _add_sources(wheel)
        for file in files:
            wheel.add("%s/%s" % (BUNDLE, file.name), file.read_bytes(), executable=True)
        wheel.add(BUNDLE + "/fonts.conf", Path(__file__).with_name("fonts.conf").read_bytes())
        for name, text in bundle.licences(libraries).items():
            wheel.add("%s/licenses/bundled/%s" % (wheel.info, name), text.encode())
    _add_command_and_licence(wheel)
    wheel.close()
    return wheel.name


def build_editable(wheel_directory: str, config_settings: dict[str, object] | None = None,
                   metadata_directory: str | None = None) -> str:
    """A wheel that refers to python/ of the checkout, with the library of build/release (`make build` renews it)."""
    if not _is_pure(config_settings):
        library.setup("build")
        library.build_release()
    wheel = archive.Wheel(Path(wheel_directory), EDITABLE_TAG)
    wheel.add("carom.pth", (str(PACKAGE.parent) + "\n").encode())
    _add_command_and_licence(wheel)
    wheel.close()
    return wheel.name


def build_sdist(sdist_directory: str, config_settings: dict[str, object] | None = None) -> str:
    return archive.write_sdist(Path(sdist_directory))

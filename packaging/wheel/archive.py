"""Writes wheels (PEP 427) and source distributions (PEP 517). The same contents give the same bytes."""
from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import subprocess
import tarfile
import time
import zipfile
from pathlib import Path

import project

SKIPPED_FOLDERS = {".git", "build", "__pycache__"}


def _timestamp() -> int:
    """SOURCE_DATE_EPOCH, or the first time that a zip file can hold."""
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800)


class Wheel:
    """A wheel that is being written: `add` files, then `close`."""

    def __init__(self, folder: Path, tag: str) -> None:
        self.name = "%s-%s-%s.whl" % (project.NAME, project.version(), tag)
        self.info = info_folder()
        self._tag = tag
        self._record: list[str] = []
        self._zip = zipfile.ZipFile(folder / self.name, "w", zipfile.ZIP_DEFLATED, compresslevel=9)

    def add(self, name: str, data: bytes, executable: bool = False) -> None:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._record.append("%s,sha256=%s,%d" % (name, digest, len(data)))
        self._write(name, data, executable)

    def _write(self, name: str, data: bytes, executable: bool) -> None:
        entry = zipfile.ZipInfo(name, time.gmtime(_timestamp())[:6])
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self._zip.writestr(entry, data, compresslevel=9)

    def close(self) -> None:
        for name, text in info_files(self._tag).items():
            self.add("%s/%s" % (self.info, name), text.encode())
        record = self.info + "/RECORD"
        self._write(record, "\n".join(self._record + [record + ",,", ""]).encode(), False)
        self._zip.close()


def info_folder() -> str:
    return "%s-%s.dist-info" % (project.NAME, project.version())


def info_files(tag: str) -> dict[str, str]:
    """The files of the folder dist-info besides RECORD and licences."""
    pure = str(tag.endswith("-none-any")).lower()
    return {"METADATA": project.metadata(),
            "WHEEL": "Wheel-Version: 1.0\nGenerator: carom\nRoot-Is-Purelib: %s\nTag: %s\n" % (pure, tag)}


def source_files() -> list[str]:
    """The tracked files; outside a checkout (in an unpacked source distribution) all files but build results."""
    listed = subprocess.run(["git", "-C", str(project.ROOT), "ls-files", "-z"], capture_output=True, text=True) \
        if (project.ROOT / ".git").exists() else None
    if listed is not None and listed.returncode == 0:
        names = [name for name in listed.stdout.split("\0") if name and (project.ROOT / name).is_file()]
    else:
        names = []
        for folder, folders, files in os.walk(project.ROOT):
            folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS]
            names += [os.path.relpath(os.path.join(folder, name), project.ROOT) for name in files]
    return sorted(name for name in names if name != "PKG-INFO")


def write_sdist(folder: Path) -> str:
    """Writes carom-VERSION.tar.gz, whose only folder has that name and contains PKG-INFO besides the sources."""
    base = "%s-%s" % (project.NAME, project.version())
    with open(folder / (base + ".tar.gz"), "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=_timestamp()) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        def add(name: str, data: bytes, mode: int) -> None:
            entry = tarfile.TarInfo(base + "/" + name)
            entry.size, entry.mode, entry.mtime = len(data), mode, _timestamp()
            tar.addfile(entry, io.BytesIO(data))
        for name in source_files():
            path = project.ROOT / name
            add(name, path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
        add("PKG-INFO", project.metadata().encode(), 0o644)
    return base + ".tar.gz"

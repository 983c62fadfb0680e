"""Detects a version, licence or file list of the Python package, of a recipe in packaging/ or of CITATION.cff that disagrees with
the sources, and a wheel or source distribution that is incomplete."""
import base64
import email
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from unittest import mock

SOURCE = Path(os.environ["CAROM_SOURCE"])
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "packaging" / "wheel"))
import archive  # noqa: E402
import backend  # noqa: E402
import bundle  # noqa: E402
import checks  # noqa: E402
import project  # noqa: E402


def text_of(name):
    return (SOURCE / name).read_text(encoding="utf-8")


# ---- the version ----
version = project.version()
built = subprocess.run([os.environ["CAROM"], "--version"], check=True, capture_output=True, text=True).stdout
checks.check("the command has the version of CMakeLists.txt", built.startswith("carom %s (" % version), built)
abi = re.search(r"set\(CAROM_ABI (\d+)\)", text_of("CMakeLists.txt"))[1]
for name, pattern in [
        ("CITATION.cff", r"^version: (\S+)$"),
        ("CHANGELOG.md", r"^## (\S+) - "),
        ("packaging/debian/changelog", r"\Acarom \(([0-9.]+)-\d+\)"),
        ("packaging/conda/recipe.yaml", r'^  version: "(\S+)"$'),
        ("packaging/spack/package.py", r'version\("([0-9.]+)"'),
        ("packaging/container/Containerfile", r'org.opencontainers.image.version="(\S+)"')]:
    found = re.search(pattern, text_of(name), re.MULTILINE)
    checks.check("%s has version %s" % (name, version), found and found[1] == version, "it has %s" % (found and found[1]))
for name, pattern in [
        ("cmake/exports.map", r"^CAROM_(\d+) {"),
        ("packaging/debian/control", r"^Package: libcarom(\d+)$"),
        ("python/carom/_library.py", r"libcarom\.so\.(\d+)")]:
    found = set(re.findall(pattern, text_of(name), re.MULTILINE))
    checks.check("%s has the number %s of the binary interface" % (name, abi), found == {abi}, str(found))

# ---- the packages that the build needs ----
setup = re.search(r"^build_needs\(\) {(.*?)^}", text_of("tools/setup.sh"), re.MULTILINE | re.DOTALL)[1]
libraries = [name for name, _ in re.findall(r"want (\S+) (has_library|has_header \S*/)", setup)]
control = text_of("packaging/debian/control")
checks.check("tools/setup.sh wants libraries", len(libraries) > 4, setup)
for name in libraries:
    checks.check("the Debian package is built with " + name, re.search(r"^ +%s,?$|^Build-Depends:.*\b%s,$" % (name, name), control, re.MULTILINE))
for name in ["conda/recipe.yaml", "spack/package.py"]:
    missing = [library for library in libraries if not re.search(
        {"libyaml-dev": r"- yaml\b|libyaml"}.get(library, re.sub(r"^lib(?!yaml)|1?g?2?-dev$", "", library)), text_of("packaging/" + name))]
    checks.check("packaging/%s names the same libraries" % name, not missing, str(missing))

# ---- metadata ----
fields = email.message_from_string(project.metadata())
for key in ["Metadata-Version", "Name", "Version", "Summary", "Author", "License", "Keywords", "Requires-Python", "Classifier",
            "Requires-Dist", "License-File", "Description-Content-Type"]:
    checks.check("the metadata have the field " + key, bool(fields[key]))
checks.check("the description is README.md", fields.get_payload() == text_of("README.md"))
checks.check("the licence of the metadata is that of CITATION.cff", "\nlicense: %s\n" % fields["License"] in text_of("CITATION.cff"))
checks.check("numpy is the only requirement",
      [value for value in fields.get_all("Requires-Dist") if "extra" not in value] == ["numpy>=1.19"], str(fields.get_all("Requires-Dist")))
pins = {value.rsplit(" ", 1)[1] for value in fields.get_all("Classifier") if re.search(r":: 3\.\d+$", value)}
checks.check("the classifiers begin with the version of Requires-Python", fields["Requires-Python"] == ">=" +
      min(pins, key=lambda pin: int(pin[2:])), str(pins))
if sys.version_info >= (3, 11):
    import tomllib
    parsed = tomllib.loads(text_of("pyproject.toml"))
    own = project.project_tables()
    checks.check("the own reader of pyproject.toml agrees with tomllib", own["build-system"] == parsed["build-system"]
          and own["project.optional-dependencies"] == parsed["project"].pop("optional-dependencies")
          and {k: v for k, v in own["project"].items() if k != "authors"} == {k: v for k, v in parsed["project"].items() if k != "authors"})

# ---- a wheel without the library, and the source distribution ----
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / backend.build_wheel(folder, {"library": "system"})
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        record = wheel.read(archive.info_folder() + "/RECORD").decode().splitlines()
        rows = dict(line.split(",", 1) for line in record)
        wrong = [name for name in names if not name.endswith("/RECORD") and rows.get(name) != "sha256=%s,%d" % (
            base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=").decode(), len(wheel.read(name)))]
    checks.check("the record of the wheel agrees with its files", not wrong and set(rows) == set(names), str(wrong))
    modules = {"carom/" + file.relative_to(backend.PACKAGE).as_posix() for file in backend.PACKAGE.rglob("*.py")}
    checks.check("the wheel has all modules", modules and modules <= set(names), str(modules - set(names)))
    checks.check("the marker of typed packages is among them", "carom/py.typed" in names)
    checks.check("a wheel without the library suits any machine", path.name.endswith("-py3-none-any.whl"), path.name)
    tracked = subprocess.run(["git", "-C", str(SOURCE), "ls-files"], capture_output=True, text=True)
    if (SOURCE / ".git").exists() and tracked.returncode == 0:
        sdist = backend.build_sdist(folder)
        with tarfile.open(Path(folder) / sdist) as tar:
            names = [member.name for member in tar.getmembers()]
            tar.extractall(folder)
        (Path(folder) / "later").mkdir()
        with mock.patch("time.time", return_value=4e9):
            backend.build_sdist(folder + "/later")
        checks.check("the source distribution does not depend on the time",
              (Path(folder) / sdist).read_bytes() == (Path(folder) / "later" / sdist).read_bytes())
        base = "carom-%s/" % version
        expected = {base + name for name in tracked.stdout.splitlines() if (SOURCE / name).is_file()} | {base + "PKG-INFO"}
        checks.check("the source distribution has the tracked files", set(names) == expected, str(set(names) ^ expected))
        (Path(folder) / "again").mkdir()
        again = subprocess.run(
            [sys.executable, "-B", "-c", "import backend; print(backend.build_sdist(%r), backend.build_wheel(%r, {'library': 'system'}))"
             % ((folder + "/again",) * 2)], cwd=Path(folder) / base / "packaging" / "wheel", capture_output=True, text=True)
        with tarfile.open(Path(folder) / "again" / sdist) as tar:
            repeated = [member.name for member in tar.getmembers()]
        checks.check("a source distribution of an unpacked one has the same files",
              set(repeated) == set(names), again.stderr + str(set(names) ^ set(repeated)))
    try:
        backend.build_wheel(folder, {"library": "systm"})
        checks.check("a wrong setting is refused", False)
    except SystemExit as error:
        checks.check("a wrong setting is refused", "not 'systm'" in str(error), str(error))

# ---- rules of the bundle ----
checks.check("the C library is not bundled", all(bundle.SYSTEM.match(name) for name in ["libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"]))
checks.check("other libraries are", not any(bundle.SYSTEM.match(name) for name in ["libcairo.so.2", "libmd.so.0", "libcrypto.so.3"]))
checks.check("only libraries of unused parts become stubs", not any(bundle._unused_part(name) for name in [
    "libcairo.so.2", "libhdf5_serial.so.103", "libyaml-0.so.2", "libz.so.1", "libfontconfig.so.1"]))
sys.exit(checks.failures > 0)

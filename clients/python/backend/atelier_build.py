"""Builds the wheel and the source archive by the standard library alone, so that pip needs no network for it (PEP 517)."""

import base64
import hashlib
import io
import pathlib
import re
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = "atelier_sdk"


def _project():
    # tomllib is there from Python 3.11 on, and the file is of one's own making.
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    value = lambda key: re.search(rf'^{key} = "(.*)"$', text, re.MULTILINE).group(1)
    return value("version"), value("description"), value("requires-python"), re.search(r'^async = \["(.*)"\]$', text, re.MULTILINE).group(1)


def _metadata():
    version, description, python, httpx = _project()
    head = [
        "Metadata-Version: 2.1", "Name: atelier-sdk", f"Version: {version}", f"Summary: {description}", "License: Apache-2.0",
        f"Requires-Python: {python}", "Classifier: Typing :: Typed", "Provides-Extra: async", f'Requires-Dist: {httpx}; extra == "async"',
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(head) + "\n\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def _sources():
    return sorted(path for path in (ROOT / "src" / PACKAGE).rglob("*") if path.suffix == ".py" or path.name == "py.typed")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = _project()[0]
    info = f"{PACKAGE}-{version}.dist-info"
    files = [(path.relative_to(ROOT / "src").as_posix(), path.read_bytes()) for path in _sources()]
    files += [
        (f"{info}/METADATA", _metadata().encode()),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: atelier_build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    ]
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in files) + f"{info}/RECORD,,\n"
    files.append((f"{info}/RECORD", record.encode()))
    name = f"{PACKAGE}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files:
            entry = zipfile.ZipInfo(path)  # the same bytes at every build
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content)
    return name


def build_sdist(sdist_directory, config_settings=None):
    version = _project()[0]
    folder = f"{PACKAGE}-{version}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{folder}.tar.gz", "w:gz") as archive:
        for path in [ROOT / "pyproject.toml", ROOT / "README.md", ROOT / "backend" / "atelier_build.py", *_sources()]:
            archive.add(path, f"{folder}/{path.relative_to(ROOT).as_posix()}", recursive=False)
        content = _metadata().encode()
        entry = tarfile.TarInfo(f"{folder}/PKG-INFO")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return f"{folder}.tar.gz"


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()

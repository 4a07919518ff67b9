"""Assemble what the playground loads: Pyodide, the libraries, the compiler with its caches, and the editor.

    python docs/playground/assemble.py FOLDER           into FOLDER, the folder `playground` of the built manual
    python docs/playground/assemble.py --fetch          only fetch what others made, into the cache
    python docs/playground/assemble.py --check          exit 1 unless all of that is there

What others made is fetched once, by npm in the releases of `package-lock.json` and by pip in those that are named here,
and kept in the cache folder (`--downloads DIR` names another one). None of it is in this repository. The compiler is
taken from this checkout, run once in Node for its caches, and packed into two archives; these and the memory of a
Python that has started are made again only if one of their inputs changes. esbuild bundles the editor with the packages
that it is made of.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

PACKAGES = ("package.json", "package-lock.json", ".npmrc")
"""What npm is told by: Pyodide, what the editor is made of, and esbuild."""

PYTHON, PLATFORM = "3.14", "pyemscripten_2026_0_wasm32"
"""The Python of that release of Pyodide, and its platform, for pip."""

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that a page loads."""

LIBRARIES = (
    "annotated-types==0.8.0",
    "jinja2==3.1.6",
    "lark==1.3.1",
    "markupsafe==3.0.4",
    "pydantic==2.14.4",
    "pydantic-core==2.50.5",
    "typing-extensions==4.16.0",
    "typing-inspection==0.4.5",
)
"""The libraries that plans and targets need. jsonschema is not among them: only tests and foreign files need it."""

NATIVE = ("markupsafe/_speedups",)
"""Parts of libraries that are for another machine, and have a replacement in Python."""

ROOMS = {
    "compiler": "setpoint/compiler",
    "targets": "setpoint/targets",
    "grammar": "setpoint/grammar",
    "stdlib": "setpoint/stdlib",
    "docs/diagnostics": "setpoint/docs/diagnostics",
}
"""The folders of the checkout that the wheel has, and their places in it."""

PACKED = {
    "plans.tar": "plans.tar.gz",
    "libraries.tar": "libraries.tar.gz",
    "started.bin": "started.bin.gz",
}
"""The archives and the memory of a Python that has started, and their names as a page loads them."""


def main(arguments: list[str] | None = None) -> None:
    """Fetch and assemble."""
    parser = argparse.ArgumentParser(description="Assemble what the playground loads.")
    parser.add_argument("folder", nargs="?", type=Path, help="the folder `playground` of the built manual")
    parser.add_argument("--fetch", action="store_true", help="only fetch what others made")
    parser.add_argument("--check", action="store_true", help="exit 1 unless what others made is there")
    parser.add_argument("--downloads", type=Path, default=_cache(), metavar="DIR", help="where to keep it")
    options = parser.parse_args(arguments)
    if [bool(options.folder), options.fetch, options.check].count(True) != 1:
        parser.error("name a folder, or say --fetch or --check")
    if options.check:
        sys.exit(0 if is_fetched(options.downloads) else 1)
    try:
        fetch(options.downloads)
        if options.folder:
            assemble(options.folder, options.downloads)
    except OSError as error:
        way = ": install Node.js, which brings it" if error.filename in ("node", "npm") else ""
        sys.exit(f"assemble: {error.filename}: {error.strerror}{way}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"assemble: `{' '.join(map(str, error.cmd))}` failed with status {error.returncode}")


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "setpoint-playground"


# ------------------------------------------------------------------------------ what others made


RELEASES = "\n".join(((HERE / "package-lock.json").read_text(encoding="utf-8"), PYTHON, PLATFORM, *LIBRARIES))
"""What is fetched, as a file beside it says; that is written last."""


def is_fetched(downloads: Path) -> bool:
    """Whether the packages and the libraries are there in these releases."""
    releases = downloads / "releases"
    return releases.is_file() and releases.read_text(encoding="utf-8") == RELEASES


def fetch(downloads: Path) -> None:
    """Fetch the packages and the libraries, unless they are there; no script of a package runs."""
    if is_fetched(downloads):
        return
    shutil.rmtree(downloads, ignore_errors=True)
    downloads.mkdir(parents=True)
    for name in PACKAGES:
        shutil.copyfile(HERE / name, downloads / name)
    npm = ["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(npm, check=True, cwd=downloads)
    of_pyodide = [
        "--python-version",
        PYTHON,
        "--implementation",
        "cp",
        "--abi",
        f"cp{PYTHON.replace('.', '')}",
    ]
    of_pyodide += ["--platform", PLATFORM]
    for (
        library
    ) in LIBRARIES:  # one by one: that without a wheel for Pyodide is taken as it is for this machine
        here = library.split("==")[0] in {name.split("/")[0] for name in NATIVE}
        pip: list[str | Path] = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
        ]
        pip += [
            "--only-binary",
            ":all:",
            "--dest",
            downloads / "wheels",
            *([] if here else of_pyodide),
            library,
        ]
        subprocess.run(pip, check=True)
    (downloads / "releases").write_text(RELEASES, encoding="utf-8")


# ------------------------------------------------------------------------------------ the archives


def assemble(folder: Path, downloads: Path) -> None:
    """Put the compiler into `folder/compiler`, and the editor beside the page's scripts."""
    destination = folder / "compiler"
    destination.mkdir(parents=True, exist_ok=True)
    pyodide = downloads / "node_modules" / "pyodide"
    for name in CORE:
        shutil.copyfile(pyodide / name, destination / name)
    tree = _tree(downloads / "wheels")
    state = hashlib.sha256(tree + b"".join((HERE / name).read_bytes() for name in ("warm.mjs", "warm.py")))
    packed = downloads / "packed"
    stamp = packed / "state"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != state.hexdigest():
        shutil.rmtree(packed, ignore_errors=True)
        packed.mkdir()
        (packed / "tree.tar").write_bytes(tree)
        warm: list[str | Path] = [
            "node",
            HERE / "warm.mjs",
            pyodide,
            packed / "tree.tar",
            *(packed / name for name in PACKED),
        ]
        subprocess.run(warm, check=True)
        for name, compressed in PACKED.items():
            content = (packed / name).read_bytes()
            (packed / compressed).write_bytes(gzip.compress(content, compresslevel=9, mtime=0))
            (packed / name).unlink()
        stamp.write_text(state.hexdigest(), encoding="utf-8")
    for name in PACKED.values():
        shutil.copyfile(packed / name, destination / name)
    bundle_editor(folder, downloads / "node_modules")


def bundle_editor(folder: Path, modules: Path) -> None:
    """Bundle the editor into `editor.js`, and write the licences of its parts beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    record = modules.parent / "editor.json"
    esbuild = [
        "node",
        modules / "esbuild" / "bin" / "esbuild",
        HERE / "editor" / "index.js",
        "--log-level=warning",
    ]
    esbuild += ["--bundle", "--minify", "--format=esm", "--target=es2022"]
    esbuild += [f"--outfile={folder / 'editor.js'}", f"--metafile={record}"]
    subprocess.run(esbuild, check=True, cwd=modules.parent, env={**os.environ, "NODE_PATH": str(modules)})
    inputs = json.loads(record.read_text(encoding="utf-8"))["inputs"]
    packages = {match[1] for name in inputs if (match := PACKAGE.search(name))}
    notices = [_notice(modules / name) for name in sorted(packages)]
    (folder / "NOTICES.txt").write_text(f"\n{'-' * 72}\n\n".join(notices), encoding="utf-8")


PACKAGE = re.compile(r"node_modules/((?:@[^/]+/)?[^/]+)/")
"""The package of a bundled file."""


def _notice(package: Path) -> str:
    """What a package is, and the text of its licence."""
    about = json.loads((package / "package.json").read_text(encoding="utf-8"))
    (licence,) = package.glob("LICEN[CS]E*")
    return f"{about['name']} {about['version']} ({about['license']})\n\n{licence.read_text(encoding='utf-8').strip()}\n"


def _tree(wheels: Path) -> bytes:
    """The libraries and the compiler as an archive; the same inputs make the same bytes."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as tree:
        for name, data in sorted((*_of_libraries(wheels), *_of_compiler())):
            entry = tarfile.TarInfo(f"app/site/{name}")
            entry.size = len(data)
            tree.addfile(entry, io.BytesIO(data))
    return content.getvalue()


def _of_libraries(wheels: Path) -> Iterator[tuple[str, bytes]]:
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not name.endswith("/") and not name.startswith(NATIVE):
                    yield name, archive.read(name)


def _of_compiler() -> Iterator[tuple[str, bytes]]:
    for room, place in ROOMS.items():
        for path in (ROOT / room).rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                yield f"{place}/{path.relative_to(ROOT / room).as_posix()}", path.read_bytes()


if __name__ == "__main__":
    main()

"""What goes with the files that run: the manual page, completions, the SBOM, the provenance and the check sums."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from release.archives import gzipped, json_bytes, sha256, tar
from release.packages import LOCKED
from release.source import Source

TEXTS = {
    "share/man/man1/setpoint.1": ("help", "--format", "man"),
    "share/bash-completion/completions/setpoint": ("completion", "bash"),
    "share/zsh/site-functions/_setpoint": ("completion", "zsh"),
    "share/fish/vendor_completions.d/setpoint.fish": ("completion", "fish"),
}
"""The files for the shell, below a prefix such as `/usr/local`, and what prints them."""

SUMS = "SHA256SUMS"


def share(source: Source, commands: Path, place: Path) -> None:
    """The manual page and the completions, as one archive to unpack below a prefix."""
    files = {name: _printed(commands / "setpoint", *words) for name, words in TEXTS.items()}
    place.write_bytes(gzipped(tar(files, source.epoch), source.epoch))


def _printed(command: Path, *words: str) -> bytes:
    return subprocess.run(
        [command, *words], capture_output=True, check=True, env={**os.environ, "COLUMNS": "80"}
    ).stdout


def sbom(source: Source, commands: Path, place: Path) -> None:
    """The list of what is installed with the wheel, in CycloneDX's form."""
    command: list[str | Path] = [
        Path(sys.executable).with_name("cyclonedx-py"),
        "environment",
        "--output-reproducible",
        "--spec-version",
        "1.6",
    ]
    command += [
        "--pyproject",
        source.folder / "pyproject.toml",
        "--mc-type",
        "application",
        "--output-file",
        place,
    ]
    subprocess.run([*command, commands / "python"], check=True, capture_output=True)


def provenance(source: Source, made: Iterable[Path], libraries: Path, packages: Iterable[str]) -> bytes:
    """The provenance as a statement of in-toto, by SLSA's predicate: from which commit and which files the release was
    made."""
    predicate = {
        "buildDefinition": {
            "buildType": "urn:setpoint:make-release:1",
            "externalParameters": {
                "tag": source.tag,
                "version": source.version,
                "repository": source.address,
            },
            "internalParameters": {"SOURCE_DATE_EPOCH": source.epoch},
            "resolvedDependencies": [*_inputs(source, libraries), *map(_debian, packages)],
        },
        "runDetails": {
            "builder": {"id": os.environ.get("RELEASE_BUILDER", "urn:setpoint:somebody's-machine")}
        },
    }
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": path.name, "digest": {"sha256": sha256(path)}} for path in sorted(made)],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": predicate,
    }
    return json_bytes(statement)


def _inputs(source: Source, libraries: Path) -> Iterable[dict[str, Any]]:
    uri = f"git+{source.address}@{source.tag or source.commit}"
    yield {"name": "setpoint", "digest": {"gitCommit": source.commit}} | (
        {"uri": uri} if source.address else {}
    )
    for lock in (LOCKED, LOCKED.with_name("tools.txt")):
        yield {"name": lock.name, "digest": {"sha256": sha256(lock)}}
    for wheel in sorted(libraries.glob("*.whl")):
        name, version = wheel.name.split("-")[:2]
        yield {
            "name": wheel.name,
            "uri": f"pkg:pypi/{name.replace('_', '-')}@{version}",
            "digest": {"sha256": sha256(wheel)},
        }


def _debian(package: str) -> dict[str, Any]:
    name, version, architecture = package.split()
    return {"uri": f"pkg:deb/debian/{name}@{version}?arch={architecture}"}


def sums(made: Iterable[Path]) -> str:
    """Check sums as `sha256sum --check` reads them."""
    return "".join(f"{sha256(path)}  {path.name}\n" for path in sorted(made))

"""The OCI image: Debian with Python and the wheel, as one archive that podman, skopeo and docker load.

It is made by mmdebstrap from Debian's packages, so that neither a daemon nor somebody else's image is needed, and in
one layer. Setpoint and its libraries are compiled in it, and the knowledge base is loaded once: a container is gone
after its run, and so is all that it has cached.
"""

import os
import platform
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from release.archives import gzipped, json_bytes, sha256, tar
from release.packages import PIP
from release.source import ReleaseError, Source

SUITE, PYTHON = "bookworm", "3.11"
"""The release of Debian inside, and its Python."""

SITE = f"usr/local/lib/python{PYTHON}/dist-packages"

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}

LAUNCHER = """#!/usr/bin/python3 -I
import sys

from setpoint.compiler.cli import main

sys.exit(main())
"""

LEFT_OUT = ("/usr/share/man/*", "/usr/share/locale/*", "/usr/share/doc/*/*", "/usr/share/info/*")
"""What no container reads; licenses stay."""

# What is not the same each time is left out: what Debian compiles with the time, and the grammar's tables, which are
# made again in 0.3 s. Sets are kept in the order of their hashes.
WARM = """
chroot "$1" python3 -m compileall -q --invalidation-mode unchecked-hash /{site} >/dev/null
chroot "$1" env XDG_CACHE_HOME=/var/cache PYTHONHASHSEED=0 python3 -P -m setpoint.compiler plan -e 'goal latency; cpu westmere' >/dev/null 2>&1
rm -r "$1"/usr/share/python3/debpython/__pycache__ "$1"/var/cache/setpoint/grammar-*
chroot "$1" chmod -R a+rX /var/cache/setpoint
chroot "$1" dpkg-query -W -f '${{Package}} ${{Version}} ${{Architecture}}\\n' >{packages}
"""


def image(source: Source, wheel: Path, libraries: Path, place: Path, work: Path) -> list[str]:
    """Make the image; the Debian packages in it, each as `name version architecture`."""
    machine = platform.machine()
    if not shutil.which("mmdebstrap") or machine not in ARCHITECTURES:
        raise ReleaseError(
            "the image needs Linux on x86_64 or aarch64, and mmdebstrap: install it, or leave the image out (`--without-image`)"
        )
    tree, packages, root = work / "tree", work / "packages", work / "root.tar"
    _install(source, wheel, libraries, tree, machine)
    _bootstrap(source, tree, packages, root)
    layer = root.read_bytes()
    place.write_bytes(_archive(source, layer, ARCHITECTURES[machine]))
    return packages.read_text(encoding="utf-8").splitlines()


def _install(source: Source, wheel: Path, libraries: Path, tree: Path, machine: str) -> None:
    """Lay out what goes beside Debian's own files. Times are set now, since the cache of the knowledge base remembers
    them."""
    command = [
        *PIP,
        "install",
        "--no-index",
        "--no-compile",
        "--only-binary",
        ":all:",
        "--target",
        str(tree / SITE),
    ]
    command += [
        "--implementation",
        "cp",
        "--python-version",
        PYTHON,
        "--platform",
        f"manylinux2014_{machine}",
    ]
    command += ["--platform", f"manylinux_2_17_{machine}"]
    command += [
        "--find-links",
        str(libraries),
        "--find-links",
        str(wheel.parent),
        f"setpoint=={source.version}",
    ]
    subprocess.run(command, check=True)
    shutil.rmtree(
        tree / SITE / "bin"
    )  # its scripts name the Python that installs them, and so do the lists of files
    for record in (tree / SITE).glob("*.dist-info/RECORD"):
        lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
        record.write_text("".join(line for line in lines if "/bin/" not in line), encoding="utf-8")
    launcher = tree / "usr/local/bin/setpoint"
    launcher.parent.mkdir(parents=True)
    launcher.write_text(LAUNCHER, encoding="utf-8")
    launcher.chmod(0o755)
    for path in (tree, *tree.rglob("*")):
        os.utime(path, (source.epoch, source.epoch))


def _bootstrap(source: Source, tree: Path, packages: Path, root: Path) -> None:
    command = ["mmdebstrap", "--quiet", "--variant=minbase", "--include=python3"]
    command += [f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT]
    command += ["--dpkgopt=path-include=/usr/share/doc/*/copyright"]
    command += [
        f"--customize-hook=sync-in {tree} /",
        f"--customize-hook={WARM.format(site=SITE, packages=packages)}",
    ]
    done = subprocess.run(
        [*command, SUITE, root],
        env={**os.environ, **source.environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stderr)
        raise subprocess.CalledProcessError(done.returncode, command[:1])


def _archive(source: Source, layer: bytes, architecture: str) -> bytes:
    """The image as an OCI layout, with the manifest beside it that docker reads."""
    blobs: dict[str, bytes] = {}

    def blob(content: bytes, kind: str) -> dict[str, Any]:
        blobs[f"blobs/sha256/{sha256(content)}"] = content
        return {
            "mediaType": f"application/vnd.oci.image.{kind}",
            "digest": f"sha256:{sha256(content)}",
            "size": len(content),
        }

    packed = blob(gzipped(layer, 0), "layer.v1.tar+gzip")
    config = blob(json_bytes(configuration(source, sha256(layer), architecture)), "config.v1+json")
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config,
        "layers": [packed],
    }
    entry = blob(json_bytes(manifest), "manifest.v1+json") | {
        "platform": {"architecture": architecture, "os": "linux"},
        "annotations": {"org.opencontainers.image.ref.name": f"setpoint:{source.version}"},
    }
    path = {each["digest"]: f"blobs/{each['digest'].replace(':', '/')}" for each in (config, packed)}
    of_docker = {
        "Config": path[config["digest"]],
        "Layers": [path[packed["digest"]]],
        "RepoTags": [f"setpoint:{source.version}"],
    }
    files = blobs | {
        "oci-layout": json_bytes({"imageLayoutVersion": "1.0.0"}),
        "index.json": json_bytes(
            {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
        ),
        "manifest.json": json_bytes([of_docker]),
    }
    return tar(files, source.epoch)


def configuration(source: Source, layer: str, architecture: str) -> dict[str, Any]:
    """What the image says of itself, and how it is run: the configuration that OCI specifies, for a layer with this
    check sum."""
    created = datetime.fromtimestamp(source.epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "architecture": architecture,
        "os": "linux",
        "created": created,
        "config": {
            "Entrypoint": ["setpoint"],
            "Cmd": ["--help"],
            "WorkingDir": "/work",
            "User": "65534:65534",
            "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "XDG_CACHE_HOME=/var/cache"],
            "Labels": {
                "org.opencontainers.image.title": "setpoint",
                "org.opencontainers.image.version": source.version,
                "org.opencontainers.image.revision": source.commit,
                "org.opencontainers.image.licenses": "Apache-2.0",
            }
            | ({"org.opencontainers.image.source": source.address} if source.address else {}),
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{layer}"]},
        "history": [
            {
                "created": created,
                "created_by": f"mmdebstrap {SUITE} with python3 and setpoint {source.version}",
            }
        ],
    }

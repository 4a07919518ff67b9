"""`python -m release TAG`: make a release from a tag."""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from release.image import image
from release.notes import notes
from release.packages import built, installed, libraries
from release.papers import SUMS, provenance, sbom, share, sums
from release.single import single_file
from release.source import ReleaseError, Source, exported

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Make the release."""
    parser = argparse.ArgumentParser(
        prog="make release", description="Make everything that a release consists of."
    )
    parser.add_argument("tag", metavar="TAG", help="the tag, `v` and the version of its files")
    parser.add_argument(
        "--output", type=Path, default=ROOT / "dist", metavar="DIR", help="an empty or new folder"
    )
    parser.add_argument(
        "--rehearse", action="store_true", help="TAG may be any commit, and its version may have no notes"
    )
    parser.add_argument(
        "--repository",
        default="",
        metavar="URL",
        help="the address of the repository, which the release names (default: that of the remote `origin`, unless that is a folder)",
    )
    parser.add_argument(
        "--without-image", action="store_true", help="leave out the image, which needs mmdebstrap"
    )
    options = parser.parse_args()
    os.umask(0o022)  # archives have the modes of files
    try:
        with tempfile.TemporaryDirectory() as work:
            source = exported(ROOT, options.tag, options.rehearse, Path(work) / "source", options.repository)
            make(source, options, Path(work))
    except ReleaseError as reason:
        sys.stderr.write(f"make release: {reason}\n")
        return 1
    except subprocess.CalledProcessError as error:
        detail = error.stderr.decode() if isinstance(error.stderr, bytes) else error.stderr
        sys.stderr.write(
            f"make release: `{error.cmd[0]}` failed with status {error.returncode}\n{detail or ''}"
        )
        return 1
    sys.stdout.write((options.output / SUMS).read_text(encoding="utf-8"))
    return 0


def make(source: Source, options: argparse.Namespace, work: Path) -> None:
    """Make all files of a release in a folder, check sums last. Raises `ReleaseError` before anything is made that a
    release must not be."""
    folder: Path = options.output
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ReleaseError(
            f"{folder} is not empty: a file of another release would get a check sum of this one"
        )
    if not options.rehearse:
        text = notes((source.folder / "CHANGELOG.md").read_text(encoding="utf-8"), source.version)
        (folder / "RELEASE-NOTES.md").write_text(text, encoding="utf-8")
    name = f"setpoint-{source.version}"
    wheel, _ = built(source, folder)
    others = libraries()
    commands = installed(wheel, others, source.version, work / "installed")
    single_file(source, wheel, others, folder / f"{name}.pyz", work)
    share(source, commands, folder / f"{name}-share.tar.gz")
    sbom(source, commands, folder / f"{name}.cdx.json")
    packages = (
        [] if options.without_image else image(source, wheel, others, folder / f"{name}-image.tar", work)
    )
    statement = provenance(source, folder.iterdir(), others, packages)
    (folder / f"{name}.intoto.json").write_bytes(statement)
    (folder / SUMS).write_text(sums(folder.iterdir()), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())

"""`python -m setpoint.docs.hooks.reference FOLDER` writes the pages, and removes stale ones."""

import sys
from pathlib import Path

from setpoint.compiler.knowledge.load import measurements, standard, trees
from setpoint.docs.hooks.reference import pages


def write(folder: Path) -> int:
    """Write all pages below a folder; returns how many. Raises OSError if the disk refuses."""
    texts = pages(standard()._replace(measurements=measurements()), trees())
    for path in folder.rglob("*.md"):
        if path.relative_to(folder).as_posix() not in texts:
            path.unlink()
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return len(texts)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m setpoint.docs.hooks.reference FOLDER")
    sys.stdout.write(f"{write(Path(sys.argv[1]))} pages in {sys.argv[1]}\n")

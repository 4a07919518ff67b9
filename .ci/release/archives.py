"""Archives and JSON whose bytes follow from their contents: sorted, owned by root, of one time."""

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def tar(files: Mapping[str, bytes], epoch: int) -> bytes:
    """A tar of these files."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), epoch, 0o644
            archive.addfile(entry, io.BytesIO(data))
    return content.getvalue()


def gzipped(content: bytes, epoch: int) -> bytes:
    """The content, compressed."""
    return gzip.compress(content, compresslevel=6, mtime=epoch)


def json_bytes(value: Any) -> bytes:
    """JSON with sorted keys, on lines of its own."""
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def sha256(place: Path | bytes) -> str:
    """The check sum of a file or of a content."""
    return hashlib.sha256(place if isinstance(place, bytes) else place.read_bytes()).hexdigest()

"""Whether a program is statically linked, as its ELF header says.

    python3 tests/consumers/elf.py PROGRAM          exit status 0 if it is, 1 if not

An initramfs with one program in it has no place for libraries: a kernel that is to start a dynamic busybox there
panics. `tests/install-consumers` asks this file, too, so it stands alone.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

INTERPRETER = 3
"""The type of the program header that names the dynamic loader (PT_INTERP)."""


def is_static(program: Path) -> bool:
    """Whether `program` is an ELF file that names no dynamic loader."""
    try:
        content = program.read_bytes()
    except OSError:
        return False
    if content[:4] != b"\x7fELF" or content[4:5] not in (b"\1", b"\2"):
        return False
    order = "<" if content[5] == 1 else ">"
    place, counts = ("Q", 54) if content[4] == 2 else ("I", 42)
    (table,) = struct.unpack_from(order + place, content, 32 if content[4] == 2 else 28)
    size, number = struct.unpack_from(f"{order}HH", content, counts)
    kinds = [struct.unpack_from(f"{order}I", content, table + size * index)[0] for index in range(number)]
    return bool(kinds) and INTERPRETER not in kinds


if __name__ == "__main__":
    sys.exit(not is_static(Path(sys.argv[1])))

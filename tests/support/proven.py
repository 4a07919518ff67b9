"""The library, proven already: what tests of a site's knowledge build on, as a site does after its first check.

`proof.test_memory` and `library.test_memory` show that nothing is missed by it.
"""

import fcntl
import tempfile
from functools import cache
from pathlib import Path

from setpoint.compiler.files.cache import cache_folder
from setpoint.compiler.knowledge.library import files_below, library_digest, stdlib_folder, texts_digest
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.proof.memory import KeptMemory, Memory
from setpoint.compiler.proof.prove import prove
from support.command import ROOT

MOST_NOTED = 50
"""How many proofs are noted: those of a few branches."""


@cache
def library_memory() -> Memory:
    """The proof of the library by itself and beside a site, from the user's cache; what that has not is proven and kept
    there.

    Of several processes one proves it, and the others wait. To find out that all of it is there takes seconds, so it is
    noted.
    """
    folder = Path(cache_folder() or tempfile.gettempdir())
    folder.mkdir(parents=True, exist_ok=True)
    noted = folder / "tests.proven"
    memory = KeptMemory()
    if _is_noted(noted, memory):
        return memory
    with (folder / "tests.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        memory = KeptMemory()
        if not _is_noted(noted, memory):
            for site in ((), ("site.tune",)):
                prove(standard()._replace(site=frozenset(site)), memory)
            memory.keep()
            lately = [*_lines(noted), _name()][-MOST_NOTED:]
            noted.write_text("".join(f"{line}\n" for line in lately), encoding="utf-8")
    return memory


def _is_noted(noted: Path, memory: KeptMemory) -> bool:
    """Whether this library was proven by this compiler, and the cache still has what that compiler has proven."""
    return bool(memory._before) and _name() in _lines(noted)


@cache
def _name() -> str:
    """The digest of the library and of all of the compiler, since how it reads the library decides what is proven."""
    texts = (
        path for room in ("compiler", "grammar") for path in files_below(str(ROOT / room), (".py", ".lark"))
    )
    compiler = texts_digest(Path(path).read_text(encoding="utf-8") for path in texts)
    return f"{library_digest(stdlib_folder())} {compiler}"


def _lines(noted: Path) -> list[str]:
    return noted.read_text(encoding="utf-8").splitlines() if noted.exists() else []

"""The library, proven already: what tests of a site's knowledge build on, as a site does after its first check.

`proof.test_memory` and `library.test_memory` show that nothing is missed by it.
"""

import fcntl
import tempfile
from functools import cache
from pathlib import Path

from setpoint.compiler.files.cache import cache_folder
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.proof.memory import KeptMemory, Memory
from setpoint.compiler.proof.prove import prove


@cache
def library_memory() -> Memory:
    """The proof of the library by itself and beside a site, from the user's cache; what that has not is proven and kept there.

    Of several processes one proves it, and the others wait.
    """
    folder = Path(cache_folder() or tempfile.gettempdir())
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "tests.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        memory = KeptMemory()
        for site in ((), ("site.tune",)):
            prove(standard()._replace(site=frozenset(site)), memory)
        memory.keep()
    return memory

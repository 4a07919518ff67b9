"""Processes that work beside the server, and that end before it does.

An event loop that closes first leaves a process that nobody waits for, and asyncio says so where editors show what
servers print.
"""

import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

PYTHON = (sys.executable, "-P", "-m")
"""Runs a module of the installed package. Without `-P` Python would look for it in the folder that an editor is in
first, and run what lies there in a folder called `setpoint`.
"""


def kill(process: Process) -> None:
    """End a process, if it has not ended."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:  # `process.kill` would wait for one that has just ended, and asyncio then misses it
            os.kill(process.pid, signal.SIGKILL)


@asynccontextmanager
async def ending(process: Process) -> AsyncIterator[None]:
    """Have a process end with this block, also where what waits for it is cancelled."""
    try:
        yield
    finally:
        kill(process)
        await process.wait()

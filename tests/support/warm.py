"""Setpoint in a process of its own that need not be loaded: it is forked from a server that has every module already.

    setpoint_client ARGUMENTS...    what `setpoint ARGUMENTS...` does, with $SETPOINT_SERVER naming the socket

To start Python and load Setpoint is most of the time of a command, and the tests run hundreds. The server is started
with the first of them and ends with the process that started it. It loads modules, and the library's trees from the
user's cache, which each command beside a site would have to read; it has read no policy. A command gets its folder, its
environment and its streams from its caller; where that has another cache, it reads the library by itself, as a command
does that needs no trees. What depends on the start itself, such as limits, closed streams and variables that Python
reads, is tested with `support.command.in_shell`.
"""

from __future__ import annotations

import array
import atexit
import ctypes
import gc
import importlib
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLIENT = Path(__file__).with_name("setpoint_client")
STREAMS = (0, 1, 2)
BEFORE = dict(os.environ)
"""The environment before any test changes it, which is that of the server."""

LARGE = 2 << 20
"""The size of a large page."""

MADV_COLLAPSE = 25
"""From linux/mman.h: put a range into large pages now."""

DESCRIPTORS = socket.CMSG_SPACE(len(STREAMS) * array.array("i").itemsize)


# ------------------------------------------------------------------------------------------ of the callers


@cache
def server() -> str:
    """The socket of this process's server, which is started now."""
    folder = tempfile.mkdtemp(prefix="setpoint-")
    path = os.path.join(folder, "socket")
    process = subprocess.Popen(
        [sys.executable, __file__, path],
        env={**BEFORE, "PYTHONPATH": str(ROOT / ".dev")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None
    assert process.stdout.readline() == b"ready\n"

    def end() -> None:
        process.communicate()
        for name in (path, folder):
            with suppress(OSError):
                os.unlink(name) if name == path else os.rmdir(name)

    atexit.register(end)
    return path


def ask(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], patience: float
) -> tuple[int, bytes, bytes]:
    """What `setpoint_client` does, without a process of its own, for a command that reads nothing: exit status, output,
    error stream.

    Raises TimeoutError if there is no answer within so many seconds.
    """
    outputs = [os.memfd_create(name) for name in ("output", "errors")]
    nothing = os.open(os.devnull, os.O_RDONLY)
    streams = array.array("i", [nothing, *outputs])
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(patience)
            connection.connect(server())
            connection.sendmsg([os.fsencode(folder)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
            variables = b"\0".join(os.fsencode(f"{name}={value}") for name, value in environment.items())
            given = b"".join(os.fsencode(argument) + b"\0" for argument in arguments)
            connection.sendall(b"\0\0\0" + variables + b"\0\0\0" + given)
            connection.shutdown(socket.SHUT_WR)
            status = connection.recv(1)
        printed = [os.pread(output, os.fstat(output).st_size, 0) for output in outputs]
    finally:
        for stream in streams:
            os.close(stream)
    return status[0] if status else 1, printed[0], printed[1]


# ------------------------------------------------------------------------------------------- of the server


def serve(path: str) -> None:
    """Answer until standard input ends."""
    load()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(64)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select.select([listening, sys.stdin], [], [], 1)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if sys.stdin in ready:
                return
            if listening in ready:
                connection, _ = listening.accept()
                with connection:
                    if os.fork() == 0:
                        listening.close()
                        answer(connection)


def load() -> None:
    """Load all modules of Setpoint, and with them all libraries that they need, and the trees of the library.

    What is there then stays, so no command looks for garbage in it.
    """
    from setpoint.compiler.knowledge.load import trees

    for name in ("setpoint.compiler", "setpoint.targets"):
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    trees()
    gc.collect()
    gc.freeze()
    collapse()


def collapse() -> None:
    """Have this process's memory lie in few large pages, where the kernel can (madvise(2), Linux 6.1): to fork it
    copies the table of pages, which is most of what a short command takes.
    """
    with suppress(OSError, AttributeError):
        advise = ctypes.CDLL(None).madvise
        for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
            addresses, rights, _, _, _, *file = line.split()
            if rights.startswith("rw") and file in ([], ["[heap]"]):
                first, last = (int(address, 16) for address in addresses.split("-"))
                begin, end = -(-first // LARGE) * LARGE, last // LARGE * LARGE
                if begin < end:
                    advise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), MADV_COLLAPSE)


def answer(connection: socket.socket) -> None:
    """Run a command in this process, send its exit status and end."""
    from setpoint.compiler.files.cache import cache_folder
    from setpoint.compiler.knowledge import load as library

    folder, variables, arguments, streams = received(connection)
    cache = cache_folder()
    os.chdir(folder)
    os.environ.clear()
    for pair in filter(None, variables):
        name, _, value = pair.partition("=")
        os.environ[name] = value
    if cache_folder() != cache:
        library._in_memory.clear()
    for standard, given in zip(STREAMS, streams, strict=True):
        os.dup2(given, standard)
        os.close(given)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115 - for the whole process
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.argv = [str(ROOT / ".dev/setpoint/compiler/__main__.py"), *arguments]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = 1
    try:
        from setpoint.compiler.cli import main

        status = main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        atexit._run_exitfuncs()  # which the end of a process calls, and `os._exit` does not
        connection.sendall(bytes([status & 255]))
        os._exit(0)


def received(connection: socket.socket) -> tuple[str, list[str], list[str], array.array[int]]:
    """The caller's folder, its environment, its arguments and its streams."""
    data, ancillary, _, _ = connection.recvmsg(1 << 16, DESCRIPTORS)
    streams = array.array("i", ancillary[0][2])
    while more := connection.recv(1 << 20):
        data += more
    folder, variables, arguments = (
        [os.fsdecode(word) for word in part.split(b"\0")] for part in data.split(b"\0\0\0", 2)
    )
    return folder[0], variables, arguments[:-1], streams


if __name__ == "__main__":
    serve(sys.argv[1])

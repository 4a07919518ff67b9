"""Ansible's modules, run by a process that has imported already what they need.

    python module_server.py SOCKET COMMAND...    the server, with Ansible's Python, while the command runs
    python module_server.py SOCKET               the server until standard input ends; it prints a line when it is ready
    module_client                                the interpreter of a host, with $MODULE_SERVER naming the socket

Ansible starts a Python for each module and sends it a zip with all that the module imports, which that Python compiles
anew each time. This was most of the cost of a play. The server imports what each zip contains, and runs each program
that Ansible sends in a fork. The program, its wrapper and the module are those that Ansible has sent.

A play on a system made of folders (`ansible_run.System`) runs in a namespace. A client hands its namespaces over, and
the program runs in these.
"""

from __future__ import annotations

import array
import base64
import ctypes
import importlib
import io
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
import traceback
import zipfile

ZIP = re.compile(rb"zip_data='([A-Za-z0-9+/=]+)'")
UNPACKED = os.path.join(sys.prefix, "unpacked")
"""Where the zips' files are: those of all plays, for Python to compile them once."""

DESCRIPTORS = socket.CMSG_SPACE(4 * array.array("i").itemsize)
"""What a client sends: where output and errors go, and its namespaces of users and of mounts."""

NAMESPACES = {"user": 0x10000000, "mnt": 0x00020000}
"""The flags of setns(2), from linux/sched.h."""


def attend(path: str, command: list[str]) -> int:
    """Run a command and serve it. Its exit status."""
    server = os.fork()
    if server == 0:
        serve(path)
    while not os.path.exists(path) and not os.waitpid(server, os.WNOHANG)[0]:
        time.sleep(0.01)
    try:
        return subprocess.run(command, env={**os.environ, "MODULE_SERVER": path}, check=False).returncode
    finally:
        os.kill(server, signal.SIGTERM)


def serve(path: str, until: tuple[int, ...] = ()) -> None:
    """Answer until the process is told to end, or one of these descriptors says so."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    sys.argv = [""]
    seen: set[bytes] = set()
    with socket.socket(socket.AF_UNIX) as listening:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
        listening.bind(path)
        listening.listen(64)
        if until:
            os.write(1, b"ready\n")
        while not set(until) & set(select.select([listening.fileno(), *until], [], [])[0]):
            connection, _ = listening.accept()
            with connection:
                where, variables, program, descriptors = _received(connection)
                if (found := ZIP.search(program)) and found[1] not in seen:
                    seen.add(found[1])
                    _import(found[1], UNPACKED)
                if os.fork() == 0:
                    listening.close()
                    os._exit(_answer(connection, where, variables, program, descriptors))
                for descriptor in descriptors:
                    os.close(descriptor)


def _received(connection: socket.socket) -> tuple[bytes, bytes, bytes, array.array[int]]:
    """The client's folder, its environment and the program, and the descriptors that it hands over."""
    data, ancillary, _, _ = connection.recvmsg(1 << 16, DESCRIPTORS)
    descriptors = array.array("i", ancillary[0][2])
    while more := connection.recv(1 << 20):
        data += more
    where, variables, program = data.split(b"\0\0", 2)
    return where, variables, program, descriptors


def _import(data: bytes, folder: str) -> None:
    """Import the module that a program's zip holds, and with it all that the zip brings along."""
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(data))) as archive:
        for name in archive.namelist():
            _keep(os.path.join(folder, name), archive.read(name))
        names = [name.removesuffix(".py").replace("/", ".") for name in archive.namelist()]
    if folder not in sys.path:
        sys.path.insert(0, folder)
    importlib.invalidate_caches()
    for name in names:
        if re.fullmatch(
            r"ansible\.(modules\.(?!__init__)\w+|module_utils\._internal\._ansiballz\._loader)", name
        ):
            importlib.import_module(name)
    for name in names:
        if name.startswith("ansible.modules."):
            sys.modules.pop(name, None)  # The program runs it as `__main__`.


def _keep(path: str, content: bytes) -> None:
    """Have a file with this content. If it has it already, what Python has compiled of it is good, too."""
    try:
        with open(path, "rb") as file:
            if file.read() == content:
                return
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    part = f"{path}-{os.getpid()}"
    with open(part, "wb") as file:
        file.write(content)
    os.replace(part, path)


def _enter(namespaces: array.array[int]) -> None:
    """Go to these namespaces, as far as they are others."""
    for (name, flag), given in zip(NAMESPACES.items(), namespaces, strict=True):
        if os.fstat(given).st_ino == os.stat(f"/proc/self/ns/{name}").st_ino:
            continue
        if ctypes.CDLL(None, use_errno=True).setns(given, flag):
            raise OSError(ctypes.get_errno(), f"cannot enter the namespace {name}")


def _answer(
    connection: socket.socket, where: bytes, variables: bytes, program: bytes, descriptors: array.array[int]
) -> int:
    """Run a program as its Python would, and send its exit status."""
    output, namespaces = descriptors[:2], descriptors[2:]
    _enter(namespaces)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    os.chdir(where)
    os.environ.clear()
    for pair in variables.split(b"\0"):
        name, _, value = pair.partition(b"=")
        os.environb[name] = value
    for standard, given in zip((0, 1, 2), (os.open(os.devnull, os.O_RDONLY), *output), strict=True):
        os.dup2(given, standard)
    status = 0
    try:
        exec(compile(program, "<stdin>", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    connection.sendall(bytes([status & 255]))
    return 0


if __name__ == "__main__":
    if sys.argv[2:]:
        sys.exit(attend(sys.argv[1], sys.argv[2:]))
    serve(sys.argv[1], until=(0,))

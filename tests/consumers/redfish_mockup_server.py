"""DMTF's Redfish-Mockup-Server on 127.0.0.1: a service of a tree of answers, as its makers read the standard.

It has a tree of its own, `public-rackmount1`. It asks nobody for an account, and keeps what is written to it in memory.
`tests/install-consumers` fetches it. No index of packages has it, and a closed network does not reach its repository:
without it its tests are skipped in CI as well, where OpenStack's emulator is still read.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from consumers.redfish_service import Service, certificate
from support.limits import PATIENCE


def _folder() -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "setpoint-tests/mockup-server"
    if not (folder / "server/redfishMockupServer.py").is_file():
        pytest.skip(
            f"DMTF's mockup server is not in {folder} (tests/install-consumers), and no index of packages has it"
        )
    return folder


def tree() -> Path:
    """The tree of answers that comes with the server."""
    return _folder() / "server/public-rackmount1"


@contextmanager
def mockup_server(folder: Path, answers: Path, is_short: bool) -> Iterator[Service]:
    """The server with a tree of answers; `is_short` is whether the tree begins below `/redfish/v1`."""
    program = _folder() / "server/redfishMockupServer.py"
    ca, key = certificate(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        str(_folder() / "bin/python"),
        str(program),
        "-H",
        "127.0.0.1",
        "-p",
        str(port),
        "-D",
        str(answers),
    ]
    command += ["-s", "--cert", str(ca), "--key", str(key), *(["-S"] if is_short else [])]
    with (folder / "mockup-server.log").open("wb") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log, cwd=program.parent)
    try:
        end = time.monotonic() + PATIENCE
        while not _answers(port):
            said = (folder / "mockup-server.log").read_text("utf-8", "replace")
            assert running.poll() is None and time.monotonic() < end, said
            time.sleep(0.1)
        yield Service(folder, port, ca)
    finally:
        running.terminate()
        running.wait(PATIENCE)


def _answers(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0

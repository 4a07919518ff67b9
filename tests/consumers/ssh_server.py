"""A real sshd on 127.0.0.1, for hosts that something is set on: as root, in a mount namespace with a state folder of
their own.

    with ssh_server(tmp_path, {"SETPOINT_ROOT": …}) as host:
        …                                   # ssh, with the options of host.options, to root@127.0.0.1
        host.restart()                      # the host then shows another start

What is not the server's own: /var/lib/setpoint and the identifier of the start are files of the test, which are mounted
there.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from consumers.requirement import require, unmet
from support.limits import PATIENCE

BOOT_ID = "/proc/sys/kernel/random/boot_id"
SANDBOX = f"""mount --make-rprivate / && mkdir -p /var/lib/setpoint /run/sshd && mount --bind "$1/kept" /var/lib/setpoint &&
mount --bind "$1/boot_id" {BOOT_ID} && exec "$2" -D -e -f "$1/sshd_config"
"""


@dataclass(frozen=True)
class SshServer:
    """A running sshd: its folder, and its port."""

    folder: Path
    port: int

    @property
    def options(self) -> list[str]:
        """What ssh is told, as after --ssh-option."""
        known = {
            "UserKnownHostsFile": "/dev/null",
            "StrictHostKeyChecking": "no",
            "LogLevel": "ERROR",
            "BatchMode": "yes",
        }
        given = {"Port": self.port, "IdentityFile": self.folder / "user", "IdentitiesOnly": "yes", **known}
        return [f"{name}={value}" for name, value in given.items()]

    @property
    def kept(self) -> list[str]:
        """What is in the state folder of the host."""
        return sorted(path.name for path in (self.folder / "kept").iterdir())

    def restart(self) -> None:
        """Let the host show another start."""
        (self.folder / "boot_id").write_text("11111111-2222-4333-8444-555555555555\n", encoding="utf-8")


@contextmanager
def ssh_server(folder: Path, environment: Mapping[str, str]) -> Iterator[SshServer]:
    """Run it; what it runs has this environment."""
    if os.geteuid():
        unmet("only root can have a mount namespace, and be logged in")
    sshd, keygen = require("sshd"), require("ssh-keygen")
    require("ssh")
    (folder / "kept").mkdir(parents=True)
    (folder / "boot_id").write_text("00000000-2222-4333-8444-555555555555\n", encoding="utf-8")
    for name in ("host", "user"):
        subprocess.run(
            [keygen, "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True, timeout=PATIENCE
        )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = " ".join(f'"{name}={value}"' for name, value in environment.items())
    lines = [
        f"ListenAddress 127.0.0.1:{port}",
        f"HostKey {folder}/host",
        f"AuthorizedKeysFile {folder}/user.pub",
    ]
    lines += [
        "PidFile none",
        "StrictModes no",
        "UsePAM no",
        "PasswordAuthentication no",
        "PermitRootLogin yes",
        f"SetEnv {given}",
    ]
    (folder / "sshd_config").write_text("\n".join([*lines, ""]), encoding="utf-8")
    with (folder / "log").open("w", encoding="utf-8") as log:
        command = ["unshare", "--mount", "sh", "-c", SANDBOX, "sandbox", str(folder), str(sshd)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            _wait(process, port, folder / "log")
            yield SshServer(folder, port)
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text(encoding="utf-8")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(log.read_text(encoding="utf-8"))

"""A Redfish service to speak to: sushy-emulator, with the BIOS of a captured server, on 127.0.0.1 alone.

    with service(tmp_path, "dell-15g-R750", lockdown=True) as bmc:
        bmc.fault(drop=["ProcTurboMode"])
        …                                        # speak to https://bmc.address, trusting bmc.ca
        assert bmc.state()["staged"] == {}

What it makes of requests is in `redfish_emulator.py`, the emulator's configuration. `tests/install-consumers` installs
the emulator, beside Ansible.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from consumers.ansible_run import programs
from consumers.requirement import PROJECT, require
from support.limits import PATIENCE

CONFIGURATION = Path(__file__).resolve().parent / "redfish_emulator.py"
USER = "setpoint"
PASSWORD = "pass:word'$HOME \\"
"""With what a header or a shell could stumble over."""


@dataclass(frozen=True)
class Service:
    """A running service: where it is, and whom to trust for its certificate."""

    folder: Path
    port: int
    ca: Path

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    def state(self) -> dict[str, Any]:
        """What it knows: `current`, `staged`, `jobs`, `restarts`, and the `requests` that were no reading."""
        state: dict[str, Any] = json.loads((self.folder / "state.json").read_text(encoding="utf-8"))
        return state

    def fault(self, **faults: object) -> None:
        """Order faults, for all requests from now on; none takes them back. See `redfish_emulator.py`."""
        named = {name.replace("_", "-"): value for name, value in faults.items()}
        (self.folder / "faults.json").write_text(json.dumps(named), encoding="utf-8")


def certificate(folder: Path, host: str = "IP:127.0.0.1") -> tuple[Path, Path]:
    """A certificate for a host, `IP:` an address or `DNS:` a name, that is its own authority, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    if not certificate.exists():
        command = [str(require("openssl")), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        command += ["-subj", f"/CN={host.partition(':')[2]}", "-addext", f"subjectAltName={host}"]
        command += ["-keyout", str(key), "-out", str(certificate)]
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    return certificate, key


@contextmanager
def service(
    folder: Path, capture: str, *, lockdown: bool = False, current: Mapping[str, str] | None = None
) -> Iterator[Service]:
    """Run a service.

    Args:
        folder: Where it keeps what it knows; made if it is not there.
        capture: The captured server, by its name in `registries`.
        lockdown: Whether that was locked down, so that its read-only flags mean nothing.
        current: Attributes that differ from the capture.
    """
    folder.mkdir(parents=True, exist_ok=True)
    own_certificate, key = certificate(folder)
    port = _free_port()
    variables = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "PYTHONPATH": f"{PROJECT / '.dev'}:{PROJECT / 'tests'}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "BMC_CAPTURE": capture,
        "BMC_FOLDER": str(folder),
        "BMC_PORT": str(port),
        "BMC_LOCKDOWN": "1" if lockdown else "",
        "BMC_CURRENT": json.dumps(dict(current or {})),
    }
    command = [str(programs() / "sushy-emulator"), "--config", str(CONFIGURATION), "--fake"]
    command += ["--ssl-certificate", str(own_certificate), "--ssl-key", str(key)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, env=variables, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            _await(process, port, folder / "log")
            yield Service(folder, port, own_certificate)
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the Redfish service did not start: {log.read_text(encoding='utf-8')}")

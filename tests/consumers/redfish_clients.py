"""Clients of Redfish services that are not the product's: DMTF's validator and tools, and OpenStack's sushy.

They run as programs of an environment of their own (tests/install-consumers), against the address of a service. The
validator judges what it reads by DMTF's schemas, of which `tests/idrac/schemas` has those that it needs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any, NamedTuple

from consumers.requirement import unmet
from support.limits import PATIENCE

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE.parent / "idrac" / "schemas"


class Account(NamedTuple):
    """A service: its address, whom to trust for its certificate, and an account."""

    address: str
    ca: Path
    user: str
    password: str


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "setpoint-tests"


def _programs() -> Path:
    folder = _cache() / "redfish"
    if not (folder / "releases").is_file():
        unmet(f"no Redfish client is installed in {folder} (tests/install-consumers)")
    return folder / "bin"


class Count(NamedTuple):
    """How many checks of a resource passed, and how many failed: none of either where no schema describes it."""

    passed: int
    failed: int


def validator(account: Account, folder: Path) -> dict[str, Count]:
    """Have DMTF's validator read the whole service; what it says of each URI. Its reports are in `folder`."""
    given = ["--user", account.user, "--password", account.password, "--rhost", f"https://{account.address}"]
    given += ["--schema_directory", str(SCHEMAS), "--skipschema", "--logdir", str(folder)]
    program = [str(_programs() / "python"), str(HERE / "redfish_validator.py")]
    said = _run([*program, *given], folder, account, {0, 1})
    counted = re.findall(r"Validating (\S+)\.\.\.\n *- Pass: (\d+), Warn: \d+, Fail: (\d+)", said)
    if not counted:
        raise RuntimeError(f"the validator counted nothing:\n{said}")
    return {uri: Count(int(passed), int(failed)) for uri, passed, failed in counted}


def tool(account: Account, folder: Path, name: str, *arguments: str) -> str:
    """What one of DMTF's command-line tools says: `rf_bios_settings`."""
    given = ["--user", account.user, "--password", account.password, "--rhost", f"https://{account.address}"]
    return _run(
        [str(_programs() / "python"), str(_programs() / f"{name}.py"), *given, *arguments], folder, account
    )


def sushy(account: Account, folder: Path, order: Mapping[str, Any]) -> dict[str, Any]:
    """What `redfish_sushy` has seen when it carried out an order."""
    asked = {"address": account.address, "user": account.user, "password": account.password, **order}
    said = _run(
        [str(_programs() / "python"), str(HERE / "redfish_sushy.py"), json.dumps(asked)], folder, account
    )
    answer: dict[str, Any] = json.loads(said)
    return answer


def sushy_reads(account: Account, folder: Path) -> dict[str, Any]:
    """What `redfish_sushy_reading` sees of a service: the server's attributes, and what is staged."""
    asked = [account.address, account.user, account.password]
    said = _run(
        [str(_programs() / "python"), str(HERE / "redfish_sushy_reading.py"), *asked], folder, account
    )
    answer: dict[str, Any] = json.loads(said)
    return answer


def _run(command: list[str], folder: Path, account: Account, good: Set[int] = frozenset({0})) -> str:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    environment |= {"REQUESTS_CA_BUNDLE": str(account.ca), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command,
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode not in good:
        raise RuntimeError(f"{Path(command[0]).name} failed:\n{done.stdout}{done.stderr}")
    return done.stdout

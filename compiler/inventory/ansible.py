"""Ask Ansible what its inventories say: YAML, INI, TOML and folders, which only Ansible can read, with its variables
and patterns.

Its own readers of these forms run nothing. Much else of Ansible does: scripts and plugins that print hosts, plugins
beside a playbook or where an `ansible.cfg` says, programs that print the password of a vault. Somebody who proposes a
change can bring all of these. So by default Ansible is started in an empty folder, with that as its home, a
configuration of our own and no other environment; and since it opens files that are called like hosts, it is asked for
the names first. Only with `--run-inventory` is it Ansible as it is where the command runs.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.reading import TooLargeError, parse_json
from setpoint.compiler.inventory.files import check_files, has_variables, programs_of
from setpoint.compiler.inventory.model import Rows
from setpoint.compiler.inventory.structured import META, hosts_of_ansible, rows_of
from setpoint.compiler.inventory.table import InventoryTable
from setpoint.compiler.record import NamedTuple

ASK = "ansible-inventory"
"""The program that reads Ansible's inventories."""

MOST_SECONDS = 600
"""How long it may take."""

MOST_BYTES = 1 << 30
"""The maximum size of an inventory in JSON, which is read as a whole. Tables can be larger."""

MOST_MEMORY = 4 << 30
"""How much memory Ansible's own readers may take: a few lines of an inventory can stand for any number of hosts."""

MOST_SAID = 2_000
"""How many characters of its messages are repeated."""

PASSED = ("PATH", "HOME", "USER", "TMPDIR", "LANG")
"""The variables of the environment that what is run gets, beside those of the locale (`LC_…`)."""

LOCALE = "LC_"
"""How the names of the locale's variables begin."""

ALLOW = "or allow it with `--run-inventory`, if you trust everybody who can change the inventory"
"""What help says of the option that allows to run an inventory."""


def rows_of_ansible(path: str, table: InventoryTable, may_run: bool) -> Rows:
    """The rows of an inventory that only Ansible can read.

    Raises SetpointError (E0611 if Ansible cannot read it; E0613 if it would have to be run, which is not allowed;
    E0603), and OSError.
    """
    inventory = _asked(path, _environment(), os.getcwd(), None) if may_run else _asked_quietly(path)
    hosts = list(hosts_of_ansible(path, inventory.data))
    if not hosts:
        said = f": {inventory.said}" if inventory.said else ""
        raise _failed(path, f"`{ASK}` finds no host in it{said}", *_advice(path, may_run))
    return rows_of("Ansible inventory", hosts, table)


def _asked_quietly(path: str) -> "_ListedInventory":
    """What Ansible's own readers say of an inventory."""
    check_files(path)
    if os.path.isdir(path) and (program := next(programs_of(path), "")):
        raise refused(path, program)
    with tempfile.TemporaryDirectory(prefix="setpoint-") as home:
        env = _quiet(home)
        inventory = _asked(path, env, home, MOST_MEMORY)
        if not has_variables(path):
            return inventory
        _check_names(path, inventory.data)
        return _asked(path, env | {"ANSIBLE_VARS_ENABLED": "host_group_vars"}, home, MOST_MEMORY)


class _ListedInventory(NamedTuple):
    """What `ansible-inventory --list` prints, and what it says besides."""

    data: Mapping[str, Any]
    said: str


def refused(path: str, program: str = "") -> SetpointError:
    """The error about an inventory that is a program, or has one in it (E0613)."""
    what = f"it has a program, `{program}`" if program else "it is a program"
    return SetpointError.of(
        "E0613",
        f"cannot read the inventory `{path}` without running it: {what}",
        help=(
            f"run it yourself, with `{_by_hand(path)}`, and name hosts.json",
            ALLOW,
        ),
    )


def _by_hand(path: str) -> str:
    return f"{ASK} -i {path} --list > hosts.json"


def _environment() -> dict[str, str]:
    """The environment of what is run, which has no secrets."""
    return {
        name: value for name, value in os.environ.items() if name in PASSED or name.startswith(LOCALE)
    } | {"PATH": _path()}


def _path() -> str:
    """The places of programs, without those that depend on the working directory, which may be somebody else's."""
    return os.pathsep.join(filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep)))


def _quiet(home: str) -> dict[str, str]:
    """The environment for Ansible's own readers alone, in an empty folder."""
    config, nothing = os.path.join(home, "ansible.cfg"), os.path.join(home, "none")
    with open(config, "x", encoding="ascii"):
        pass  # Ansible takes the first configuration that exists, and the next would be somebody's
    return {
        "PATH": _path(),
        "HOME": home,
        "TMPDIR": home,
        "LC_ALL": "C.UTF-8",
        "ANSIBLE_CONFIG": config,
        "ANSIBLE_HOME": home,
        "ANSIBLE_INVENTORY_ENABLED": "yaml,ini,toml",
        "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true",
        "ANSIBLE_VARS_ENABLED": "",
        "ANSIBLE_INVENTORY_PLUGINS": nothing,
        "ANSIBLE_VARS_PLUGINS": nothing,
        "ANSIBLE_COLLECTIONS_PATH": nothing,
        "ANSIBLE_COLLECTIONS_PATHS": nothing,  # what it was called before ansible-core 2.10
        "ANSIBLE_COLLECTIONS_SCAN_SYS_PATH": "false",
        "ANSIBLE_NOCOLOR": "true",
    }


def _check_names(path: str, data: Mapping[str, Any]) -> None:
    """Raise SetpointError (E0603) for a host or group whose name is a path to variables elsewhere."""
    names = {*data.keys() - {META}, *(host for host, _, _ in hosts_of_ansible(path, data))}
    for name in sorted(names):
        if os.sep in name or name.startswith("."):
            message = f"the inventory `{path}` leads outside its folder: `{name}` is a path, not the name of a host or a group"
            raise SetpointError.of("E0603", message, help=("correct the name",))


def _asked(path: str, env: Mapping[str, str], folder: str, memory: int | None) -> _ListedInventory:
    program = shutil.which(ASK, path=env["PATH"])
    if program is None:
        raise _failed(
            path,
            f"only Ansible can read it, and `{ASK}` is not installed",
            f"install ansible-core, or run `{_by_hand(path)}` where it is, and name hosts.json",
        )
    status, out, err = _ran([program, "-i", os.path.abspath(path), "--list"], path, env, folder, memory)
    said = " ".join(err.decode(errors="replace").split())[:MOST_SAID]
    if status:
        advice = _advice(path, memory is None)
        raise _failed(path, f"`{ASK}` fails: {said or f'exit status {status}'}", *advice)
    try:
        data = parse_json(out.decode())
    except ValueError as error:
        raise _failed(path, f"`{ASK}` prints what is not JSON: {error}") from None
    return _ListedInventory(data if isinstance(data, dict) else {}, said)


def _advice(path: str, may_run: bool) -> tuple[str, ...]:
    """What to do about an inventory that needs more of Ansible than its own readers."""
    if may_run:
        return ()
    return (
        f"if it needs plugins, programs or the password of a vault, run `{_by_hand(path)}`, and name hosts.json",
        ALLOW,
    )


def _ran(
    command: list[str], path: str, env: Mapping[str, str], folder: str, memory: int | None
) -> tuple[int, bytes, bytes]:
    """The exit status of a program, and its output.

    It prints into files: these can be limited, and do not wait for what the program leaves running. Raises
    SetpointError (E0611), TooLargeError.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=env,
            cwd=folder,
            start_new_session=True,
        )
        try:
            _limit(process.pid, memory)
            status = process.wait(MOST_SECONDS)
        except subprocess.TimeoutExpired:
            raise _failed(path, f"`{ASK}` took more than {MOST_SECONDS} seconds") from None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        for stream in (out, err):
            if stream.seek(0, os.SEEK_END) >= MOST_BYTES:
                raise TooLargeError(path, MOST_BYTES)
            stream.seek(0)
        return status, out.read(), err.read()


def _limit(process: int, memory: int | None) -> None:
    """Limit what a process writes into one file and, if it is given, its memory; where the system can."""
    import resource  # not on every system that Setpoint itself runs on

    if not hasattr(resource, "prlimit"):
        return
    with suppress(ProcessLookupError):
        resource.prlimit(process, resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))
        if memory is not None:
            resource.prlimit(process, resource.RLIMIT_AS, (memory, memory))


def _failed(path: str, why: str, *help_: str) -> SetpointError:
    return SetpointError.of("E0611", f"cannot read the inventory `{path}`: {why}", help=help_)

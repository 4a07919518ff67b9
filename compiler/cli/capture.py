"""`setpoint capture`: read servers as they are, each into one document.

A way to servers is an option with a function that yields their captures (`_captures`); everything after that, redaction
and where the documents go, is the same for all.
"""

import json
import os
import socket
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count
from urllib.parse import urlsplit

from setpoint.compiler.captures.carriers import captures_in
from setpoint.compiler.captures.document import to_json
from setpoint.compiler.captures.model import Capture
from setpoint.compiler.captures.redaction import Redactor
from setpoint.compiler.captures.running import AS_ROOT, HERE, HOST, captured, ssh
from setpoint.compiler.captures.script import collector, kit
from setpoint.compiler.captures.wanted import wanted
from setpoint.compiler.cli import OK, OUTSIDE
from setpoint.compiler.cli.arguments import Options, argument
from setpoint.compiler.cli.common import is_missing, show, status_of, verb
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.plan.made_with import VERSION
from setpoint.compiler.render.visible import visible

MOST_AT_ONCE = 16
"""How many hosts are read at the same time."""


KINDS = {
    "role": "an Ansible role with that script, and a playbook which collects the captures of an inventory,",
    "module": "a Puppet module with that script as a task for Bolt and Puppet Enterprise",
}
"""What other engines collect captures with, by the option that writes it."""


@verb(
    "capture",
    "Read servers as they are: files, registers and what programs print, each server into one document.",
    "capture --ssh web1 web2 -o captures",
    {
        "--local": "read this machine",
        "--ssh HOST+": "read these hosts by ssh, which needs nothing there but a shell; USER@HOST as for ssh",
        "--ssh-option OPTION…": "an option for ssh, as in ssh_config(5): Port=2222",
        "--sudo": "read as root, by `sudo -n`; another user sees no registers",
        "--from PATH+": argument(
            "take captures from reports of sos or supportconfig, trees of a controller's answers, what programs printed, or folders of them",
            dest="carriers",
        ),
        "--redfish URL+": "read these controllers over Redfish, such as https://bmc1.example.org; user and password come from SETPOINT_REDFISH_USER "
        "and SETPOINT_REDFISH_PASSWORD, ~/.netrc, or a question",
        "--ca-file FILE": "certificates of the authorities, or the controllers' own, that --redfish trusts (default: those of the system)",
        "--script": "print the script that --local and --ssh run, for any other way to a server",
        **{f"--{kind} DIR": f"write {title} to this folder" for kind, title in KINDS.items()},
        "-o DIR": argument(
            "write a file HOST.json for each server (default: one server, to standard output)", dest="out"
        ),
        "--no-redact": "keep serial numbers, addresses, names and keys (default: replace them by pseudonyms, so that a capture can be shown to "
        "others; the files keep the names of the hosts)",
    },
)
def run(options: Options) -> int:
    """Capture the servers; with --script, print the collector."""
    _check(options)
    script = collector(wanted(standard()), VERSION)
    if options.script:
        sys.stdout.write(script)
        return OK
    if kinds := [kind for kind in KINDS if getattr(options, kind)]:
        for kind in kinds:
            _write_kit(getattr(options, kind), kit(kind, script, VERSION))
        return OK
    if options.redfish and is_missing("httpx", "redfish", "reading controllers over Redfish"):
        return OUTSIDE
    redactor, findings, names = Redactor(), list[Diagnostic](), set[str]()
    for capture in _captures(options, script):
        if isinstance(capture, SetpointError):
            show(capture.diagnostics, {})
            findings += capture.diagnostics
        else:
            shown = capture if options.no_redact else redactor.redacted(capture)
            _write(shown._replace(name=_unique(capture.name, names)), options.out)
    return status_of(findings)


def _check(options: Options) -> None:
    """Report command lines that name no server, or too many."""
    servers = bool(options.local or options.ssh or options.carriers or options.redfish)
    others = [f"--{kind}" for kind in ("script", *KINDS) if getattr(options, kind)]
    if not (others or servers):
        options.error(
            "name a server: --local, --ssh HOST, --redfish URL or --from PATH; or print the collector by --script"
        )
    if others and (servers or options.out):
        options.error(f"{others[0]} is for other ways to servers, and reads no server")
    if wrong := [host for host in options.ssh if not HOST.fullmatch(host)]:
        options.error(f"--ssh {wrong[0]}: not the name of a host")
    names = [_name(host) for host in options.ssh] + ([_here()] if options.local else [])
    if twice := [name for name in names if names.count(name) > 1]:
        options.error(f"two servers are called {twice[0]}")
    if len(names) + len(options.redfish) + len(options.carriers) > 1 and not options.out:
        options.error("several servers need a folder for their files: -o DIR")


def _captures(options: Options, script: str) -> Iterator[Capture | SetpointError]:
    """The captures of all servers that the arguments name, and why others cannot be captured."""
    commands = {_name(host): ssh(host, options.ssh_option, options.sudo) for host in options.ssh}
    if options.local:
        commands[_here()] = [*(AS_ROOT if options.sudo else ()), *HERE]
    # Captures are taken in the order of the command line, whichever host answers first.
    with ThreadPoolExecutor(MOST_AT_ONCE) as pool:
        yield from pool.map(lambda name: _attempt(name, commands[name], script), commands)
    places = tuple(wanted(standard()))
    for path in options.carriers:
        yield from _carried(path, places)
    for url in options.redfish:
        yield _of_controller(url, options.ca_file)


def _attempt(name: str, command: list[str], script: str) -> Capture | SetpointError:
    try:
        return captured(name, command, script)
    except SetpointError as error:
        return error


def _carried(path: str, places: Iterable[str]) -> Iterator[Capture | SetpointError]:
    """The captures in a carrier, and why others cannot be had. Of reports, `places` are read."""
    errors: list[SetpointError] = []
    try:
        yield from captures_in([path], path, places, lambda name, error: errors.append(error))
    except SetpointError as error:
        errors.append(error)
    yield from errors


def _of_controller(url: str, ca_file: str) -> Capture | SetpointError:
    from setpoint.compiler.captures.redfish import read_controller  # only needed for controllers

    try:
        return Capture(_host(url), None, read_controller(url, ca_file))
    except SetpointError as error:
        return error


def _host(url: str) -> str:
    """The host in an address, after which its capture is called."""
    return (urlsplit(url if "://" in url else f"https://{url}").hostname or url).replace(":", "-")


def _unique(name: str, names: set[str]) -> str:
    """The name of a capture's file, unlike others of the run: a host and its controller can be called the same."""
    free = next(
        file_name
        for file_name in chain((name,), (f"{name}-{number}" for number in count(2)))
        if file_name not in names
    )
    names.add(free)
    return free


def _name(host: str) -> str:
    """The name of a host, without the user."""
    return host.rpartition("@")[2]


def _here() -> str:
    """The name of this machine, by which an inventory knows it."""
    return socket.gethostname() or "localhost"


def _write_kit(folder: str, files: Mapping[str, str]) -> None:
    """Write files to a folder, which is made. Raises OSError and LinkError."""
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_text(path, text)
        sys.stdout.write(f"{visible(path)}\n")


def _write(capture: Capture, folder: str) -> None:
    """Print a capture, or write it to its file in a folder, which is made. Raises OSError and LinkError."""
    # JSON leaves one of the controls of terminals as it is; all others are escaped, as everything beyond ASCII.
    text = json.dumps(to_json(capture), indent=1).replace("\x7f", "\\u007f") + "\n"
    if not folder:
        sys.stdout.write(text)
        return
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{capture.name}.json")
    write_text(path, text)
    sys.stdout.write(f"{visible(path)}\n")

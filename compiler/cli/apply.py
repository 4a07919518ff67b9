"""`setpoint apply`: a bundle, carried out on one server or a handful, and taken back.

All servers are read before the first is changed: what differs, what restarts, and that each is the server that is
meant. They are changed one after the other, and the first that cannot be finished stops the run.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any
from urllib.parse import urlsplit

from setpoint.compiler.captures.redfish import account_for_address
from setpoint.compiler.captures.running import AS_ROOT, HERE, HOST, ssh
from setpoint.compiler.cli import DIFFERENCE, OK, OUTSIDE
from setpoint.compiler.cli.arguments import Arguments, Options, argument, forms
from setpoint.compiler.cli.common import page_width, show, verb
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import json_text, visible
from setpoint.compiler.render.words import count
from setpoint.compiler.rollout.bundles import FIRMWARE_PLANS, Deployable, read_bundle
from setpoint.compiler.rollout.hosts import HostShell
from setpoint.compiler.rollout.servers import (
    ControllerAccount,
    RolloutChoices,
    ServerRollout,
    effect,
    require_different,
)
from setpoint.targets._client.command import FINE, state_folder, status_of
from setpoint.targets._client.identity import SAME

SCHEMA = "setpoint.apply/1"

MOST_SERVERS = 16
"""A handful. More of them is a fleet, which Ansible and Puppet keep."""

ALL_CHECKS = ("product", "processor", "sockets", "system", "distribution", "kernel", SAME)
"""What of a server is compared, and can be passed over: by the program for hosts all but the last."""

PERMITTED = ("force", "power_on", "foreign_settings", "foreign_jobs")
"""The options that permit the client something."""

PERMITS: Arguments = {
    "--pass-over CHECK…": f"do not compare this of the server: {', '.join(ALL_CHECKS)}",
    "--force": "restart without a shutdown where the controller offers nothing else",
    "--power-on": "power on a server that is off",
    "--foreign-settings": "go on although somebody else has staged something, which is then applied, too",
    "--foreign-jobs": "go on although another job for the firmware is open",
    "--restarted": "the server was restarted since the last run, where its controller shows no sign of that",
}


@verb(
    "apply",
    "Carry out a bundle on one server or a handful: the firmware through the controller, the rest on the host. It shows what differs, "
    "asks, changes it, and compares again; with --undo it puts back what was there before. The status is 0 if all is as planned, 3 if "
    "something is not or waits for a restart, and 4 if nothing differs but something could not be compared. It is 4, too, if a server "
    "cannot be reached or changed. Nothing restarts a server without --restart now.",
    "apply out --redfish https://bmc1.example.org --ssh root@web1",
    {
        "bundle BUNDLE": "a folder that `setpoint compile` has written, of one policy",
        "--redfish URL+": "set the firmware through these controllers, such as https://bmc1.example.org; user and password come from "
        "SETPOINT_REDFISH_USER and SETPOINT_REDFISH_PASSWORD, ~/.netrc, or a question",
        "--ssh HOST+": "set the rest on these hosts by ssh, the first with the first controller and so on; USER@HOST as for ssh",
        "--local": "set the rest on this machine",
        "--ssh-option OPTION…": "an option for ssh, as in ssh_config(5): Port=2222",
        "--sudo": "work on hosts as root, by `sudo -n`",
        "--ca-file FILE": "certificates of the authorities, or the controllers' own, that --redfish trusts (default: those of the system)",
        "--trust PATH": "run this program of the bundle although it is not the compiler's own: host/setpoint-host",
        "--firmware-by": argument(
            "without a controller: set the firmware on the host, by the plan of the bundle for this tool",
            choices=FIRMWARE_PLANS,
        ),
        "--state DIR": "where the values from before are kept, of firmware (default: ~/.local/state/setpoint/controllers)",
        "--check": "only show what differs; change nothing",
        "--undo": "put back what was there before the bundle",
        "--yes": "do not ask; without a terminal nothing is changed otherwise",
        "--restart": argument(
            "whether to restart the server through its controller where something waits for it (default: later, by you)",
            choices=("now", "later"),
            default="later",
        ),
        **PERMITS,
        "--poll SECONDS": argument(
            "how long between two readings while a server restarts (default: 30)", default="30"
        ),
        **forms("text", "json"),
    },
)
def run(options: Options) -> int:
    """Read all servers, ask, change them one after the other, and compare."""
    _check(options)
    if not (options.check or options.yes or sys.stdin.isatty()):
        raise SetpointError.of(
            "E0656",
            "there is no terminal to ask on before something is changed",
            help=("`--check` only shows what differs; `--yes` changes it without a question",),
            subject="--yes",
        )
    bundle = read_bundle(options.bundle, options.trust, bool(options.ssh or options.local))
    servers = _servers(options, bundle)
    is_text = options.format == "text"
    errors = _read(servers)
    if is_text:
        for server in servers:
            sys.stdout.write(_shown(server, options.undo))
    if errors or options.check or not _is_due(servers, options):
        return _ended(servers, errors, options, is_changed=False)
    if not options.yes and not _agreed(servers, options):
        sys.stderr.write("nothing was changed\n")
        return DIFFERENCE
    return _ended(servers, _changed(servers), options, is_changed=True)


def _check(options: Options) -> None:
    """Report command lines that name no server, or servers that do not go together."""
    hosts = [*options.ssh, *(["this machine"] if options.local else [])]
    servers = max(len(hosts), len(options.redfish))
    if not servers:
        options.error("name a server: --redfish URL, --ssh HOST or --local")
    if hosts and options.redfish and len(hosts) != len(options.redfish):
        options.error(
            f"{count(len(options.redfish), 'controller')} and {count(len(hosts), 'host')}: each controller needs its host, in the same order"
        )
    if servers > MOST_SERVERS:
        options.error(f"{servers} servers are a fleet: use the role or the module of the bundle")
    if wrong := [host for host in options.ssh if not HOST.fullmatch(host)]:
        options.error(f"--ssh {wrong[0]}: not the name of a host")
    if wrong := [check for check in options.pass_over if check not in ALL_CHECKS]:
        options.error(f"--pass-over {wrong[0]}: none of {', '.join(ALL_CHECKS)}")
    if options.restart == "now" and not options.redfish:
        options.error("--restart now is through the controller: name it by --redfish")
    if options.firmware_by and options.redfish:
        options.error("--firmware-by is for servers without a controller: leave out --redfish")
    if options.check and (options.undo or options.yes):
        options.error("--check changes nothing: leave out --undo and --yes")
    try:
        seconds = float(options.poll)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= 600:
        options.error(f"--poll {options.poll}: a number of seconds up to 600")


def _servers(options: Options, bundle: Deployable) -> list[ServerRollout]:
    """The servers that the arguments name. Raises SetpointError (E0623, E0632, E0650)."""
    if options.firmware_by and options.firmware_by not in {plan.part for plan in bundle.plans}:
        raise SetpointError.of(
            "E0632",
            f"`{options.bundle}` has no plan for {options.firmware_by}",
            help=(
                f"compile the policy with it: `--target {options.firmware_by}`, and the targets for the rest of the host",
            ),
        )
    chosen = RolloutChoices(
        restart=options.restart == "now",
        undo=options.undo,
        pass_over=tuple(options.pass_over),
        permitted=tuple(name for name in PERMITTED if getattr(options, name)),
        restarted=options.restarted,
        firmware_by=options.firmware_by,
        poll=float(options.poll),
        state=state_folder(options.state),
    )
    ignored = tuple(name for name in options.pass_over if name != SAME)
    commands = {host.rpartition("@")[2]: ssh(host, options.ssh_option, options.sudo) for host in options.ssh}
    if options.local:
        commands[os.uname().nodename] = [*(AS_ROOT if options.sudo else ()), *HERE]
    hosts = [HostShell(name, tuple(command), ignored) for name, command in commands.items()]
    accounts = [_account(url, options.ca_file) for url in options.redfish]
    servers = [ServerRollout(bundle, chosen, account, host) for account, host in zip_longest(accounts, hosts)]
    if not all(server.has_work for server in servers):
        way = "plans for hosts" if hosts else "requests for a controller"
        raise SetpointError.of(
            "E0650",
            f"`{options.bundle}` has no {way}",
            help=("README.md in it says what it has",),
        )
    return servers


def _account(url: str, ca_file: str) -> ControllerAccount:
    address, user, password = account_for_address(url)
    return ControllerAccount(urlsplit(address).netloc, user, password, ca_file)


def _read(servers: Sequence[ServerRollout]) -> list[SetpointError]:
    """Read all servers; why some cannot be changed."""
    errors = []
    for server in servers:
        try:
            server.read()
        except SetpointError as error:
            errors.append(error)
    if not errors:
        try:
            require_different(list(servers))
        except SetpointError as error:
            errors.append(error)
    return errors


def _is_due(servers: Iterable[ServerRollout], options: Options) -> bool:
    """Whether anything is to be done, and not only a restart of the user to be awaited."""
    waits = any(result["state"] == "pending" for server in servers for result in server.differing)
    return (
        options.undo or any(server.would_change for server in servers) or (waits and options.restart == "now")
    )


def _agreed(servers: Sequence[ServerRollout], options: Options) -> bool:
    verb = "Put back" if options.undo else "Change"
    restarts = " and restart where something waits for it" if options.restart == "now" else ""
    sys.stderr.write(f"{verb} {count(len(servers), 'server')}{restarts}? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower().startswith("y")


def _changed(servers: Sequence[ServerRollout]) -> list[SetpointError]:
    """Change the servers one after the other, up to the first that cannot be finished; compare each that was begun."""
    errors: list[SetpointError] = []
    for at, server in enumerate(servers):
        try:
            server.change(lambda text, name=server.name: _progress(name, text))  # type: ignore[misc]
        except SetpointError as error:
            errors.append(error)
        try:
            server.compare()
        except SetpointError as error:
            errors.append(error)
        if errors:
            if rest := [server.name for server in servers[at + 1 :]]:
                sys.stderr.write(f"not begun: {visible(', '.join(rest))}\n")
            break
    return errors


def _progress(name: str, text: str) -> None:
    sys.stderr.write(f"{visible(f'{name}: {text}')}\n")
    sys.stderr.flush()


# ---------------------------------------------------------------------------------------------------------- output


def _ended(
    servers: Sequence[ServerRollout], errors: list[SetpointError], options: Options, is_changed: bool
) -> int:
    """Print what came of it; returns the exit status."""
    if options.format == "json":
        sys.stdout.write(json_text({"schema": SCHEMA, "servers": [_document(server) for server in servers]}))
    elif is_changed:
        for server in servers:
            sys.stdout.write(_page(server))
    for error in errors:
        show(error.diagnostics, error.sources)
    status = status_of([result for server in servers for result in server.results])
    if status == OK and any(server.is_unfinished for server in servers):
        status = DIFFERENCE
    return OUTSIDE if errors else status


def _document(server: ServerRollout) -> dict[str, Any]:
    """The report of a server, in form setpoint.verify/1."""
    head = {"schema": "setpoint.verify/1", "host": server.name, "policy": server.bundle.policy}
    return {**head, "results": server.results, "notes": server.told}


def _heading(server: ServerRollout) -> str:
    through = (
        f" through {server.controller.address}"
        if server.controller and server.controller.address != server.name
        else ""
    )
    model = f", {server.model}" if server.model else ""
    return visible(f"{server.name}{through}{model}")


def _shown(server: ServerRollout, is_undo: bool) -> str:
    """A server before it is changed: what differs, and when that takes effect."""
    if is_undo:
        return f"{_heading(server)}\n{_told(server)}\n"
    due = effect(server.differing)
    return _page(server, f"  {due}\n" if due else "") + "\n"


def _page(server: ServerRollout, due: str = "") -> str:
    """A server: what is not as planned, and how much is."""
    return f"{_heading(server)}\n{_rows(server.differing)}{_told(server)}{due}{_tally(server)}"


def _told(server: ServerRollout) -> str:
    return "".join(paragraph(visible(line), page_width()) for line in server.told)


def _tally(server: ServerRollout) -> str:
    states = [result["state"] for result in server.results]
    told = [
        f"{states.count(state)} {state}"
        for state in dict.fromkeys(sorted(states, key=lambda state: state not in FINE))
    ]
    return f"  {', '.join(told)}\n"


def _rows(results: Sequence[dict[str, Any]]) -> str:
    """The results that are not as planned, as a table."""
    if not results:
        return ""
    rows = [("setting", "state", "found", "wanted", "pending")]
    rows += [
        (
            result["setting"],
            result["state"],
            result["found"] or "-",
            result["wanted"],
            result["pending"] or "-",
        )
        for result in results
    ]
    return table([tuple(map(visible, row)) for row in rows], page_width())

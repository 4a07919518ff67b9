"""Captures that `setpoint capture` gets from elsewhere than a host: what carries them already, and controllers over Redfish."""

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from setpoint.compiler.captures.carriers import captures_in
from setpoint.compiler.captures.model import Capture
from setpoint.compiler.cli.arguments import Options, Parser
from setpoint.compiler.cli.extras import is_missing
from setpoint.compiler.diagnostics import SetpointError


def add_carried(parser: Parser) -> None:
    """The arguments that name carriers and controllers."""
    parser.add_argument(
        "--from",
        dest="carriers",
        nargs="+",
        action="extend",
        default=[],
        metavar="PATH",
        help="take captures from reports of sos or supportconfig, trees of a controller's answers, what programs printed, or folders of them",
    )
    parser.add_argument(
        "--redfish",
        nargs="+",
        action="extend",
        default=[],
        metavar="URL",
        help="read these controllers over Redfish, such as https://bmc1.example.org; user and password come from SETPOINT_REDFISH_USER "
        "and SETPOINT_REDFISH_PASSWORD, ~/.netrc, or a question",
    )
    parser.add_argument(
        "--ca-file",
        default="",
        metavar="FILE",
        help="certificates of the authorities, or the controllers' own, that --redfish trusts (default: those of the system)",
    )


def lacks_library(options: Options) -> bool:
    """Whether a controller is to be read, and the library for it is missing; the error stream then says so."""
    return bool(options.redfish) and is_missing("httpx", "redfish", "reading controllers over Redfish")


def carried(options: Options, places: Iterable[str]) -> Iterator[Capture | SetpointError]:
    """The captures in carriers, and of controllers, and why others cannot be had. Of reports, `places` are read."""
    wanted = tuple(places)
    for path in options.carriers:
        yield from _in(path, wanted)
    for url in options.redfish:
        yield _of_controller(url, options.ca_file)


def _in(path: str, places: Iterable[str]) -> Iterator[Capture | SetpointError]:
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

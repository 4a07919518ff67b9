"""Shared by the verbs: how to name a policy, how to show diagnostics, and the exit status of an error."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from setpoint.compiler.cli import IN_ERROR, OK, OUTSIDE, USAGE
from setpoint.compiler.cli.arguments import Arguments, Options, Parser, argument
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.links import LinkError
from setpoint.compiler.hints import TYPE_CHECKING, Any
from setpoint.compiler.language.parse import is_day
from setpoint.compiler.language.program import not_followed
from setpoint.compiler.render.visible import visible

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server

FAILED_OUTSIDE = "E06"
"""The beginnings of the codes of errors in files, folders or revisions."""

WRONG_NAMES = {"E0206", "E0504"}
"""The codes of errors in other names on the command line: of a policy, a group, a host, a target."""

LEAST_COLUMNS, COLUMNS, MOST_COLUMNS = 80, 110, 140
"""The minimum width of a page, the default, and the maximum."""

ABSURD = 10
"""A number with more digits is not a width; Python refuses to read several thousand."""


def told(error: Exception, outside: int) -> int:
    """Say what an exception says; returns the exit status. Raises those that say nothing to users."""
    if isinstance(error, SetpointError):
        show(error.diagnostics, error.sources)
        status = status_of(error.diagnostics)
        return outside if status == OUTSIDE else status
    if isinstance(error, LinkError):
        show((not_followed(error),), {})
    elif isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"{visible(f'setpoint: {place}{error.strerror or error}')}\n")
    else:
        raise error
    return outside


def together(errors: Iterable[SetpointError]) -> SetpointError:
    """Several errors as one."""
    errors = list(errors)
    whole = SetpointError(*(d for error in errors for d in error.diagnostics))
    whole.sources = {name: text for error in errors for name, text in error.sources.items()}
    return whole


def status_of(diagnostics: Iterable[Diagnostic]) -> int:
    """4 if a file could not be read or written, 2 if a name on the command line is wrong, 1 for other errors, else 0.

    Names on the command line have no place in a text; if an included file cannot be read, the policy is in error. A
    missing file or revision is a wrong name, which is its diagnostic's subject.
    """
    errors = [d for d in diagnostics if d.severity == "error"]
    of_the_command = [d for d in errors if d.at == NOWHERE]
    outside = [d for d in of_the_command if d.code.startswith(FAILED_OUTSIDE)]
    if any(not d.subject for d in outside):
        return OUTSIDE
    if outside or {d.code for d in of_the_command} & WRONG_NAMES:
        return USAGE
    return IN_ERROR if errors else OK


class _Color:
    """The value of `--color`, for errors that are shown after the arguments have been dropped."""

    choice = "auto"


COLOR: Arguments = {
    "--color": argument(
        "colours in diagnostics (default: auto, on a terminal unless NO_COLOR is set)",
        choices=("auto", "always", "never"),
        default="auto",
    )
}
TODAY: Arguments = {"--today DATE": "the day that `until` is compared with (default: the clock's)"}
PATHS: Arguments = {"paths PATH+": "files, or folders of .tune files"}
ROOT: Arguments = {
    "--root DIR": "the folder that includes must stay inside (default: a folder as it is named, a file's own)"
}
SELECTED: Arguments = {
    "-e TEXT": argument("the policy itself, in place of a file", dest="text", default=None),
    "--policy NAME": argument("this policy of the file only", dest="only"),
    "--group NAME": "as it is for this group",
    "--host NAME": "as it is for this host",
    "--root DIR": "the folder that includes must stay inside",
    **TODAY,
}
POLICY: Arguments = {"policy POLICY?": "a policy file, a folder of them, or - for standard input", **SELECTED}
REGISTRY = (
    "the server's BIOS attribute registry, in DMTF's AttributeRegistry form: only what it contains is offered"
)
SERVER: Arguments = {
    "--registry FILE": REGISTRY,
    "--current FILE": "the server's Bios resource, with its current values: what is right already is not written again",
}
SERVERS: Arguments = {
    **SERVER,
    "--registry FILE": f"{REGISTRY}; with --inventory, that of some hosts or a folder of them, as for `fleet`",
}
"""The registry and the current values of one server, or registries of the hosts of an inventory."""

HOSTS = "the hosts and their facts: an inventory of Ansible, JSON of facter or PuppetDB, CSV, a capture, or a folder of them"
INVENTORY: Arguments = {
    "--inventory INVENTORY": HOSTS,
    "--run-inventory": "the inventory is trusted: it may be a program, and use plugins of Ansible",
    "--facts FILE": "a table of your own (TOML): where the inventory has which fact, and what its texts mean",
}
WITH_REGISTRIES: Arguments = {**INVENTORY, "--registry FILE": "with --inventory: as for `fleet`"}
"""An inventory and the registries of its hosts, for verbs that take no registry of one server."""


class Verb:
    """A verb of the command line: its parser, and what is done with the values of its arguments."""

    def __init__(self, parser: Parser, function: Callable[[Options], int]) -> None:
        self.parser, self._function = parser, function

    def __call__(self, words: Sequence[str]) -> int:
        """Run the verb with the words of its arguments; returns the exit status."""
        _Color.choice = "auto"
        options = self.parser.parse_args(words)
        _Color.choice = options.color
        return self._function(options)


def verb(
    name: str, description: str, example: str, arguments: Arguments
) -> Callable[[Callable[[Options], int]], Verb]:
    """Make a function a verb with these arguments; its help ends with the example, words without `setpoint`."""
    parser = Parser(f"setpoint {name}", description, example, {**COLOR, **arguments})
    return lambda function: Verb(parser, function)


def server_named(options: Options) -> "Server | None":
    """The server that the arguments name, None if they name none. Raises SetpointError, as `registries.read` does."""
    if not options.registry and not options.current:
        return None
    from setpoint.compiler.fitting.server import read_server  # only needed for a given server

    return read_server(options.registry, options.current)


def today_of(options: Options) -> str:
    """The date to compare waivers with, in ISO form."""
    today: str = options.today
    if not today:
        return time.strftime("%Y-%m-%d")
    if not is_day(today):
        options.error(f"--today {today}: not a date such as 2027-03-31")
    return today


def show(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> None:
    """Print diagnostics on the error stream, with their source lines."""
    from setpoint.compiler.render.excerpt import diagnostics_text

    write_findings(
        sys.stderr, diagnostics_text(diagnostics, text_source(sources), terminal_width(sys.stderr))
    )


def show_all(findings: Iterable[Diagnostic], sources: Mapping[str, str]) -> None:
    """Print all findings of a run on the error stream, those of several policies once, and their number by code."""
    from setpoint.compiler.policies.findings import once
    from setpoint.compiler.render.excerpt import tally

    diagnostics = once(findings)
    show(diagnostics, sources)
    if len(diagnostics) > 1:
        sys.stderr.write(f"{tally(diagnostics)}\n")


def write_findings(stream: Any, text: str) -> None:
    """Write a text of diagnostics, in colour if that stream has it."""
    if has_color(stream):
        from setpoint.compiler.render.color import painted

        text = painted(text)
    stream.write(text)


def has_color(stream: Any) -> bool:
    """Whether a stream has colours: as `--color` and NO_COLOR say, else if it is a terminal that is not dumb."""
    if _Color.choice != "auto":
        return _Color.choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    try:
        return bool(stream.isatty())
    except ValueError:  # it is closed
        return False


def no_such(what: str, word: str, known: Iterable[str], meant: Iterable[str] = ()) -> int:
    """Report an unknown name on the command line, with the known or probable ones."""
    from setpoint.compiler.knowledge.words import suggestion

    near = list(meant) or [name for name in (suggestion(word, known),) if name]
    named = " or ".join(f"`{name}`" for name in near)
    question = f"; did you mean {named}?" if named else ""
    sys.stderr.write(f"{visible(f'setpoint: {what} `{word}`{question}')}\n")
    return USAGE


def is_missing(library: str, extra: str, what: str) -> bool:
    """Whether an optional library is missing; the error stream then says what needs it, and how to install it."""
    from importlib.util import find_spec  # only wanted by verbs with such a library

    if find_spec(library) is not None:
        return False
    sys.stderr.write(
        f"error: {what} needs the library {library}\n"
        f"help: install Setpoint with its extra `{extra}`; from a checkout: `pipx install '.[{extra}]'`\n"
    )
    return True


def write_output(path: str, text: str) -> None:
    """Write a text to a file, or to standard output where none is named. Raises OSError and LinkError."""
    from setpoint.compiler.files.writing import write_text  # only wanted by verbs that write

    if path:
        write_text(path, text)
    else:
        sys.stdout.write(text)


def text_source(sources: Mapping[str, str]) -> Callable[[str], str]:
    """A function from a source's name to its text: the user's files, and those of the standard library."""
    from setpoint.compiler.knowledge.load import stdlib_text

    return lambda name: sources[name] if name in sources else stdlib_text(name)


def page_width() -> int:
    """The width of the page: that of the terminal within limits, else 110."""
    columns = os.environ.get("COLUMNS", "")
    try:
        if columns.isascii() and columns.isdigit():  # `²` is a digit, too
            width = int(columns) if len(columns) < ABSURD else MOST_COLUMNS
        else:
            width = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return COLUMNS
    return max(LEAST_COLUMNS, min(MOST_COLUMNS, width))


def terminal_width(stream: Any) -> int:
    """The width that diagnostics are wrapped to: that of the terminal; 0 for files and pipes, which are not wrapped."""
    try:
        return page_width() if stream.isatty() else 0
    except ValueError:  # it is closed
        return 0

"""What the verbs share: how a policy is named, how diagnostics are shown, what an error's exit status is."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable

from setpoint.compiler.cli import IN_ERROR, OUTSIDE, USAGE
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.language.parse import is_day
from setpoint.compiler.language.source import NOWHERE
from setpoint.compiler.program import Program, program_of_file, program_of_text


def guarded(run: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Run a verb; turn what it raises into messages and an exit status."""
    try:
        return run(arguments)
    except SetpointError as error:
        show(error.diagnostics, error.sources)
        return status_of(error)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the reader has gone; keep the interpreter from saying so
        return OUTSIDE
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"setpoint: {place}{error.strerror or error}\n")
        return OUTSIDE


def status_of(error: SetpointError) -> int:
    """4 where a file could not be read or written, 2 where a name on the command line is wrong, else 1."""
    first = error.diagnostics[0]
    if first.at == NOWHERE and first.code in ("E0601", "E0604", "E0605", "E0606", "E0607"):
        return OUTSIDE
    if first.at == NOWHERE and first.code in ("E0206", "E0504"):
        return USAGE
    return IN_ERROR


def parser(verb: str, description: str) -> argparse.ArgumentParser:
    """A parser for a verb's arguments."""
    return argparse.ArgumentParser(prog=f"setpoint {verb}", description=description, allow_abbrev=False)


def add_policy(parser: argparse.ArgumentParser, positional: bool = True) -> None:
    """The arguments that name a policy, and choose within it."""
    if positional:
        parser.add_argument("policy", nargs="?", metavar="POLICY", help="a policy file")
    parser.add_argument("-e", dest="text", metavar="TEXT", help="the policy itself, in place of a file")
    parser.add_argument(
        "--policy", dest="only", default="", metavar="NAME", help="this policy of the file only"
    )
    parser.add_argument("--group", default="", metavar="NAME", help="as it is for this group")
    parser.add_argument("--host", default="", metavar="NAME", help="as it is for this host")
    parser.add_argument("--root", default="", metavar="DIR", help="the folder that includes must stay inside")
    add_today(parser)


def add_today(parser: argparse.ArgumentParser) -> None:
    """The argument that stands in for the clock."""
    parser.add_argument(
        "--today",
        default="",
        metavar="DATE",
        help="the day that `until` is compared with (default: the clock's)",
    )


def program_of(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Program:
    """The program that the arguments name."""
    if (options.text is None) == (options.policy is None):
        parser.error("name a policy file, or give its text with -e")
    if options.text is not None:
        return program_of_text(options.text, options.root or ".")
    return program_of_file(options.policy, options.root)


def today_of(options: argparse.Namespace, parser: argparse.ArgumentParser) -> str:
    """The day that waivers are compared with, in ISO form."""
    from datetime import date

    today: str = options.today
    if not today:
        return date.today().isoformat()
    if not is_day(today):
        parser.error(f"--today {today}: not a date such as 2027-03-31")
    return today


def show(diagnostics: Iterable[Diagnostic], sources: dict[str, str]) -> None:
    """Diagnostics on the error stream, with the lines that they speak of."""
    from setpoint.compiler.render.excerpt import diagnostics_text

    sys.stderr.write(diagnostics_text(diagnostics, text_source(sources)))


def text_source(sources: dict[str, str]) -> Callable[[str], str]:
    """A function from a source's name to its text: the user's files, and those of the standard library."""
    from setpoint.compiler.knowledge.load import stdlib_text

    def text_of(name: str) -> str:
        return sources[name] if name in sources else stdlib_text(name)

    return text_of


def page_width() -> int:
    """The width of the page: the terminal's within reason, else 110."""
    columns = os.environ.get("COLUMNS", "")
    if not columns.isdigit():
        try:
            columns = str(os.get_terminal_size(sys.stdout.fileno()).columns)
        except (OSError, ValueError):
            columns = "110"
    return max(80, min(140, int(columns)))

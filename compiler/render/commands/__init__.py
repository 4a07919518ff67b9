"""The options and operands of the command line as data, for the manual page and the completion scripts of shells.

`setpoint.compiler.cli.commands` reads them from the parsers, so that they agree with `--help`. The texts are the
project's own. They are still quoted by the rules of each format, since a dot, a quote or a bracket in a help text would
otherwise be an instruction there.
"""

from setpoint.compiler.record import NamedTuple

FILES, FOLDERS = "files", "folders"
"""The kinds of name that a shell can complete itself."""


class CommandArgument(NamedTuple):
    """An option with its flags, or an operand, which has none."""

    flags: tuple[str, ...]
    value: str
    """The placeholder for the value, such as `PATH`; "" if it takes none."""
    synopsis: str
    about: str
    words: tuple[str, ...] = ()
    """The values that are offered."""
    paths: str = ""
    """Whether names of `files` or `folders` are offered."""
    is_repeated: bool = False


class Command(NamedTuple):
    """A command: `setpoint` itself, `setpoint plan`, `setpoint kb check`."""

    words: tuple[str, ...]
    about: str
    description: str
    options: tuple[CommandArgument, ...]
    operands: tuple[CommandArgument, ...]

    @property
    def name(self) -> str:
        """The name in one line, without the program's."""
        return " ".join(self.words)

    @property
    def offered(self) -> tuple[str, ...]:
        """The words that are offered for an operand."""
        return tuple(word for operand in self.operands for word in operand.words)

    @property
    def paths(self) -> str:
        """Whether names of files or folders are offered for an operand."""
        return next((operand.paths for operand in self.operands if operand.paths), "")


def below(commands: tuple[Command, ...], command: Command) -> tuple[Command, ...]:
    """The commands whose name is this command's and one more word."""
    return tuple(
        subcommand for subcommand in commands if subcommand.words[:-1] == command.words and subcommand.words
    )

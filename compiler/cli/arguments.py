"""The arguments of a command: rows of a table, of which argparse is told only to show help and to report errors.

The words of a row are those of a command line (`--all`, `--group NAME`), its text is the help. argparse makes a
formatter of help for every argument that is declared, and with it loads modules for terminals, archives and locales,
which takes longer than to read the arguments of any command. Most command lines are plain: options that exist, each
followed by its value, and other words, before, between or after them. `Parser` reads these itself. For everything else
it asks argparse, whose answer counts; a property test compares both.
"""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from setpoint.compiler.hints import TYPE_CHECKING, Any, NoReturn
from setpoint.compiler.record import NamedTuple

if TYPE_CHECKING:
    import argparse


Arguments = Mapping[str, "str | dict[str, Any]"]
"""The arguments of a command: the words of each, and its help, alone or with what else argparse is told
(`argument`)."""


class Options(SimpleNamespace):
    """The values of the arguments, by their names, and the parser that read them."""

    parser: "Parser"

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def error(self, message: str) -> NoReturn:
        """Report wrong usage, and exit."""
        self.parser.argparse().error(message)


def argument(help: str = "", **settings: Any) -> dict[str, Any]:  # noqa: A002 - the name that argparse has for it
    """A row with settings of argparse that its words do not say."""
    return {"help": help, **settings} if help else settings


def forms(*names: str) -> Arguments:
    """The argument for the form of the output."""
    return {"--format": argument(choices=names, default="text")}


class _Declared(NamedTuple):
    """An argument: its flag, or its name if it has no flag, and what else argparse is told."""

    flag: str
    settings: dict[str, Any]

    @property
    def name(self) -> str:
        """The name of its value."""
        return str(self.settings.get("dest") or self.flag.lstrip("-").replace("-", "_"))

    @property
    def default(self) -> Any:
        """Its value if it is not given."""
        return self.settings.get("default", False if self.settings.get("action") == "store_true" else None)

    def takes(self, word: str) -> bool:
        """Whether a word can be its value as it is."""
        choices = self.settings.get("choices")
        return _is_plain(word) and "type" not in self.settings and (choices is None or word in choices)


def _declared(words: str, says: str | dict[str, Any]) -> _Declared:
    """Read a row: `--all` takes no value, `--group NAME` one, `--ssh HOST+` several words; `--target NAME…` can be
    repeated.

    `policy POLICY` is an operand. Behind its placeholder, `?` makes it optional, `+` asks for one or more words, `*`
    for any number.
    """
    name, _, value = words.partition(" ")
    given = argument(says) if isinstance(says, str) else says
    usual: dict[str, Any] = {"metavar": value} if value else {}
    if name.startswith("-"):
        usual |= {"default": ""} if value or "choices" in given else {"action": "store_true"}
        if value.endswith("…"):
            usual = {"action": "append", "default": [], "metavar": value[:-1]}
        elif value.endswith("+"):
            usual = {"action": "extend", "nargs": "+", "default": [], "metavar": value[:-1]}
    elif value[-1:] in ("?", "+", "*"):
        usual = {"nargs": value[-1], "metavar": value[:-1]}
    return _Declared(name, {**usual, **given})


def _is_plain(word: str) -> bool:
    """Whether a word is no option."""
    return word == "-" or not word.startswith("-")


class Parser:
    """Reads the arguments of one command."""

    def __init__(self, prog: str, description: str, example: str, arguments: Arguments) -> None:
        self.prog, self.description, self.example = prog, description, example
        self._declared = [_declared(words, says) for words, says in arguments.items()]
        self._by_flag = {
            declaration.flag: declaration
            for declaration in self._declared
            if declaration.flag.startswith("-")
        }

    def parse_args(self, words: Sequence[str]) -> Options:
        """The values of the arguments. Exits with a message for wrong ones, and after `--help`."""
        options = self.read_plain(words) or self.argparse().parse_intermixed_args(words, Options())
        options.parser = self
        return options

    def argparse(self) -> "argparse.ArgumentParser":
        """The same arguments, declared to argparse."""
        from setpoint.compiler.cli.by_argparse import UsageParser  # it loads argparse

        parser = UsageParser(prog=self.prog, description=self.description, allow_abbrev=False)
        parser.example = self.example
        for declared in self._declared:
            parser.add_argument(declared.flag, **declared.settings)
        return parser

    def read_plain(self, words: Sequence[str]) -> Options | None:
        """The values of the arguments on a plain command line; None if only argparse can tell."""
        values = {declaration.name: declaration.default for declaration in self._declared}
        missing = {declaration.name for declaration in self._declared if declaration.settings.get("required")}
        others: list[str] = []
        rest = iter(words)
        for word in rest:
            option = self._by_flag.get(word)
            if option is None:
                if not _is_plain(word):
                    return None
                others.append(word)
                continue
            missing.discard(option.name)
            if option.settings.get("action") == "store_true":
                values[option.name] = True
                continue
            value = next(rest, None)
            if value is None or not option.takes(value) or "nargs" in option.settings:
                return None
            is_list = option.settings.get("action") == "append"
            values[option.name] = [*values[option.name], value] if is_list else value
        positional = self._positional(others)
        return None if missing or positional is None else Options(**{**values, **positional})

    def _positional(self, words: list[str]) -> dict[str, Any] | None:
        """The values of the arguments without flags, if these words are for them; None if only argparse can tell."""
        declared = [declaration for declaration in self._declared if not declaration.flag.startswith("-")]
        if not all(declaration.takes(word) for declaration in declared for word in words):
            return None
        counts = [declaration.settings.get("nargs") for declaration in declared]
        if counts in (["+"], ["*"]):
            if words or counts == ["+"]:
                return {declared[0].name: words} if words else None
            return {declared[0].name: declared[0].default or []}
        needed = [count for count in counts if count is None]
        if counts[: len(needed)] != needed or not set(counts) <= {None, "?"}:
            return None
        if not len(needed) <= len(words) <= len(declared):
            return None
        return {declaration.name: word for declaration, word in zip(declared, words, strict=False)}

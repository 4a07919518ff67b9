"""The arguments of a command: declared as for argparse, which is only loaded to show help, and to report errors.

argparse makes a formatter of help for every argument that is declared, and with it loads modules for terminals, archives and
locales, which takes longer than to read the arguments of any command. Most command lines are plain: their words are options that
exist, each followed by its value, and other words, before, between or after them. `Parser` reads these itself. For everything
else, it asks argparse, whose answer counts; a property test compares both.
"""

from collections.abc import Sequence
from types import SimpleNamespace

from setpoint.compiler.hints import TYPE_CHECKING, Any, NoReturn
from setpoint.compiler.record import NamedTuple, distinct

if TYPE_CHECKING:
    import argparse


class Options(SimpleNamespace):
    """The values of the arguments, by their names."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


@distinct
class _Declared(NamedTuple):
    """An argument: its flags, or its name if it has no flags, and what else argparse is told."""

    flags: tuple[str, ...]
    settings: dict[str, Any]

    @property
    def name(self) -> str:
        """The name of its value."""
        long = next((flag for flag in self.flags if flag.startswith("--")), self.flags[0])
        return str(self.settings.get("dest") or long.lstrip("-").replace("-", "_"))

    @property
    def default(self) -> Any:
        """Its value if it is not given."""
        return self.settings.get("default", False if self.settings.get("action") == "store_true" else None)

    def takes(self, word: str) -> bool:
        """Whether a word can be its value as it is."""
        choices = self.settings.get("choices")
        return _is_plain(word) and "type" not in self.settings and (choices is None or word in choices)


def _is_plain(word: str) -> bool:
    """Whether a word is no option."""
    return word == "-" or not word.startswith("-")


class Parser:
    """Reads the arguments of one command."""

    def __init__(self, prog: str, description: str, example: str) -> None:
        self.prog = prog
        self.description = description
        self.example = example
        self._declared: list[_Declared] = []
        self._by_flag: dict[str, _Declared] = {}

    def add_argument(self, *flags: str, **settings: Any) -> None:
        """Declare an argument, as for argparse."""
        declared = _Declared(flags, settings)
        self._declared.append(declared)
        if flags[0].startswith("-"):
            self._by_flag.update(dict.fromkeys(flags, declared))

    def parse_args(self, words: Sequence[str]) -> Options:
        """The values of the arguments. Exits with a message for wrong ones, and after `--help`."""
        return self.read_plain(words) or self.argparse().parse_intermixed_args(words, Options())

    def error(self, message: str) -> NoReturn:
        """Report wrong usage, and exit."""
        self.argparse().error(message)

    def argparse(self) -> "argparse.ArgumentParser":
        """The same arguments, declared to argparse."""
        from setpoint.compiler.cli.by_argparse import UsageParser  # it loads argparse

        made = UsageParser(prog=self.prog, description=self.description, allow_abbrev=False)
        made.example = self.example
        for declared in self._declared:
            made.add_argument(*declared.flags, **declared.settings)
        return made

    def read_plain(self, words: Sequence[str]) -> Options | None:
        """The values of the arguments on a plain command line; None if only argparse can tell."""
        values = {each.name: each.default for each in self._declared}
        missing = {each.name for each in self._declared if each.settings.get("required")}
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
        declared = [each for each in self._declared if not each.flags[0].startswith("-")]
        if not all(each.takes(word) for each in declared for word in words):
            return None
        counts = [each.settings.get("nargs") for each in declared]
        if counts in (["+"], ["*"]):
            if words or counts == ["+"]:
                return {declared[0].name: words} if words else None
            return {declared[0].name: declared[0].default or []}
        needed = [count for count in counts if count is None]
        if counts[: len(needed)] != needed or not set(counts) <= {None, "?"}:
            return None
        if not len(needed) <= len(words) <= len(declared):
            return None
        return {each.name: word for each, word in zip(declared, words, strict=False)}

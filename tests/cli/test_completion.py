"""Completion scripts and the manual page, tested with the shells that complete and the programs that format the
page."""

import subprocess
from pathlib import Path

import pytest

from consumers.requirement import require
from consumers.shells import offered
from setpoint.compiler.cli import STATUSES, VERBS
from setpoint.compiler.cli.commands import PATHS, commands
from setpoint.compiler.cli.completion import SHELLS
from setpoint.compiler.cli.kb import VERBS as INNER
from setpoint.compiler.render.commands import FILES, FOLDERS, Command, CommandArgument
from setpoint.compiler.render.commands.man import man
from support.command import setpoint
from support.limits import PATIENCE

NAMES = ("web.tune", "two words.tune", "w$(touch ran).tune")

HOSTILE = """.so \\n'"`$(touch ran)` [x]: {y} ~^ % * ; é\n.br \\"""
"""A text that every format would take for instructions."""

LINES = {
    "setpoint ": sorted(VERBS),
    "setpoint -": ["--help", "--version", "-h"],
    "setpoint ch": ["check"],
    "setpoint nothing ": [],
    "setpoint kb ": sorted(INNER),
    "setpoint kb check --": ["--color", "--format", "--help", "--quiet", "--root"],
    "setpoint kb list s": ["services", "settings", "sources"],
    "setpoint plan --format ": ["html", "json", "markdown", "text"],
    "setpoint plan --format=j": ["--format=json"],
    "setpoint plan --policy ": [],
    "setpoint plan w": ["w$(touch ran).tune", "web.tune"],
    "setpoint plan --color never t": ["two words.tune"],
    "setpoint diff web.tune t": ["two words.tune"],
    "setpoint compile --target k": ["kernel-args"],
    "setpoint compile -o ": ["folder"],
    "setpoint completion ": sorted(SHELLS),
    "setpoint help ex": ["explain"],
}

OTHERS = {
    "ADDRESS",
    "CHECK",
    "COMMAND | CODE",
    "DATE",
    "DAYS",
    "FORM=FILE",
    "FROM",
    "HOST",
    "KIND",
    "NAME",
    "NUMBER",
    "NUMBERS",
    "OPTION",
    "REV",
    "SECONDS",
    "TEXT",
    "TIME",
    "URL",
}
"""Placeholders for values that are no names of files or folders."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "policies"
    (made / "folder").mkdir(parents=True)
    for name in NAMES:
        (made / name).touch()
    return made


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_offers_what_can_follow(shell: str, folder: Path, tmp_path: Path) -> None:
    """Nothing is run while it completes, whatever the names of files are."""
    script = setpoint("completion", shell)
    assert (script.status, script.err) == (0, "")
    found = offered(shell, script.out, list(LINES), folder, tmp_path)
    without_slash = [
        [word.removesuffix("/") for word in words] for words in found
    ]  # fish ends folders with one
    assert dict(zip(LINES, without_slash, strict=True)) == LINES
    assert sorted(path.name for path in folder.iterdir()) == sorted([*NAMES, "folder"])


@pytest.mark.parametrize("shell", SHELLS)
def test_every_option_of_every_command_is_offered(shell: str, folder: Path, tmp_path: Path) -> None:
    every = {f"setpoint {each.name} --": each for each in commands() if each.words and each.words != ("kb",)}
    found = offered(shell, SHELLS[shell](commands()), list(every), folder, tmp_path)
    for command, words in zip(every.values(), found, strict=True):
        assert words == sorted(f for o in command.options for f in o.flags if f.startswith("--")), (
            command.name
        )


@pytest.mark.parametrize("shell", SHELLS)
def test_no_text_is_an_instruction_to_the_shell(shell: str, folder: Path, tmp_path: Path) -> None:
    found = offered(shell, SHELLS[shell](_hostile()), ["setpoint ", "setpoint odd --"], folder, tmp_path)
    assert found == [["odd"], ["--help", "--value"]]
    assert sorted(path.name for path in folder.iterdir()) == sorted([*NAMES, "folder"])


def _hostile() -> tuple[Command, ...]:
    options = (
        CommandArgument(("--help",), "", "[--help]", HOSTILE),
        CommandArgument(("--value",), HOSTILE, "[--value]", HOSTILE, is_repeated=True),
    )
    operands = (CommandArgument((), HOSTILE, HOSTILE, HOSTILE, paths=FILES),)
    return (
        Command((), HOSTILE, HOSTILE, (), ()),
        Command(("odd",), HOSTILE, HOSTILE, options, operands),
    )


def test_the_script_of_bash_has_no_finding(tmp_path: Path) -> None:
    script = tmp_path / "setpoint"
    script.write_text(SHELLS["bash"](commands()), encoding="utf-8")
    _runs(str(require("shellcheck")), "--shell=bash", str(script))


def test_every_placeholder_of_a_value_is_known() -> None:
    """A new placeholder must be added to those for paths or to the others."""
    said = {
        argument.value
        for command in commands()
        for argument in (*command.options, *command.operands)
        if argument.value and not argument.value.startswith("{")
    }
    new = said - {*PATHS, *OTHERS, "COMMAND", " | ".join(INNER)}
    assert not new, f"put {sorted(new)} into PATHS of compiler/cli/commands.py, or into OTHERS here"
    assert said == {*PATHS, *OTHERS, "COMMAND", " | ".join(INNER)}
    assert set(PATHS.values()) == {FILES, FOLDERS}


def test_an_unknown_shell_is_wrong_usage() -> None:
    asked = setpoint("completion", "sh")
    assert (asked.status, asked.out) == (2, "")
    assert "invalid choice: 'sh'" in asked.err


# ----------------------------------------------------------------------------------------- manual page


def test_the_manual_page_is_roff_without_a_finding(tmp_path: Path) -> None:
    page = _page(tmp_path, setpoint("help", "--format", "man").out)
    assert _runs(str(require("groff")), "-man", "-ww", "-z", str(page)) == ""
    found = subprocess.run(
        [require("mandoc"), "-T", "lint", "-W", "warning", page], capture_output=True, text=True
    )
    # a date would change a page whose version has not changed
    assert [line for line in found.stdout.splitlines() if "missing date" not in line] == []


def test_the_manual_page_says_what_help_says(tmp_path: Path) -> None:
    printed = setpoint("help", "--format", "man")
    assert (printed.status, printed.err) == (0, "")
    assert printed.out.isascii()
    shown = _shown(_page(tmp_path, printed.out))
    for command in commands():
        assert f"setpoint {command.name}".strip() in shown
        for argument in (*command.options, *command.operands):
            assert " ".join(argument.about.split()) in shown
            assert ", ".join(f"{flag} {argument.value}".strip() for flag in argument.flags) in shown
        help_ = " ".join(setpoint(*command.words, "--help", env={"COLUMNS": "140"}).out.split())
        assert command.description in help_
        assert [a.about for a in command.options if " ".join(a.about.split()) not in help_] == []
    assert [what for what in STATUSES.values() if what not in shown] == []


def test_no_text_is_an_instruction_to_roff(tmp_path: Path) -> None:
    page = _page(tmp_path, man(_hostile(), "1.0", {0: HOSTILE}))
    assert _runs(str(require("groff")), "-man", "-ww", "-z", str(page)) == ""
    assert _shown(page).count(" ".join(HOSTILE.split())) >= 7


def test_the_manual_page_describes_all_commands() -> None:
    asked = setpoint("help", "--format", "man", "plan")
    assert (asked.status, asked.out) == (2, "")
    assert "name none with --format man" in asked.err


def _page(folder: Path, text: str) -> Path:
    page = folder / "setpoint.1"
    page.write_text(text, encoding="utf-8")
    return page


def _shown(page: Path) -> str:
    """The page's words as a reader sees them: wide enough that few lines break, with one blank between two words."""
    text = _runs(str(require("groff")), "-man", "-Tutf8", "-P-cbou", "-rLL=400n", str(page))
    return " ".join(text.split())


def _runs(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout

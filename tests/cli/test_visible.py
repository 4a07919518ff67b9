"""Text from users is shown whatever it contains: a terminal neither interprets nor hides it, and its length is
limited."""

import json
from pathlib import Path

import pytest
from proof.small import BASE
from review.sides import run, write

from setpoint.compiler.render.excerpt import MOST_OF_A_TEXT, MOST_SHOWN

ESCAPE = "\x1b[31mX"
FORGED = "x\nerror[E9999]: forged"
HIDDEN = "red\u200bir\u202eected\xad"
POLICY = f'goal latency; cpu westmere; accept c-state-idle-power because "x{HIDDEN[:4]}y"; '
POLICY += 'set turbo off because "z\u200bz\xad";'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(
        tmp_path, {"web.tune": POLICY, "new/web.tune": POLICY.replace("because", "because", 1) + "sockets 2;"}
    )
    return tmp_path


COMMANDS = [
    "{}", "plan {}", "plan {}.tune", "plan web.tune {}", "plan web.tune --policy {}", "plan web.tune --group {}",
    "plan web.tune --host {}", "plan web.tune --today {}", "plan web.tune --format {}", "plan web.tune --{}",
    "plan -e {}", "plan -e include\x20{}", "compile web.tune -o {}", "compile web.tune -o out --target {}",
    "compile web.tune -o web.tune/{}", "check {}", "check web.tune --also {}=x", "check web.tune --also json=x/{}",
    "check {}.tune --format github", "check {}.tune --format junit", "check web.tune --root {}", "explain {}",
    "explain web.tune {}", "explain -e {} smt", "diff {} web.tune", "diff {}.tune web.tune", "diff {}..HEAD",
    "diff {}:web.tune web.tune", "diff web.tune new --format {}", "waivers {}", "waivers web.tune --within {}",
    "fmt {}", "fmt {}.tune", "kb {}", "kb list {}", "kb show {}", "kb check {}", "kb check {}.tune",
    "kb disputes {}", "kb diff {} standard", "kb coverage {}", "kb coverage {}.json",
]  # fmt: skip


@pytest.mark.parametrize("word", [ESCAPE, FORGED, HIDDEN, "\udce9\x9b31m"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_word_of_the_command_line_is_printed_raw(folder: Path, command: str, word: str) -> None:
    try:
        ran = run(*(part.replace("{}", word) for part in command.split(" ")), folder=folder)
        said = ran.out + ran.err
    except SystemExit:  # argparse has printed the error, on a stream that it looked up itself
        return
    assert said.replace("\n", "").isprintable()
    assert "\nerror[E9999]" not in said
    assert not said.startswith("error[E9999]")


@pytest.mark.parametrize("word", [ESCAPE, FORGED, HIDDEN])
@pytest.mark.parametrize(
    "command", [c for c in COMMANDS if c.startswith(("plan web.tune", "kb {}", "check web"))]
)
def test_messages_of_argparse_are_escaped(
    folder: Path, command: str, word: str, capfd: pytest.CaptureFixture[str]
) -> None:
    from contextlib import chdir, suppress

    from setpoint.compiler.cli import main

    with chdir(folder), suppress(SystemExit):
        main([part.replace("{}", word) for part in command.split(" ")])
    out, err = capfd.readouterr()
    assert (out + err).replace("\n", "").isprintable()
    assert "\nerror[E9999]" not in out + err


@pytest.mark.parametrize(
    "command",
    ["plan web.tune", "explain web.tune turbo", "explain web.tune smt", "waivers web.tune", "diff web.tune new",
     "check web.tune", "plan web.tune --format json", "plan web.tune --format markdown", "waivers web.tune --format json",
     "diff web.tune new --format markdown", "diff web.tune new --format json"],
)  # fmt: skip
def test_a_reason_is_escaped(folder: Path, command: str) -> None:
    ran = run(*command.split(), folder=folder)
    assert (ran.out + ran.err).replace("\n", "").isprintable()
    assert ran.status in (0, 3)


def test_a_name_in_knowledge_is_escaped(folder: Path) -> None:
    """In a small knowledge base, which shows what the library would: the titles that change, the places of a
    conflict."""
    odd = 'source odd { title "a\u200bb"; publisher "x"; } '
    conflict = "".join(
        f'rule {name} of odd at "p\u200b1" {{ use boost {value}; when goal fast; because "q\u200b"; }} '
        for name, value in (("r", "off"), ("s", "on"))
    )
    write(folder, {"old.tune": BASE + odd, "new.tune": BASE + odd.replace("a\u200b", "c\u200b") + conflict})
    for command in ("kb diff old.tune new.tune", "kb check new.tune", "check new.tune"):
        ran = run(*command.split(), folder=folder)
        assert (ran.out + ran.err).replace("\n", "").isprintable(), command
        assert "\\u200b" in ran.out + ran.err, command


# --------------------------------------------------------------------------------------- very much of it


ALIKE = MOST_SHOWN + 10
"""How many things are wrong in one way; two more are wrong in another."""


@pytest.fixture
def many(folder: Path) -> Path:
    """A folder with a policy in which more things are wrong than are shown, most of them in one way."""
    wrong = "".join(f'set nope{number} on because "x";\n' for number in range(ALIKE))
    write(
        folder,
        {
            "many.tune": f'goal latency; cpu westmere;\n{wrong}set smt none because "x"; set turbo off because "";'
        },
    )
    return folder


@pytest.mark.parametrize("command", ["check many.tune", "plan many.tune", "compile many.tune -o out"])
def test_of_very_many_findings_some_are_shown_and_the_rest_is_counted(many: Path, command: str) -> None:
    ran = run(*command.split(), folder=many)
    said = ran.out + ran.err
    assert ran.status == 1
    assert said.count("error[") == MOST_SHOWN
    assert (said.count("error[E0202]"), said.count("error[E0209]")) == (1, 1), (
        "the first of each code is shown"
    )
    rest = ALIKE + 2 - MOST_SHOWN
    assert (
        f"\n{rest} more findings are not shown: {rest} E0201\nhelp: `check` and `kb check` list all" in said
    )


def test_the_forms_for_machines_have_all_of_them(many: Path) -> None:
    everything = ALIKE + 2
    assert (
        len(json.loads(run("check", "many.tune", "--format", "json", folder=many).out)["diagnostics"])
        == everything
    )
    assert run("check", "many.tune", "--format", "github", folder=many).out.count("::error ") == everything
    assert run("check", "many.tune", "--format", "junit", folder=many).out.count("<failure ") == everything
    sarif = json.loads(run("check", "many.tune", "--format", "sarif", folder=many).out)
    assert len(sarif["runs"][0]["results"]) == everything


def test_a_warning_gives_way_to_an_error(folder: Path) -> None:
    """Each policy has a warning of its own, which no other shares: that it overrides the base."""
    policies = 'policy base { goal latency; cpu westmere; set smt off because "x"; }\n' + "".join(
        f'policy p{n} extends base {{ set smt on because "x"; }}\n' for n in range(2 * MOST_SHOWN)
    )
    wrong = "".join(f"policy q{n} {{ goal nope; }}\n" for n in range(MOST_SHOWN - 10))
    write(folder, {"all.tune": policies + wrong})
    ran = run("check", "all.tune", folder=folder)
    assert ran.out.count("error[") == int(ran.out.splitlines()[-1].split(": ")[1].split()[0])
    assert ran.out.count("error[") + ran.out.count("warning[") == MOST_SHOWN


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_difference_shows_some_errors_and_counts_the_rest(many: Path, form: str) -> None:
    write(many, {"old/many.tune": POLICY})
    ran = run("diff", "old/many.tune", "many.tune", "--format", form, folder=many)
    assert ran.status == 3
    assert ran.out.lower().replace("*", "").count("error e0") == 20
    assert f"and {ALIKE + 2 - 20} more: " in ran.out
    assert len(json.loads(run("diff", "old/many.tune", "many.tune", "--format", "json", folder=many).out)[
        "differences"][0]["errors"]) == ALIKE + 2  # fmt: skip


def test_a_name_without_end_is_not_shown_to_its_end(folder: Path) -> None:
    write(folder, {"long.tune": f"goal {'x' * 100_000};"})
    ran = run("check", "long.tune", folder=folder)
    assert ran.status == 1
    assert max(map(len, ran.out.splitlines())) < MOST_OF_A_TEXT + 100

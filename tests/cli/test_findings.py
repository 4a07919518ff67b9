"""The findings of `check`: only new ones since a revision, statistics by code; each once, wrapped to the terminal."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from review.repository import Repository

from support.command import ROOT, setpoint

POLICY = "goal latency; cpu westmere;\n"
ESCAPES = re.compile("\x1b\\[[0-9;]*m")
NEEDLESS = 'accept turbo-vs-efficiency because "kept in stock";\n'


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A policy with two warnings, committed."""
    made = Repository(tmp_path)
    made.commit({"fleet/web.tune": POLICY})
    return made


def codes(text: str) -> list[str]:
    return [line.split("[")[1][:5] for line in text.splitlines() if line.startswith(("error[", "warning["))]


def test_only_findings_that_are_new_are_shown(repository: Repository) -> None:
    assert codes(setpoint("check", "fleet", cwd=repository.folder).out) == ["W0303", "W0401"]
    (repository.folder / "fleet/web.tune").write_text(f"# moved down\n\n{POLICY}{NEEDLESS}")
    ran = setpoint("check", "fleet", "--since", "HEAD", cwd=repository.folder)
    assert (ran.status, codes(ran.out)) == (0, ["W0403"])


def test_findings_of_a_new_file_are_new(repository: Repository) -> None:
    (repository.folder / "mail.tune").write_text("goal latncy;")
    ran = setpoint("check", ".", "--since", "HEAD", cwd=repository.folder)
    assert (ran.status, codes(ran.out)) == (1, ["E0202"])
    ran = setpoint("check", "mail.tune", "--since", "HEAD", cwd=repository.folder)
    assert (ran.status, codes(ran.out)) == (1, ["E0202"])


def test_without_new_findings_the_status_is_0(repository: Repository) -> None:
    repository.commit({"fleet/mail.tune": "goal latncy;"})
    assert setpoint("check", "fleet", cwd=repository.folder).status == 1
    ran = setpoint("check", "fleet", "--since", "HEAD", cwd=repository.folder)
    assert (ran.status, ran.out) == (0, "2 files: 0 errors, 0 warnings\n")


def test_a_second_finding_of_the_same_words_is_new(repository: Repository) -> None:
    """They are counted, since the same message can be right twice."""
    (repository.folder / "fleet/web.tune").write_text("goal latncy;")
    repository.commit({"fleet/web.tune": "policy a { goal latncy; }"})
    (repository.folder / "fleet/web.tune").write_text("policy a { goal latncy; } policy b { goal latncy; }")
    ran = setpoint("check", "fleet", "--since", "HEAD", cwd=repository.folder)
    assert codes(ran.out) == ["E0202"]


def test_a_revision_that_does_not_exist_is_wrong_usage(repository: Repository) -> None:
    ran = setpoint("check", "fleet", "--since", "nowhere", cwd=repository.folder)
    assert (ran.status, "git knows no revision `nowhere` here" in ran.err) == (2, True)


def test_statistics_list_the_number_of_findings_by_code(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.tune").write_text("goal latncy;")
    (tmp_path / "c.tune").write_text("gaol latency;")
    ran = setpoint("check", ".", "--statistics", cwd=tmp_path)
    assert ran.out.splitlines()[-2:] == ["2  E0202  an unknown value", "1  E0201  an unknown name"]


def test_findings_that_several_policies_share_are_shown_once(tmp_path: Path) -> None:
    """Both policies have the facts, and so the warning, of the file."""
    (tmp_path / "fleet.tune").write_text(
        f"{POLICY} policy a {{ workload hpc; }} policy b {{ workload hpc; }}"
    )
    for arguments in (("plan", "fleet.tune"), ("compile", "fleet.tune", "-o", "out")):
        ran = setpoint(*arguments, cwd=tmp_path)
        assert (ran.status, [codes(ran.err).count(c) for c in ("W0303", "W0401")]) == (0, [1, 1])


# --------------------------------------------------------------------------------------- the terminal


def on_a_terminal(*arguments: str, cwd: Path, columns: int, stream: str = "stderr") -> str:
    """What a command writes to a stream that is a terminal."""
    own, given = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT / ".dev"), "COLUMNS": str(columns)}
    command = [sys.executable, "-m", "setpoint.compiler", *arguments]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: given}
    with subprocess.Popen(command, cwd=cwd, env=env, **streams) as process:  # type: ignore[call-overload]
        os.close(given)
        read = b""
        while True:
            try:
                piece = os.read(own, 65536)
            except OSError:  # Linux: the other end has been closed
                break
            if not piece:
                break
            read += piece
        process.wait()
    os.close(own)
    return read.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(("verb", "stream"), [("plan", "stderr"), ("check", "stdout")])
def test_sentences_wrap_to_the_terminal(tmp_path: Path, verb: str, stream: str) -> None:
    (tmp_path / "web.tune").write_text("goal throughput; cpu skylake; workload java;")
    wrapped = ESCAPES.sub("", on_a_terminal(verb, "web.tune", cwd=tmp_path, columns=80, stream=stream))
    ran = setpoint(verb, "web.tune", cwd=tmp_path)
    whole = ran.err if stream == "stderr" else ran.out
    assert max(map(len, wrapped.splitlines())) <= 80 < max(map(len, whole.splitlines()))
    assert wrapped.split() == whole.split()


# --------------------------------------------------------------------------------------------- colours

ERROR = ("plan", "-e", "goal latncy; cpu westmere")


def test_a_terminal_gets_colours_and_a_pipe_does_not(tmp_path: Path) -> None:
    plain = setpoint(*ERROR, cwd=tmp_path).err
    coloured = on_a_terminal(*ERROR, cwd=tmp_path, columns=110)
    assert "\x1b" not in plain
    assert coloured.startswith("\x1b[1;31merror[E0202]\x1b[0m: ")
    assert ESCAPES.sub("", coloured) == plain


@pytest.mark.parametrize(
    ("arguments", "variables", "is_coloured"),
    [
        (("--color", "always"), {}, True),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {}, False),
        (("--color", "auto"), {}, False),
        ((), {}, False),
    ],
)
def test_the_option_decides_before_the_environment(
    arguments: tuple[str, ...], variables: dict[str, str], is_coloured: bool
) -> None:
    said = setpoint(*ERROR, *arguments, env=variables).err
    assert ("\x1b[" in said) is is_coloured


def test_no_color_is_honoured_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in on_a_terminal(*ERROR, cwd=tmp_path, columns=110)


def test_no_escape_sequence_of_a_file_reaches_the_terminal(tmp_path: Path) -> None:
    """Neither as a colour, nor as a forged diagnostic."""
    (tmp_path / "a.tune").write_text("# \x1b[2J\nerror[E0101]: x;\n")
    said = setpoint("check", "a.tune", "--color", "always", cwd=tmp_path).out
    assert "\x1b[2J" not in said
    assert said.count("\x1b[1;31merror[") == said.count("error[E01") - said.count(" | error[E01")


# ------------------------------------------------------------------------------- once, and pasteable

FLEET = """platform poweredge-14g;
for group render { goal throughput; workload java; }
for group web { goal throughput; workload java; }
"""


def commands(text: str) -> list[list[str]]:
    """The commands that a help has, as a shell reads them."""
    return [shlex.split(command)[1:] for command in re.findall(r"`(setpoint explain [^`]*)`", text)]


@pytest.mark.parametrize("verb", [("plan",), ("compile", "-o", "out", "--target", "syscfg"), ("check",)])
def test_a_warning_of_several_groups_is_one_with_all_places(tmp_path: Path, verb: tuple[str, ...]) -> None:
    (tmp_path / "fleet.tune").write_text(FLEET)
    ran = setpoint(*verb, "fleet.tune", cwd=tmp_path)
    said = ran.out if verb == ("check",) else ran.err
    assert (codes(said), said.count("- here, too")) == (["W0301", "W0301"], 1)
    assert "0 errors, 2 warnings (2 W0301)" in said


def test_a_warning_of_several_policies_has_the_command_of_the_first(tmp_path: Path) -> None:
    """All have the warning at the same place, so only their order in the text can decide: no order of hashes."""
    blocks = "".join(f"policy p{n} {{ goal throughput; }} " for n in range(9))
    (tmp_path / "many.tune").write_text(f"cpu skylake; workload java;\n{blocks}")
    shown = commands(setpoint("plan", "many.tune", cwd=tmp_path).err)
    assert shown
    assert {command[command.index("--policy") + 1] for command in shown} == {"p0"}


def test_warnings_of_two_files_are_one(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.tune").write_text("goal efficiency; cpu westmere; workload comm-bound;")
    for verb in ("plan", "check"):
        ran = setpoint(verb, ".", cwd=tmp_path)
        assert codes(ran.err + ran.out) == ["W0303"]
        assert "b.tune:1" in ran.err + ran.out


def test_programs_get_every_place_as_a_finding_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "fleet.tune").write_text(FLEET)
    data = json.loads(setpoint("check", "fleet.tune", "--format", "json", cwd=tmp_path).out)
    assert len(data["diagnostics"]) == 3


@pytest.mark.parametrize(
    ("files", "arguments"),
    [
        ({"fleet.tune": FLEET}, ("fleet.tune",)),
        ({"my fleet.tune": f"policy p {{ {FLEET} }}"}, ("my fleet.tune",)),
        ({"fleet/a.tune": 'include "../lab.tune";' + FLEET, "lab.tune": ""}, ("fleet/a.tune", "--root", ".")),
        ({}, ("-e", 'goal latency; cpu skylake;\nset smt off because "it\'s licensed";\n')),
        (
            {"a.tune": "goal throughput; cpu skylake; for host h1 { workload java; }"},
            ("a.tune", "--host", "h1"),
        ),
    ],
)
def test_commands_in_helps_can_be_pasted(
    tmp_path: Path, files: dict[str, str], arguments: tuple[str, ...]
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = commands(setpoint("plan", *arguments, cwd=tmp_path).err)
    assert found
    for command in found:
        ran = setpoint(*command, cwd=tmp_path)
        assert (ran.status, command[-1] in ran.out) == (0, True), command
        assert ran.out.count("Policy ") <= 1  # of the one group or host, and of no other

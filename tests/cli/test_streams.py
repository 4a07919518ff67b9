"""Output streams and names: closed, full, in another encoding, interrupted."""

import sys
from pathlib import Path

import pytest

from support.command import in_shell

POLICY = "goal latency; cpu westmere"
ODD = b"caf\xe9.tune".decode(errors="surrogateescape")
"""The name of a file that is not UTF-8, as any name on disk may be."""


@pytest.mark.parametrize(
    "command",
    [
        f"setpoint plan -e '{POLICY}' >&-",
        f"setpoint plan -e '{POLICY}' 2>&-",
        f"setpoint plan -e '{POLICY}' >&- 2>&- <&-",
        f"setpoint compile -e '{POLICY}' -o out >&- 2>&-",
        "setpoint --help >&-",
        "setpoint plan --help >&-",
    ],
)
def test_a_stream_that_is_closed_is_not_written_to(tmp_path: Path, command: str) -> None:
    ran = in_shell(command, tmp_path)
    assert (ran.status, "Traceback" in ran.err) == (0, False)
    assert (tmp_path / "out/manifest.json").is_file() == ("-o out" in command)


@pytest.mark.parametrize("verb", [f"plan -e '{POLICY}'", "kb list", "--help"])
def test_a_failure_to_print_is_reported_and_determines_the_status(tmp_path: Path, verb: str) -> None:
    ran = in_shell(f"setpoint {verb} >/dev/full", tmp_path)
    assert (ran.status, ran.err.splitlines()[-1]) == (4, "setpoint: No space left on device")
    assert "Exception" not in ran.err


@pytest.mark.parametrize(
    "env", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_a_character_that_the_terminal_lacks_is_shown_by_its_number(
    tmp_path: Path, env: dict[str, str]
) -> None:
    assert "usage: setpoint COMMAND \\u2026" in in_shell("setpoint --help", tmp_path, env).out
    ran = in_shell(
        f"setpoint plan -e '{POLICY}; set turbo off because \"caf\u00e9\"; set smt x'", tmp_path, env
    )
    assert (ran.status, "Traceback" in ran.err) == (1, False)
    assert "\\u2026" in ran.err


def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are escaped wherever the name is shown."""
    (tmp_path / ODD).write_text(f'{POLICY}; set turbo off because "x"', encoding="utf-8")
    for command in (
        f"plan {ODD}",
        f"plan {ODD} --format json",
        f"compile {ODD} -o out",
        f"check {ODD} --format sarif --also junit=junit.xml --also json=found.json",
        f"fmt {ODD}",
        f"diff {ODD} {ODD}",
    ):
        ran = in_shell(f"setpoint {command}", tmp_path)
        assert (ran.status, "Traceback" in ran.err) == (0, False), ran.err
    assert r'"file": "caf\\xe9.tune"' in (tmp_path / "out/plan.json").read_text(encoding="utf-8")


def test_an_interrupt_causes_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import os, signal, setpoint.compiler.cli as cli, setpoint.compiler.pipeline as pipeline\n"
        "pipeline.knowledge_for = lambda program: os.kill(os.getpid(), signal.SIGINT)\n"
        f"raise SystemExit(cli.main(['plan', '-e', '{POLICY}']))\n"
    )
    ran = in_shell(f"exec {sys.executable} slow.py", tmp_path)
    assert (ran.status, ran.out, ran.err) == (130, "", "")

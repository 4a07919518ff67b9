"""An audit reads each form in time that grows with its length, also where the text is made to be slow."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from setpoint.compiler.cli import main

WORST: dict[str, Callable[[int], str]] = {
    "quotes in a value": lambda n: '{"Attributes": {"ProcTurboMode": "' + '\\"' * n + '"}}',
    "backslashes in a value": lambda n: '{"Attributes": {"ProcTurboMode": "' + "\\\\" * n + '"}}',
    "blanks behind a key": lambda n: '{"Attributes": {"ProcTurboMode"' + " " * n + ': "Enabled"}}',
    "quotes in a boot line": lambda n: 'quiet a="' + '"' * n + "\n",
    "blanks in a boot line": lambda n: "quiet" + " " * n + "\n",
    "slashes in a sysctl": lambda n: "vm.swappiness = 1\nvm" + "/a" * n + " = 1\n",
    "brackets of a profile": lambda n: "[sysctl]\n" + "[" * n + "\nvm.swappiness=1\n",
    "rows of a table": lambda n: "| ProcTurboMode | Enabled |\n" + "|" * n + "\n",
    "dashes of a table": lambda n: "| ProcTurboMode | Enabled |\n" + "-" * n + "x\n",
}
"""Texts for each reader, by how many times what is slow is in them."""


@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
def test_four_times_the_text_takes_about_four_times_as_long(
    text: Callable[[int], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A quadratic reader takes sixteen times as long. What every audit costs is in both."""

    def seconds(size: int) -> float:
        path = tmp_path / "found.txt"
        path.write_text(text(size), encoding="utf-8")
        before = time.process_time()
        main(["audit", str(path)])
        capsys.readouterr()
        return time.process_time() - before

    seconds(10)
    small = max(min(seconds(4_000), seconds(4_000)), 0.1)
    assert min(seconds(16_000), seconds(16_000)) < 8 * small

"""A Puppet that is forked from one that is loaded does and says what one does that is started."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from consumers.puppet_machine import Machine

CHANGES = """\
notice("${facts}")
file { '/etc/kept': content => "as it is\\n" }
file { '/etc/changed': content => "after\\n", mode => '0600' }
-> exec { '/bin/sh -c "env | grep -v ^_= | sort >/environment; grep -o Pid:.* /proc/self/status; ls -l /proc/self/fd | wc -l"':
  logoutput => true,
}
-> service { 'cpuspeed': ensure => stopped, enable => false }
-> exec { '/bin/sh -c "echo $0 is not so; exit 3"': }
-> exec { '/bin/touch /etc/never': }
"""
"""A manifest that says all that Facter knows, changes some, finds some as it is to be, and fails with one."""

NONSENSE = "file { '/etc/a': nonsense => 1 }"


def said(text: str) -> list[list[str]]:
    """The lines of a run, but for the time that it took and the ids of its processes. Facts come in no order."""
    plain = re.sub(r"in \d+\.\d+ seconds|(?<=Pid:\t)\d+", "", text)
    return [sorted(re.split(r"[{},] ?", line)) if "Scope" in line else [line] for line in plain.splitlines()]


@pytest.mark.parametrize(
    ("family", "release", "code", "status"),
    [
        pytest.param("RedHat", "6", CHANGES, 6, id="el6", marks=pytest.mark.repeated),
        pytest.param("Debian", "12", CHANGES, 6, id="debian"),
        pytest.param("Debian", "12", NONSENSE, 1, id="nonsense"),
    ],
)
def test_it_does_and_says_the_same(tmp_path: Path, family: str, release: str, code: str, status: int) -> None:
    one = Machine(tmp_path / "one", family, release)
    one.put("/etc/kept", "as it is\n")
    one.put("/etc/changed", "before\n")
    other = one.copy(tmp_path / "other")
    forked, started = one.apply(code, started=False), other.apply(code, started=True)
    assert (forked.status, said(forked.said)) == (started.status, said(started.said))
    assert forked.status == status, forked.said
    assert one.files() == other.files()
    if code == CHANGES:
        assert "kernelrelease => " in forked.said
        assert "PATH=" in one.read("/environment")
        assert (one.read("/etc/changed"), one.read("/etc/never")) == ("after\n", "")

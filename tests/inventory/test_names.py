"""Names of hosts are read as a dictionary would read them, however many of them have the same hash."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setpoint.compiler.binding.names import spelled_twice, why_no_host
from setpoint.compiler.inventory import names as module
from setpoint.compiler.inventory.model import Profile, Row, Rows
from setpoint.compiler.inventory.names import IN_ANY_CASE, TWICE, HostNames, LeftOut, names_read

NAMES = ("a", "b", "c", "B", "web1", "Web1", "web1.example.org", " a ", "", "all", "localhost", "no name")

PROFILES: tuple[Profile, ...] = (("", "r640"), ("", "r740"), ("web", "r640"))


def rows_of(rows: list[Row]) -> Rows:
    """The rows, which know the line of the last one that was read."""
    line = 0

    def read() -> Iterator[Row]:
        nonlocal line
        for row in rows:
            line += 1
            yield row

    return Rows("", (), read(), [], lambda: line)


def by_dictionary(rows: list[Row]) -> tuple[dict[str, Profile], set[LeftOut]]:
    """The profile of each host, and the rows that are none."""
    hosts: dict[str, Profile] = {}
    left_out = set()
    for line, (name, profile) in enumerate(rows, 1):
        name = name.strip()
        if name in hosts:
            left_out |= {LeftOut(name, line, TWICE)} if hosts[name] != profile else set()
        elif why := why_no_host(name):
            left_out.add(LeftOut(name, line, why))
        else:
            hosts[name] = profile
    for name in {each.name for each in left_out if each.why == TWICE}:
        del hosts[name]
    for several in spelled_twice(hosts):
        is_same = len({hosts[name] for name in several}) == 1
        for name in several[1:] if is_same else several:
            del hosts[name]
            left_out |= set() if is_same else {LeftOut(name, 0, IN_ANY_CASE)}
    return hosts, left_out


@pytest.mark.parametrize("hashes", [1, 2, 1 << 40])
@pytest.mark.parametrize("at_a_time", [1, 3, 1 << 14])
def test_reading_is_that_of_a_dictionary(
    hashes: int, at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "hash", lambda name: hash(name) % hashes, raising=False)
    monkeypatch.setattr(module, "TOGETHER", at_a_time)
    monkeypatch.setattr(module, "MOST_AGAIN", at_a_time)

    @settings(max_examples=100, deadline=None)
    @given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(PROFILES)), max_size=12))
    def check(rows: list[Row]) -> None:
        found = names_read(rows_of(rows))
        hosts, left_out = by_dictionary(rows)
        assert {name: found.profiles[kind] for name, kind in found.hosts.items()} == hosts
        assert {*found.left_out} == left_out
        assert len(found.hosts) == len(hosts)

    check()


def test_names_are_a_sequence() -> None:
    several = HostNames.of(["b", "a"])
    assert (len(several), several[0], several[-1:], [*several]) == (2, "b", ["a"], ["b", "a"])
    assert several == ("b", "a") and several != ("a", "b")
    assert [*HostNames.of([])] == []
    assert HostNames.of(["a"]).has_capitals is False and HostNames.of(["A"]).has_capitals is True

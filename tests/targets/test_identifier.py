"""A policy's name as the name of a module or role: always a right one, and never that of another policy."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from setpoint.compiler.lowering.target import identifier

names = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*", fullmatch=True)
alike = st.text("aA0-_.+", min_size=1, max_size=4).filter(lambda name: name[0] not in "-.+")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("trading-edge", "trading_edge"),
        ("web2", "web2"),
        ("web.lab", "web_lab_d1123bc4"),
        ("Web", "web_2d847eb1"),
    ],
)
def test_a_plain_name_stays_readable(policy: str, expected: str) -> None:
    assert identifier(policy) == expected


@given(st.one_of(names, alike))
def test_it_is_an_identifier(policy: str) -> None:
    assert re.fullmatch("[a-z0-9_]+", identifier(policy))


@given(st.one_of(names, alike), st.one_of(names, alike))
def test_two_policies_never_share_one(one: str, other: str) -> None:
    assume(one != other)
    assert identifier(one) != identifier(other)

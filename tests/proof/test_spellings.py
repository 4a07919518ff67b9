"""Findings on spellings (K21): values without a text, texts without a value, and two that apply."""

import pytest

from proof.small import constraint, findings


def sysctl(row: str, when: str = "") -> str:
    head = f"spelling sysctl of paper{f' when {when}' if when else ''}"
    return f'{head} {{ {row} at "Menu"; }}'


def spelling_findings(*statements: str) -> list[str]:
    return [d.message for d in findings(*statements) if d.code == "K21"]


COMPLETE = sysctl('mode a "1", b "2", c absent in "kernel.mode"')


@pytest.mark.parametrize(
    "statements",
    [
        [],
        [COMPLETE],
        [sysctl('mode in "kernel.mode"')],
        # One half each.
        [sysctl('mode a "1" in "kernel.mode"'), sysctl('mode b "2", c "3" in "kernel.other_mode"')],
        # The narrower one is used where both apply, and is complete.
        [COMPLETE, sysctl('mode a "x", b "y", c "z" in "kernel.mode"', "model m1")],
        # Where two overlap, a third is narrower than both.
        [
            COMPLETE,
            sysctl('mode in "kernel.mode"', "model m1"),
            sysctl('mode in "kernel.mode"', "rack front"),
            sysctl('mode in "kernel.mode"', "model m1, rack front"),
        ],
    ],
)  # fmt: skip
def test_a_setting_that_is_spelt_everywhere_has_no_finding(statements: list[str]) -> None:
    assert spelling_findings(*statements) == []


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (
            [sysctl('mode a "1", b "2" in "kernel.mode"')],
            "`mode c` is offered, and has no text where `mode` is spelt",
        ),
        (
            [COMPLETE, sysctl('mode a "x", b "y" in "kernel.mode"', "model m1")],
            "`mode c` is offered, and has no text where `mode` is spelt",
        ),
        (
            ["setting tempo { title \"Tempo\"; layer os; values slow, quick; }", sysctl('tempo slow "1", quick "2" in "kernel.tempo"')],
            "`tempo` is spelt where nothing offers it",
        ),
        (
            [
                "setting tempo { title \"Tempo\"; layer os; values slow, quick; }",
                'options of paper { tempo slow default slow at "Menu"; }',
                sysctl('tempo slow "1", quick "2" in "kernel.tempo"'),
            ],
            "`tempo quick` has a text where nothing offers it",
        ),
        (
            [sysctl('mode in "kernel.mode"', "model m1"), sysctl('mode in "kernel.mode"', "rack front")],
            "conflicting spellings of `mode` (sysctl): two apply, and neither is narrower",
        ),
        (
            [
                "setting tempo { title \"Tempo\"; layer os; values slow, quick; }",
                'options of paper { tempo slow, quick default slow at "Menu"; }',
                COMPLETE,
                sysctl('tempo slow "1", quick "2" in "kernel.mode"'),
            ],
            "`mode` and `tempo` are both sysctl `kernel.mode`",
        ),
    ],
)  # fmt: skip
def test_a_doubtful_spelling_is_reported_once(statements: list[str], message: str) -> None:
    assert spelling_findings(*statements) == [message]


def test_two_settings_may_share_a_name_that_a_constraint_leaves_to_one() -> None:
    shared = [
        'setting tempo { title "Tempo"; layer os; values slow, quick; }',
        'options of paper { tempo slow, quick default slow at "Menu"; }',
        sysctl('mode a absent, b "2", c "3" in "kernel.mode"'),
        sysctl('tempo slow absent, quick "1" in "kernel.mode"'),
    ]
    message = ["`mode` and `tempo` are both sysctl `kernel.mode`"]
    assert spelling_findings(*shared) == message
    for when, require, expected in (
        ("mode b or c", "tempo slow", []),
        ("tempo quick", "mode a", []),
        ("mode b", "tempo slow", message),  # `mode c` has the name as well
        ("mode b or c, model m1", "tempo slow", message),
        ("mode b or c", "tempo slow or quick", message),
    ):
        one = constraint("one", when, f"require {require}")
        assert spelling_findings(*shared, one) == expected, (when, require)

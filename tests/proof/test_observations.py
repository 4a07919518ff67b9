"""Findings on observations (K27): what two values have in common, what bits cannot hold, and what contradicts."""

import pytest

from proof.small import findings

FIRMWARE = 'setting core-boost { title "Boost"; layer firmware; values on, off; }'
LATER = 'setting core-hint { title "Hint"; layer os; values high, low; }'


def observe(row: str, when: str = "") -> str:
    return f"observe of paper{f' when {when}' if when else ''} {{ {row}; }}"


def observation_findings(*statements: str) -> list[str]:
    return [d.message for d in findings(FIRMWARE, LATER, *statements) if d.code == "K27"]


AT = 'in "msr 0x1a0" bit 38'
FLAGS = 'in "/proc/cpuinfo" as flag'


@pytest.mark.parametrize(
    "statements",
    [
        [],
        [observe(f'core-boost on "0", off "1" {AT} at "T"')],
        # Several texts of one value.
        [observe('core-boost on "0" or "1", off "2" or "3" in "msr 0x1a0" bits 4 to 5 at "T"')],
        # The narrower one counts where both apply.
        [
            observe(f'core-boost on "0", off "1" {AT} at "T"'),
            observe(f'core-boost on "1", off "0" {AT} at "T"', "model m1"),
        ],
        # Two places, and two bits of one place.
        [
            observe(
                f'core-boost on "0" {AT} at "T"; core-boost off "1" in "msr 0x1a0" bit 37 at "T"', "model m1"
            ),
            observe(f'core-boost on "boost", off absent {FLAGS} at "T"', "rack front"),
        ],
        # What the one needs of a place excludes the other.
        [
            observe(
                f'core-boost on "0" {AT} while "/sys/driver" "native" at "T 1";'
                f'core-boost on "1" {AT} while "/sys/driver" "other" at "T 2";'
                f'core-boost off "1" {AT} while "/sys/driver" "third" while "/sys/state" "off" at "T 3"'
            ),
        ],
        [
            observe(
                f'core-boost on "0" {AT} while "/sys/driver" "native" at "T 1";'
                f'core-boost on "1" {AT} while "/sys/driver" not "native" at "T 2"'
            ),
        ],
        # Of a later layer, or in words.
        [observe(f'core-boost on "0", off "1" {AT} overwritten by core-hint at "T"')],
        [observe(f'core-hint high "0", low "1" {AT} overwritten by "somebody" at "T"')],
        # Elsewhere it is shown nowhere.
        [
            observe(f'core-boost on "0", off "1" {AT} at "T"', "model m1"),
            observe('core-boost nowhere because "no register" at "T"', "model m2"),
        ],
    ],
)
def test_observations_that_can_be_read_have_no_finding(statements: list[str]) -> None:
    assert observation_findings(*statements) == []


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (
            [observe(f'core-boost on "1", off "1" {AT} at "T"')],
            '`core-boost` on and off are shown alike at `msr 0x1a0`: "1"',
        ),
        (
            [observe(f'core-boost on absent, off absent {FLAGS} at "T"')],
            "`core-boost` on and off are shown alike at `/proc/cpuinfo`: absent",
        ),
        ([observe(f'core-boost on "0", off "2" {AT} at "T"')], '"2" is no number of 1 bit, in decimal'),
        (
            [observe('core-boost on "0x1", off "0" in "msr 0x1a0" bits 4 to 5 at "T"')],
            '"0x1" is no number of 2 bits, in decimal',
        ),
        (
            [
                observe(f'core-boost on "0", off "1" {AT} at "T"', "model m1"),
                observe(f'core-boost on "1", off "0" {AT} at "T"', "rack front"),
            ],
            "conflicting observations of `core-boost` at `msr 0x1a0`: two apply, and neither is narrower",
        ),
        # Other places need other texts, but both can be so at once.
        (
            [
                observe(
                    f'core-boost on "0" {AT} while "/sys/driver" "native" at "T 1";'
                    f'core-boost on "1" {AT} while "/sys/state" "other" at "T 2"'
                ),
            ],
            "conflicting observations of `core-boost` at `msr 0x1a0`: two apply, and neither is narrower",
        ),
        (
            [
                observe(f'core-boost on "0", off "1" {AT} at "T"', "model m1"),
                observe('core-boost nowhere because "no register" at "T"', "rack front"),
            ],
            "`core-boost` is shown nowhere, and at `msr 0x1a0`",
        ),
        (
            [observe(f'core-hint high "0", low "1" {AT} overwritten by core-boost at "T"')],
            "`core-boost`, of layer firmware, cannot overwrite `core-hint`, of layer os",
        ),
    ],
)
def test_what_a_reader_cannot_take_apart_is_found(statements: list[str], message: str) -> None:
    assert observation_findings(*statements) == [message]

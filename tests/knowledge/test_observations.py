"""`observe` blocks: what is read from them, what a text shows by them, and what is wrong in them."""

import pytest

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.model import Knowledge, Observation
from setpoint.compiler.language.parse import parse

BASE = """
source paper { title "A paper"; publisher "A press"; }
fact model { title "Model"; values m1, m2; }
setting boost { title "Boost"; layer firmware; values on, off, auto; }
setting depth { title "Depth"; layer firmware; values c0, c2, c6; }
setting watts { title "Watts"; layer firmware; range 10 to 500 in W; }
setting bias { title "Bias"; layer os; values low, high; }
"""


def knowledge(observed: str) -> Knowledge:
    return build([LayeredFile(parse(SourceText("a.tune", BASE + observed)), "stdlib")])


def one(statement: str) -> Observation:
    ((found,),) = knowledge(f"observe of paper {{ {statement} }}").observations.values()
    return found


def messages(statement: str) -> list[str]:
    with pytest.raises(SetpointError) as raised:
        one(statement)
    return [each.message for each in raised.value.diagnostics]


def test_an_observation_has_what_its_statement_says() -> None:
    found = one(
        'boost on "0", off "1" in "msr 0x1a0" bit 38 while "msr 0x1fc" bits 3 to 4 not "2" overwritten by bias at "T 1" if model m1;'
    )
    assert (found.setting, found.place, found.bits) == ("boost", "msr 0x1a0", (38, 38))
    assert found.texts == (("0", "on"), ("1", "off"))
    assert [(g.place, g.bits, g.text, g.is_same) for g in found.guards] == [("msr 0x1fc", (3, 4), "2", False)]
    assert (found.owner, found.citation.at) == ("bias", "T 1")
    assert [name for name, _ in found.when] == ["model"]


def test_an_owner_that_is_no_setting_is_described_in_words() -> None:
    found = one('boost on "0" in "msr 0x1a0" bit 38 overwritten by "the switch in cpufreq" at "T";')
    assert found.owner == "the switch in cpufreq"


@pytest.mark.parametrize(
    ("statement", "text", "value"),
    [
        ('boost on "0", off "1" in "msr 0x1a0" bit 38 at "T";', "0x4000850089", "off"),
        ('boost on "0", off "1" in "msr 0x1a0" bit 38 at "T";', "0x3fffffffff", "on"),
        ('boost on "0", off "1" in "msr 0x1a0" bit 38 at "T";', "no number", None),
        ('depth c0 "0", c2 "1", c6 "2" in "msr 0xe2" bits 0 to 2 at "T";', "0x8402", "c6"),
        ('depth c0 "0", c2 "1", c6 "2" in "msr 0xe2" bits 0 to 2 at "T";', "0x7", None),
        ('boost on "cpb", off absent in "/proc/cpuinfo" as flag at "T";', "fpu cpb vme", "on"),
        ('boost on "cpb", off absent in "/proc/cpuinfo" as flag at "T";', "fpu cpbx vme", "off"),
        (
            'boost on "cpb", off absent in "/proc/cpuinfo" as flag at "T";',
            "model name\t: cpb\nflags\t\t: fpu vme\n",
            "off",
        ),
        ('boost on "DMAR", off absent in "list /sys/firmware" as word at "T";', "APIC DMAR SRAT", "on"),
        ('boost on "yes", off "no" in "/sys/a" as bracketed at "T";', "yes [no] maybe\n", "off"),
        ('boost on "on" or "forced", off "off" in "/sys/a" at "T";', "forced\n", "on"),
        ('watts any "*" in "/sys/a_uw" times 0.000001 at "T";', "225000000\n", "225W"),
        ('watts any "*" in "/sys/a_uw" times 0.000001 at "T";', "225000001\n", None),
        (
            'watts any "* W" in "run dmidecode -t 17" line "Limit" at "T";',
            "Handle 1\n\tLimit: 40 W\n\tOther: 3 W\n",
            "40W",
        ),
        ('watts any "* W" in "run dmidecode -t 17" line "Limit" at "T";', "Limit: Unknown", None),
        # An empty slot, and modules that agree or do not.
        (
            'watts any "* W" in "run dmidecode -t 17" line "Limit" at "T";',
            "Limit: Unknown\nLimit: 40 W",
            "40W",
        ),
        ('watts any "* W" in "run dmidecode -t 17" line "Limit" at "T";', "Limit: 40 W\nLimit: 50 W", None),
        ('boost on "1/2" in "derived nodes-per-package" at "T";', "1/2", "on"),
    ],
)
def test_what_a_text_shows(statement: str, text: str, value: str | None) -> None:
    assert one(statement).value_of(text, "W") == value


def test_a_guard_holds_for_its_text_alone() -> None:
    (guard,) = one('boost on "0" in "/sys/a" while "msr 0x1fc" bit 34 "1" at "T";').guards
    assert guard.holds("0x400000000")
    assert not guard.holds("0x0")
    (guard,) = one('boost on "0" in "/sys/a" while "/sys/driver" not "native" at "T";').guards
    assert guard.holds("acpi\n")
    assert not guard.holds("native\n")


def test_what_nothing_shows_has_a_reason() -> None:
    found = knowledge('observe of paper when model m2 { boost nowhere because "no register" at "T 3"; }')
    ((unseen,),) = found.unseen.values()
    assert (unseen.setting, unseen.because, unseen.citation.at) == ("boost", "no register", "T 3")
    assert [name for name, _ in unseen.when] == ["model"]
    assert found.observations == {}


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('boost on "0" in "msr 0x1a0" bit 38;', "the observation of `boost` has no locator"),
        ('bost on "0" in "msr 0x1a0" bit 38 at "T";', "unknown setting `bost`"),
        ('boost out "0" in "msr 0x1a0" bit 38 at "T";', "`boost` has no value `out`"),
        (
            'boost on "0" in "msr 0x1a0" bit 64 at "T";',
            "the bits of `msr 0x1a0` are 0 to 63, the lower first",
        ),
        (
            'boost on "0" in "msr 0x1a0" bits 5 to 4 at "T";',
            "the bits of `msr 0x1a0` are 0 to 63, the lower first",
        ),
        (
            'boost on "0" in "hsmp 0x28" bit 32 at "T";',
            "the bits of `hsmp 0x28` are 0 to 31, the lower first",
        ),
        ('boost on "0" in "/sys/a" bit 3 at "T";', "`/sys/a` has no bits"),
        ('boost on "0" in "/etc/shadow" at "T";', "`/etc/shadow` is not a place that a running system has"),
        ('boost on "0" in "run rm -t 17" at "T";', "`run rm -t 17` is not a place that a running system has"),
        ('boost on "0" in "/sys/../etc" at "T";', "`/sys/../etc` is not a place that a running system has"),
        ('boost on "0" in "derived nodes" at "T";', "unknown derived place `nodes`"),
        ('boost on "0" in "/sys/a" as number at "T";', "unknown form `number`"),
        ('boost on "0" in "/sys/a" as flag at "T";', "only `/proc/cpuinfo` has flags"),
        ('boost off absent in "/sys/a" at "T";', "only words and flags can be absent"),
        (
            'boost any "*" in "/sys/a" at "T";',
            "`any` of `boost` needs a text with one `*`, and a setting of numbers",
        ),
        ('watts any "*" in "/sys/a" times 1e6 at "T";', "`1e6` is not a factor"),
        ('boost on "0", on "1" in "/sys/a" at "T";', "observed value of `boost` `on` is declared twice"),
        ('boost on "0" in "/sys/a" overwritten by nobody at "T";', "unknown setting `nobody`"),
        ('boost nowhere because "" at "T";', "`boost` has an empty reason"),
    ],
)
def test_what_is_wrong_is_reported(statement: str, message: str) -> None:
    assert message in messages(statement)


def test_two_observations_of_one_place_need_different_conditions() -> None:
    twice = 'boost on "0" in "/sys/a" at "T 1"; boost on "1" in "/sys/a" at "T 2";'
    assert messages(twice) == ["`boost` at `/sys/a` is stated twice under the same conditions"]


def test_a_condition_on_a_setting_is_reported() -> None:
    assert messages('boost on "0" in "/sys/a" at "T" if bias low;') == [
        "the observation of `boost` depends on `bias`, which is a setting"
    ]

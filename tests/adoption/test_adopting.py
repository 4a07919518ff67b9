"""What is adopted of one server, and of many."""

import pytest
from verification.hosts import captured, facts, with_controller, with_places
from verification.test_real_hosts import WITHOUT_WORD

from adoption.made import R750, adopted, differing, done, errors, made, plan_of, text_of
from setpoint.compiler.audit.export import set_line
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.formatting.format import format_source

SWAPPINESS, DIRTY = "/proc/sys/vm/swappiness", "/proc/sys/vm/dirty_ratio"
CARD = "/proc/sys/net/core/netdev_max_backlog"


@pytest.mark.alike
@pytest.mark.parametrize("name", list(facts()))
def test_an_adopted_host_is_verified_without_differences(name: str) -> None:
    text = text_of(captured(name))
    wrong = {each.setting: each.found for each in differing(text, captured(name))}
    assert wrong.items() <= WITHOUT_WORD.items()
    assert errors(text) == []
    assert format_source(SourceText("p.tune", text)) == text


@pytest.mark.parametrize("goal", ["latency", "performance", "efficiency", "balanced"])
def test_a_server_that_is_as_an_intent_gives_the_intent_back(goal: str) -> None:
    (group,) = adopted(made(f"goal {goal};")).groups
    assert group.intent.text == f"goal {goal}"
    assert dict(group.rest.sets) == {}
    assert group.rest.refused == ()


def test_a_workload_is_said_if_it_spares_more_than_it_costs() -> None:
    (group,) = adopted(made('goal latency; workload dpdk; set isolated-cpus 2-5 because "test";')).groups
    assert group.intent.text.startswith("goal latency, workload ")


CHANGES = {
    "swappiness": (SWAPPINESS, "35", "35"),
    "dirty-ratio": (DIRTY, "27", "27"),
    "transparent-hugepages": (
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "always [madvise] never",
        "madvise",
    ),
    "numa-balancing": ("/proc/sys/kernel/numa_balancing", "1", "on"),
    "tcp-fast-open": ("/proc/sys/net/ipv4/tcp_fastopen", "1", "client"),
}
"""Settings, each with a text that its place may show, and the value that this is."""


@pytest.mark.parametrize("number", range(1, len(CHANGES) + 1))
def test_just_the_values_that_were_changed_are_set(number: int) -> None:
    changed = dict(list(CHANGES.items())[:number])
    host = with_places(made("goal latency;"), {place: text for place, text, _ in changed.values()})
    (group,) = adopted(host).groups
    assert group.intent.text == "goal latency"
    assert dict(group.rest.sets) == {setting: value for setting, (_, _, value) in changed.items()}


def test_each_set_has_an_open_reason_and_says_where_it_was_read() -> None:
    text = text_of(with_places(made("goal latency;"), {SWAPPINESS: "35"}))
    assert set_line("swappiness", "35", f"read: {SWAPPINESS}: 35") in text
    found = done(text)
    assert [each.code for each in found.findings.errors] == ["E0209"]
    assert found.plan is not None  # which is shown, and never compiled
    assert found.is_stopped


def test_what_only_the_kernel_has_decided_is_left_to_it() -> None:
    host = with_places(made("goal latency;"), {CARD: "1234"})
    assert "packet-backlog" not in text_of(host)


def test_what_a_file_of_the_site_sets_is_set() -> None:
    host = with_places(
        made("goal latency;"), {CARD: "1234", "/etc/sysctl.conf": "net.core.netdev_max_backlog = 1234\n"}
    )
    assert "set packet-backlog 1234 because" in text_of(host)
    assert "/etc/sysctl.conf sets it" in text_of(host)


def test_the_controller_counts_for_the_firmware() -> None:
    plan = plan_of(f"{R750} goal latency;")
    attributes = {s.names[0]: s.text for d in plan.settings for s in d.spelled_in("attribute") if not s.type}
    (turbo,) = (s for d in plan.settings if d.setting == "turbo" for s in d.spelled_in("attribute"))
    (other,) = {"on", "off"} - {d.value for d in plan.settings if d.setting == "turbo"}
    host = with_controller(made("goal latency;"), {**attributes, turbo.names[0]: dict(turbo.texts)[other]})
    assert f"set turbo {other} because" in text_of(host)


def test_a_value_without_a_word_is_said_and_not_set() -> None:
    host = with_places(
        made("goal latency;"), {"/proc/cmdline": "mitigations=auto,no_guest_host skew_tick=1 tsc=reliable"}
    )
    text = text_of(host)
    assert "# mitigations: /proc/cmdline: mitigations=auto,no_guest_host" in text
    assert errors(text) == []


def test_text_of_a_server_never_becomes_a_statement() -> None:
    evil = 'x";\nset turbo off because "evil'
    host = with_places(
        made("goal latency;"), {"/proc/cmdline": f"mitigations={evil}\x1b[31m", SWAPPINESS: evil}
    )
    text = text_of(host)
    assert "\x1b" not in text
    assert all(line.startswith("#") for line in text.splitlines() if "evil" in line)


def test_servers_that_are_alike_are_one_policy_without_blocks() -> None:
    found = adopted(*(made("goal latency;", f"c{number}") for number in range(20)))
    (group,) = found.groups
    assert (group.number, group.hosts) == (20, ())


def test_a_server_that_differs_has_a_block_with_just_that() -> None:
    usual = [made("goal latency;", f"c{number}") for number in range(5)]
    text = text_of(*usual, with_places(made("goal latency;", "odd"), {SWAPPINESS: "35"}))
    assert "for host odd {" in text
    assert text.count("set swappiness") == 1
    assert text.index("for host odd") < text.index("set swappiness 35")
    assert errors(text) == []


def test_different_servers_get_a_block_each_by_what_they_are() -> None:
    text = text_of(made("goal latency;", "a"), captured("milan0"), captured("rome0"))
    assert "for group r750-xeon-platinum-8360y" in text or "for group xeon-platinum-8360y" in text
    assert "for group epyc-7543" in text
    assert "for group epyc-7742" in text


def test_a_name_that_no_block_can_have_is_left_out() -> None:
    odd = with_places(made("goal latency;", "all"), {SWAPPINESS: "35"})
    found = adopted(made("goal latency;", "a"), made("goal latency;", "b"), odd)
    (left_out,) = found.left_out
    assert left_out.code == "E0621"
    assert "`all` is not adopted" in left_out.message
    assert found.groups[0].hosts == ()


def test_a_capture_of_nothing_is_an_error() -> None:
    with pytest.raises(SetpointError, match="nothing of it is recognized"):
        adopted(with_places(captured("rome0"), {})._replace(host=None))

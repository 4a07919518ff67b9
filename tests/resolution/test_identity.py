"""The identity that a server must report: from the plan's facts, with their origin, in the plan and in its JSON."""

from __future__ import annotations

from setpoint.compiler.plan.as_json import plan_json
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.server import Identity
from support.plans import planned


def test_each_fact_says_what_the_server_must_report() -> None:
    assert planned("goal latency; platform r720; os rhel 8").identity == (
        Identity("product", "platform", "r720", "stated", ("PowerEdge R720",), ()),
        Identity(
            "processor",
            "cpu",
            "sandy-or-ivy-bridge",
            "implied",
            ("GenuineIntel family 6 model 62", "GenuineIntel family 6 model 45"),
            (),
        ),
        Identity("sockets", "sockets", "2", "assumed", ("2",), ()),
        Identity("system", "os", "rhel-8", "stated", ("Linux",), ()),
        Identity(
            "distribution",
            "os",
            "rhel-8",
            "stated",
            ("rhel 8", "centos 8", "ol 8", "almalinux 8", "rocky 8"),
            (),
        ),
        Identity("kernel", "os", "rhel-8", "stated", ("4.18",), ()),
    )


def test_implied_reports_are_marked_as_implied() -> None:
    found = {each.kind: each for each in planned("goal latency; platform r320").identity}
    assert (found["sockets"].names, found["sockets"].origin) == (("1",), "implied")


def test_a_kind_with_nothing_to_compare_is_there_without_a_name() -> None:
    found = {each.kind: each for each in planned("goal latency; platform m710; os rhel-5").identity}
    assert [kind for kind, each in found.items() if not each.is_compared] == [
        "product",
        "kernel",
    ]


def test_the_json_has_it() -> None:
    data = plan_json(judge(planned("goal latency; platform r740")))["identity"]
    assert data[0] == {
        "reports": "product",
        "fact": "platform",
        "value": "r740",
        "from": "stated",
        "names": ["PowerEdge R740"],
    }
    assert data[-1] == {
        "reports": "kernel",
        "fact": "os",
        "value": "modern-linux",
        "from": "assumed",
        "names": [],
        "or_later": ["5.6"],
    }

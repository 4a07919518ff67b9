"""Names as machines print them are recognized for what they are, and none for anything else.

The tables were made from public reports of machines, not from the families of the library (README.md). A row that says
nothing of a column asserts nothing.
"""

import csv
from functools import cache
from pathlib import Path

import pytest

from setpoint.compiler.binding.facts import complete
from setpoint.compiler.binding.stated import family_member
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.lookup import printed_value
from setpoint.compiler.knowledge.model import lineage
from setpoint.compiler.plan.model import FactEntry

HERE = Path(__file__).parent

MAKERS = ("dell", "hpe", "lenovo", "cisco", "supermicro")
"""The makers whose servers the library plans."""

ABROAD = "-"
"""How processors begin that the library has no generation of."""

LEAST = 0.95
"""The least share of these makers' servers, of which a generation is known, that are recognized."""

Row = dict[str, str]


def rows(name: str) -> list[Row]:
    with (HERE / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@cache
def facts_of(fact: str, text: str) -> dict[str, str] | None:
    """What follows from a text, without assumptions; None if nothing recognizes it."""
    knowledge = standard()._replace(assumptions=())
    values = printed_value(knowledge, fact, text)
    if len(values) == 1:
        stated = {fact: values[0]}
    elif member := family_member(knowledge, fact, text):
        stated = dict(member.recognized.family.implies)
    else:
        return None
    done = complete(knowledge, {f: FactEntry(f, v, v, "stated", "") for f, v in stated.items()})
    assert done.errors == (), text
    return {name: entry.value for name, entry in done.facts.items()}


def processors(cpu: str) -> list[set[str]]:
    """The processors that a value stands for, each with the values that it lies within."""
    value = standard().values["cpu"][cpu]
    return [{each.name for each in lineage(standard(), "cpu", name)} for name in value.one_of or (cpu,)]


def is_one_of(cpu: str, expected: str) -> bool:
    """Whether a value has some of the processors that a row expects."""
    wanted = set(expected.split("|"))
    return any(
        wanted & around
        or any(cpu in (each.name for each in lineage(standard(), "cpu", w)) for w in wanted - foreign(wanted))
        for around in processors(cpu)
    )


def foreign(wanted: set[str]) -> set[str]:
    return {each for each in wanted if each.startswith(ABROAD)}


@pytest.mark.parametrize("maker", [*MAKERS, "guest", "workstation", "others"])
def test_a_product_is_recognized_as_what_it_is(maker: str) -> None:
    wrong = []
    for row in rows("products"):
        group = row["maker"] if row["maker"] in (*MAKERS, "guest", "workstation") else "others"
        found = facts_of("platform", row["text"]) if group == maker else None
        if found is None:
            continue
        if row["maker"] and "vendor" in found and found["vendor"] != row["maker"]:
            wrong.append((row["text"], "vendor", found["vendor"]))
        if found and ("virtual-machine" in found) != (maker == "guest"):
            wrong.append((row["text"], "virtual-machine", found.get("virtual-machine", "")))
        if row["cpu"] and "cpu" in found and not is_one_of(found["cpu"], row["cpu"]):
            wrong.append((row["text"], "cpu", found["cpu"]))
    assert wrong == []


def test_a_processor_is_recognized_as_what_it_is() -> None:
    wrong = []
    for row in rows("processors"):
        found = facts_of("cpu", row["text"])
        if found and row["cpu"] and "cpu" in found and not is_one_of(found["cpu"], row["cpu"]):
            wrong.append((row["text"], found["cpu"]))
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "QEMU Virtual CPU version 2.5+",
        "QEMU Virtual CPU version (cpu64-rhel6)",
        "Common KVM processor",
        "Intel Core Processor (Haswell, no TSX, IBRS)",
        "Intel Xeon Processor (Skylake)",
        "Intel Xeon Processor (Cascadelake)",
        "AMD EPYC-Milan Processor",
        "AMD EPYC Processor (with IBPB)",
    ],
)
def test_a_processor_that_a_hypervisor_made_up_shows_a_guest_and_nothing_else(text: str) -> None:
    assert facts_of("cpu", text) == {"virtual-machine": "yes"}


@pytest.mark.parametrize(
    "text",
    [
        "Intel(R) Xeon(R) CPU           X3430  @ 2.40GHz",
        "Intel(R) Xeon(R) CPU           X7560  @ 2.27GHz",
        "Intel(R) Xeon(R) CPU           W3690  @ 3.47GHz",
        "Intel(R) Xeon(R) CPU            5160  @ 3.00GHz",
    ],
)
def test_a_xeon_beside_the_library_s_generations_is_known_by_its_maker(text: str) -> None:
    assert facts_of("cpu", text) == {"cpu-vendor": "intel"}


@pytest.mark.parametrize(
    "text", ["Neoverse-N1", "Neoverse-V2", "Kunpeng 920-4826", "Ampere(R) Altra(R) Processor"]
)
def test_an_arm_processor_is_known_by_its_name_alone(text: str) -> None:
    assert facts_of("cpu", text) == {}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("m5.large", {"virtual-machine": "yes"}),
        ("t3.small", {"virtual-machine": "yes"}),
        ("c6gn.16xlarge", {"virtual-machine": "yes"}),
        ("c6i.metal", {}),
        ("m7i.metal-24xl", {}),
        ("Droplet", {"virtual-machine": "yes"}),
        # Both rent out whole servers, too.
        ("Google Compute Engine", {}),
        ("Alibaba Cloud ECS", {}),
        # A whole server of another cloud, which names its types alike.
        ("c3.small.x86", None),
    ],
)
def test_the_product_of_a_cloud_shows_a_guest_only_where_it_rents_out_nothing_else(
    text: str, facts: dict[str, str] | None
) -> None:
    assert facts_of("platform", text) == facts


UNRECOGNIZED = {
    "AMD-Penguin COVID19": "a machine that was built once",
    "Jetson-AGX": "a module for robots",
    "Sun Fire V20z": "a server of 2004, for Opteron processors",
    "MS-7C37": "a board for desktops",
    "Satellite Radius P55W-B": "a notebook",
    "WL239AA-ABH s5330nl": "a desktop",
    "XPS 15 9530": "a notebook",
    "SandyBridge Platform": "a platform for developers, whoever made the server",
    "Synergy 12000 Frame": "a frame, which is no server",
    "SYS-A21GE-NBRT-01-LL014": "no source explains what A21 stands for",
    "c3.small.x86": "the type of an instance, not of a server",
    "VMware Virtual": "written for a test; VMware prints another name",
    "3500": "written for a test; a number alone names nothing",
    "Default string": "the maker has given it no name",
    "NA": "the maker has given it no name",
}
"""What stays unknown of the names that other programs than dmidecode printed, and why."""


def test_what_is_not_recognized_of_the_names_that_other_programs_print_has_a_reason() -> None:
    others = {row["text"] for row in rows("products") if row["printer"] != "dmidecode"}
    assert {text for text in others if facts_of("platform", text) is None} == set(UNRECOGNIZED)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        # lshw adds the SKU of the DMI table.
        ("PowerEdge R630 (SKU=NotProvided;ModelName=PowerEdge R630)", {"platform": "r630", "vendor": "dell"}),
        ("RS700-E8-RS8 V2", {"vendor": "asus"}),
        ("Z10PE-D16 WS", {}),  # a board of ASUS, in whoever's server
        ("R182-Z90-00", {"vendor": "gigabyte"}),
        ("2288H V5", {"vendor": "huawei", "cpu-vendor": "intel"}),
        ("NF5280M6", {"vendor": "inspur"}),
        ("PRIMERGY RX2540 M4", {"vendor": "fujitsu"}),
        ("RX2540 M4", {"vendor": "fujitsu"}),
        ("SUN FIRE X4170 M2 SERVER", {}),  # Sun's or Oracle's
        ("ORACLE SERVER X5-2", {"vendor": "oracle", "cpu-vendor": "intel"}),
        ("QuantaPlex T41S-2U", {"vendor": "quanta"}),
        ("HPECRAYEX425(MILAN)", {"vendor": "hpe"}),
        ("HPE Cray EX420", {"vendor": "hpe"}),
        ("S1200RP_SE", {"cpu-vendor": "intel"}),
        ("S2600WFT", {"cpu": "skylake-or-cascade-lake", "cpu-vendor": "intel"}),
        ("HR350A            7X35CTO1WW", {"vendor": "lenovo"}),
        ("IBM System x -[7870K4G]-", {"cpu-vendor": "intel"}),
        ("8335-GTB", {}),
        ("Precision 7920 Rack", {}),
        ("oVirt", {"virtual-machine": "yes"}),
        ("3DS Outscale VM", {"virtual-machine": "yes"}),
        ("Google", {}),
        # Names of the same form that nobody prints.
        ("RS224 R1G3D32RU", None),
        ("S4885", None),
        ("2288H", None),
        ("6338", None),
    ],
)
def test_a_server_without_a_description_is_known_by_its_maker(
    text: str, facts: dict[str, str] | None
) -> None:
    found = facts_of("platform", text)
    assert (found if found is None or facts is None else {n: found.get(n, "") for n in facts}) == facts
    if facts is not None and "platform" not in facts:
        assert found == facts


def test_nearly_all_servers_whose_generation_their_name_says_are_recognized() -> None:
    known = [row for row in rows("products") if row["maker"] in MAKERS and row["generation"]]
    missed = [row["text"] for row in known if facts_of("platform", row["text"]) is None]
    assert len(missed) <= (1 - LEAST) * len(known), missed


def test_nearly_all_processors_of_the_library_s_generations_are_recognized() -> None:
    known = [row for row in rows("processors") if row["cpu"] and not foreign(set(row["cpu"].split("|")))]
    missed = [row["text"] for row in known if "cpu" not in (facts_of("cpu", row["text"]) or {})]
    assert len(missed) <= (1 - LEAST) * len(known), missed

"""The names that servers report, typed from their sources, and which of them a value accepts."""

from __future__ import annotations

from itertools import permutations

import pytest

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.load import with_site
from setpoint.compiler.knowledge.lookup import printed_value, value_meant
from setpoint.compiler.knowledge.model import Citation, Knowledge
from setpoint.compiler.knowledge.reported import (
    KINDS,
    OPEN,
    AcceptedReports,
    accepted_reports,
    can_be_product,
    is_product,
    kinds_of,
)
from setpoint.compiler.language.parse import parse
from support.plans import planned

PRODUCTS = {
    "c6320": "PowerEdge C6320",
    "c6420": "PowerEdge C6420",
    "c6620": "PowerEdge C6620",
    "fc630": "PowerEdge FC630",
    "m610": "PowerEdge M610",
    "m620": "PowerEdge M620",
    "m630": "PowerEdge M630",
    "mx760c": "PowerEdge MX760c",
    "r320": "PowerEdge R320",
    "r420": "PowerEdge R420",
    "r430": "PowerEdge R430",
    "r520": "PowerEdge R520",
    "r530": "PowerEdge R530",
    "r610": "PowerEdge R610",
    "r620": "PowerEdge R620",
    "r630": "PowerEdge R630",
    "r640": "PowerEdge R640",
    "r650": "PowerEdge R650",
    "r710": "PowerEdge R710",
    "r720": "PowerEdge R720",
    "r720xd": "PowerEdge R720xd",
    "r730": "PowerEdge R730",
    "r740": "PowerEdge R740",
    "r750": "PowerEdge R750",
    "r660": "PowerEdge R660",
    "r6615": "PowerEdge R6615",
    "r6625": "PowerEdge R6625",
    "r670": "PowerEdge R670",
    "r760": "PowerEdge R760",
    "r760xa": "PowerEdge R760xa",
    "r7615": "PowerEdge R7615",
    "r7625": "PowerEdge R7625",
    "r770": "PowerEdge R770",
    "r820": "PowerEdge R820",
    "r860": "PowerEdge R860",
    "t620": "PowerEdge T620",
    "t630": "PowerEdge T630",
    "xr11": "PowerEdge XR11",
    "xr12": "PowerEdge XR12",
    "dl380-gen11": "ProLiant DL380 Gen11",
    "sr635-v3": "ThinkSystem SR635 V3",
    "sr650": "ThinkSystem SR650 -[*",
    "sr650-v3": "ThinkSystem SR650 V3",
    "sr850p": "ThinkSystem SR850P -[*",
    "sr950": "ThinkSystem SR950 -[*",
    "sr655-v3": "ThinkSystem SR655V3",
    "sr950-v3": "ThinkSystem SR950 V3",
    "b200-m6": "UCSB-B200-M6*",
    "c220-m6": "UCSC-C220-M6*",
    "c220-m7": "UCSC-C220-M7*",
    "c220-m8": "UCSC-C220-M8*",
    "c240-m6": "UCSC-C240-M6*",
    "c240-m7": "UCSC-C240-M7*",
    "c240-m8": "UCSC-C240-M8*",
    "x210c-m6": "UCSX-210C-M6*",
    "x210c-m7": "UCSX-210C-M7*",
    "x210c-m8": "UCSX-210C-M8*",
    "x410c-m7": "UCSX-410C-M7*",
}
"""The models whose name a source shows; the R730xd was seen with two."""

GENERATIONS = {
    "poweredge-11g": "M610, R410, R510, R610, R710, T410, T610, T710",
    "poweredge-12g": "C6220 II, M620, R320, R420, R520, R620, R720, R720xd, R820, T320, T420, T620, C8220",
    "poweredge-13g": "C6320, FC630, M630, R430, R530, R630, R730, R730xd, R730XD, T430, T630",
    "poweredge-14g": "C4140, C6420, R440, R540, R640, R740, R740xd, R740xd2, T440, T640",
    "poweredge-15g": "C6520, R450, R650, R750, T550, XR11, XR12",
    "poweredge-16g-intel": "C6620, MX760c, R660, R660xs, R760, R760xa, R860",
}


def of(knowledge: Knowledge, fact: str, value: str, kind: str) -> AcceptedReports:
    """What a server may report where a fact has a value."""
    return accepted_reports(knowledge.variables[fact], knowledge.values[fact], value, kind)


def test_a_model_is_known_by_its_product_name(knowledge: Knowledge) -> None:
    found = {name: of(knowledge, "platform", name, "product").names for name in PRODUCTS}
    assert found == {name: (product,) for name, product in PRODUCTS.items()}
    assert of(knowledge, "platform", "r730xd", "product").names == ("PowerEdge R730xd", "PowerEdge R730XD")


def test_a_model_whose_name_no_source_shows_has_nothing_to_compare(knowledge: Knowledge) -> None:
    values = knowledge.values["platform"]
    without = {name for name in values if not of(knowledge, "platform", name, "product")}
    assert without == {"dl560-gen11", "m710", "m820", "r470", "sr850-v3", "x410c-m8"}


OTHER_FAMILIES = {
    "proliant-gen11-intel": "ProLiant DL380 Gen11",
    "thinksystem-v1": """
ThinkSystem SN550 -[*; ThinkSystem SR530 -[*; ThinkSystem SR570 -[*; ThinkSystem SR590 -[*; ThinkSystem SR630 -[*
ThinkSystem SR650 -[*; ThinkSystem SR850P -[*; ThinkSystem SR950 -[*
""",
    "thinksystem-v3-amd": "ThinkSystem SR635 V3; ThinkSystem SR655V3",
    "thinksystem-v3-intel": "ThinkSystem SR650 V3; ThinkSystem SR950 V3",
    "ucs-m5": "UCSC-C220-M5*; UCSC-C240-M5*; UCSC-C480-M5*; UCSB-B200-M5*; UCSB-B480-M5*",
    "ucs-m6-amd": "UCSC-C225-M6*; UCSC-C245-M6*",
    "ucs-m6-intel": "UCSB-B200-M6*; UCSC-C220-M6*; UCSC-C240-M6*; UCSX-210C-M6*",
    "ucs-m7": "UCSC-C220-M7*; UCSC-C240-M7*; UCSX-210C-M7*; UCSX-410C-M7*",
    "ucs-m8-amd": "UCSC-C225-M8*; UCSC-C245-M8*; UCSX-215C-M8*",
    "ucs-m8-intel": "UCSC-C220-M8*; UCSC-C240-M8*; UCSX-210C-M8*",
}


def test_a_family_of_another_maker_accepts_its_models(knowledge: Knowledge) -> None:
    for family, names in OTHER_FAMILIES.items():
        expected = names.strip().replace("\n", "; ").split("; ")
        assert sorted(of(knowledge, "platform", family, "product").names) == sorted(expected)


def test_a_generation_accepts_all_its_models(knowledge: Knowledge) -> None:
    """Those of unknown name open no generation to every server: they are stated as what they are."""
    for generation, models in GENERATIONS.items():
        names = of(knowledge, "platform", generation, "product").names
        assert set(names) == {f"PowerEdge {model}" for model in models.split(", ")}


FOLDERS = {
    "fc630": "Desktop/Dell/PowerEdge",
    "m620": "Desktop/Dell/PowerEdge",
    "dl380-gen11": "Server/HPE/ProLiant",
    "sr650": "Server/Lenovo/ThinkSystem",
    "sr950-v3": "Server/Lenovo/ThinkSystem",
}
"""Of the collection of DMI tables; all others are in `Server/Dell/PowerEdge`."""

ELSEWHERE = {
    "c6420": Citation("linux-0bdc924bfb31", "Hardware name"),
    "r630": Citation("dell-bios-registries", "R630 registry, SystemModelName"),
    "r720": Citation("dell-bios-registries", "R720 registry, SystemModelName"),
    "r740": Citation("dell-bios-registries", "R740 registry, SystemModelName"),
    "r750": Citation("dell-bios-registries", "R750 registry, SystemModelName"),
    "r670": Citation("poweredge-xeon-captures", "R670 factory values, SystemModelName"),
    "r6515": Citation("poweredge-amd-captures", "R6515, Model"),
    "r7615": Citation("poweredge-amd-captures", "R7615, SystemModelName"),
    "sr635-v3": Citation("lenovo-amd-captures", "SR635 V3 factory values"),
    "sr650-v3": Citation("linux-kernel-messages", "20240117234515.226944-6-michael.chan@broadcom.com"),
    "sr850p": Citation("linux-kernel-messages", "20200108083430.57412-1-yehs2007@zoho.com"),
    "sr950": Citation("linux-kernel-messages", "8c826c96-62ec-2f72-c4cb-30139d5639d1@redhat.com"),
    "xr11": Citation("linux-kernel-messages", "20230509113943.27194-1-yochai.hagvi@intel.com"),
    "r660": Citation("linux-kernel-messages", "20251110212001.6318-3-emilne@redhat.com"),
    "r760": Citation("linux-kernel-messages", "20250423142622.348724026@linuxfoundation.org"),
    "sr655-v3": Citation("linux-kernel-messages", "08c29e4b-2f71-4b6d-8046-27e407214d8c@suse.com"),
    "m610": Citation("chameleon-alamo", "chassis"),
    "m630": Citation("grid5000-reference", "roazhon5"),
    "r760xa": Citation("grid5000-reference", "larochette"),
    "r770": Citation("grid5000-reference", "vercors18"),
    **dict.fromkeys(("c6620", "mx760c", "r6625", "r860", "xr12"), Citation("tenable-dsa-2024-035", "model")),
    **dict.fromkeys(
        ("b200-m6", "x210c-m6", "x210c-m7", "x210c-m8", "x410c-m7"),
        Citation("easyucs-catalogue", "catalog/blades"),
    ),
    **dict.fromkeys(
        ("c220-m6", "c220-m7", "c220-m8", "c240-m6", "c240-m7", "c240-m8"),
        Citation("easyucs-catalogue", "catalog/racks"),
    ),
}


def test_a_product_name_is_at_the_cited_place(knowledge: Knowledge) -> None:
    for name in (*PRODUCTS, *GENERATIONS, "r730xd"):
        (report,) = knowledge.values["platform"][name].reported
        in_collection = Citation("linux-hardware-dmi", FOLDERS.get(name, "Server/Dell/PowerEdge"))
        assert report.citation == ELSEWHERE.get(name, in_collection), name


# ID and the first part of VERSION_ID of the os-release files; before there was such a file, what redhat-release begins
# with.
SYSTEMS = """
linux        | system       | Linux                                             | linux-uts, UTS_SYSNAME
rhel-5       | distribution | Red Hat Enterprise Linux Server release 5         | distro-test-files, rhel5
rhel-5       | distribution | CentOS release 5                                  | distro-test-files, centos5
slc-5        | distribution | Scientific Linux CERN SLC release 5               | cms-singularity, SLC 5 environment
rhel-6       | distribution | Red Hat Enterprise Linux Server release 6         | distro-test-files, rhel6
rhel-6       | distribution | CentOS release 6                                  | cms-singularity, SLC6/CentOS6 environment
rhel-6       | distribution | Scientific Linux release 6                        | distro-test-files, scientific6
rhel-7       | distribution | rhel 7, centos 7, ol 7, scientific 7              | os-release-files, redhat_7; centos_7; oracle_7; scientific_7
rhel-8       | distribution | rhel 8, centos 8, ol 8, almalinux 8, rocky 8      | os-release-files, redhat_8; centos_8; centos_stream_8; oracle_8; alma_8; rocky_8
rhel-8       | kernel       | 4.18                                              | rocky-version-table, 8.3 to 8.10
sles-12      | distribution | sles 12.4, sles 12.5                              | saptune-notes, bin/saptune_check
sles-12      | kernel       | 4.12                                              | sap-hana-checks, 12.4; 12.5
sles-15-sp1  | distribution | sles 15, sles 15.1                                | os-catalog, linux/sles/15; linux/sles/15.1
sles-15-sp1  | kernel       | 4.12                                              | sap-hana-checks, 15.0; 15.1
sles-15-sp2  | distribution | sles 15.2                                         | saptune-notes, bin/saptune_check
sles-15-sp2  | kernel       | 5.3                                               | sap-hana-checks, 15.2
sles-15-sp3  | distribution | sles 15.3                                         | saptune-notes, bin/saptune_check
sles-15-sp3  | kernel       | 5.3                                               | sap-hana-checks, 15.3
rhel-9       | distribution | rhel 9, centos 9, ol 9, almalinux 9, rocky 9      | os-release-files, redhat_9; centos_stream_9; oracle_9; alma_9; rocky_9
rhel-10      | distribution | rhel 10, almalinux 10                             | os-release-files, redhat_10; alma_10
rhel-10      | distribution | centos 10, rocky 10                               | distro-test-files, centosstream10; rocky10
sles-11      | distribution | sles 11                                           | os-release-files, sles_11
sles-15      | distribution | sles 15.5, sles 15.6, sles 15.7                   | saptune-notes, bin/saptune_check
sles-15-sp4  | distribution | sles 15.4                                         | saptune-notes, bin/saptune_check
sles-16      | distribution | sles 16                                           | saptune-notes, bin/saptune_check
debian-11    | distribution | debian 11                                         | os-release-files, debian_11
debian-12    | distribution | debian 12                                         | os-release-files, debian_12
debian-13    | distribution | debian 13                                         | os-release-files, debian_13
ubuntu-20.04 | distribution | ubuntu 20.04                                      | os-release-files, ubuntu_2004
ubuntu-20.04 | kernel       | 5.4                                               | livepatch-kernels, Ubuntu 20.04 LTS, 5.4 (GA)
ubuntu-22.04 | distribution | ubuntu 22.04                                      | os-release-files, ubuntu_2204
ubuntu-24.04 | distribution | ubuntu 24.04                                      | os-release-files, ubuntu_2404
ubuntu-26.04 | distribution | ubuntu 26.04                                      | ubuntu-2604-image, OS Version
"""


def test_a_system_has_these_names_in_these_files(knowledge: Knowledge) -> None:
    lines = [[cell.strip() for cell in line.split(" | ")] for line in SYSTEMS.strip().splitlines()]
    found = [
        [value.name, report.kind, ", ".join(report.names), ", ".join(report.citation)]
        for value in knowledge.values["os"].values()
        for report in value.reported
        if report.citation
    ]
    assert sorted(found) == sorted(lines)


@pytest.mark.parametrize(
    ("os", "kind", "expected"),
    [
        ("rhel-8", "distribution", AcceptedReports(("rhel 8", "centos 8", "ol 8", "almalinux 8", "rocky 8"))),
        ("rhel-8", "kernel", AcceptedReports(("4.18",))),
        ("rhel-9", "kernel", AcceptedReports(since=("5.6",))),
        ("rhel-9", "system", AcceptedReports(("Linux",))),
        ("modern-linux", "kernel", AcceptedReports(since=("5.6",))),
        ("sles-12", "kernel", AcceptedReports(("4.12",))),
        ("sles-15-sp3", "distribution", AcceptedReports(("sles 15.3",))),
        ("ubuntu-20.04", "kernel", AcceptedReports(("5.4",))),
        ("linux-5.3", "kernel", AcceptedReports(("5.3", "5.4"), since=("5.3", "5.6"))),
        ("modern-linux", "distribution", AcceptedReports()),
        ("linux", "distribution", AcceptedReports()),
        ("linux", "kernel", AcceptedReports()),
        ("linux", "system", AcceptedReports(("Linux",))),
        ("slc-5", "distribution", AcceptedReports(("Scientific Linux CERN SLC release 5",))),
        ("sles-11", "distribution", AcceptedReports(("sles 11",))),
        ("ubuntu-22.04", "distribution", AcceptedReports(("ubuntu 22.04",))),
        ("windows", "system", AcceptedReports()),
    ],
)
def test_a_system_is_known_by_its_release_and_kernel(
    knowledge: Knowledge, os: str, kind: str, expected: AcceptedReports
) -> None:
    assert of(knowledge, "os", os, kind) == expected


def test_a_rebuild_matches_the_original(knowledge: Knowledge) -> None:
    assert "Scientific Linux CERN SLC release 5" in of(knowledge, "os", "rhel-5", "distribution").names


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("sles 15.3", "sles-15-sp3"),
        ("SLES 15.4", "sles-15-sp4"),
        ("sles 15.6", "sles-15"),
        ("sles 15.9", "sles-15"),
        ("sles 12.5", "sles-12"),
        ("rhel 8.6", "rhel-8"),
        ("ubuntu 20.04", "ubuntu-20.04"),
        ("ubuntu 20.04.6", "ubuntu-20.04"),
    ],
)
def test_a_release_is_stated_as_servers_report_it(stated: str, found: str) -> None:
    """By more of its version than its name has, before the release that is named by less of it."""
    assert planned(f"goal latency; os {stated}").fact("os") == found


@pytest.mark.parametrize(
    ("stated", "found"), [("centos 7.9", "rhel-7"), ("rocky 8.6", "rhel-8"), ("ol 9.4", "rhel-9")]
)
def test_a_rebuild_is_stated_as_it_reports_itself(stated: str, found: str) -> None:
    """The plan is that of the original."""
    assert planned(f"goal latency; os {stated}").fact("os") == found


def test_sockets_are_known_by_their_number(knowledge: Knowledge) -> None:
    values = knowledge.variables["sockets"].values
    assert [of(knowledge, "sockets", value, "sockets").names for value in values] == [(v,) for v in values]


def test_every_name_of_the_library_has_its_source(knowledge: Knowledge) -> None:
    """Except a number of sockets, and what is true by definition."""
    for fact, values in knowledge.values.items():
        for value in values.values():
            for report in value.reported:
                if report.names and fact != "sockets":
                    assert report.citation, f"{fact} {value.name}: {report.text}"


def test_the_facts_and_kinds_that_distinguish_servers(knowledge: Knowledge) -> None:
    kinds = {fact: kinds_of(values) for fact, values in knowledge.values.items() if kinds_of(values)}
    assert kinds == {
        "platform": ("product",),
        "cpu": ("processor",),
        "sockets": ("sockets",),
        "os": ("system", "distribution", "kernel"),
    }
    assert {kind for each in kinds.values() for kind in each} == set(KINDS)


def site(text: str) -> Knowledge:
    """The library with a site's own knowledge."""
    return with_site((parse(SourceText("site.tune", text)),))


def test_a_site_adds_a_model_and_its_generation_accepts_it() -> None:
    found = site('platform r940 { within poweredge-14g; reported as product "PowerEdge R940"; }')
    assert of(found, "platform", "r940", "product").names == ("PowerEdge R940",)
    assert "PowerEdge R940" in of(found, "platform", "poweredge-14g", "product").names


FARM = 'platform farm { reported as product "Farm-2*", "Shed [7X06*"; } platform barn { reported as product "Farm-20", "Farm-1"; }'


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ("Farm-2SX", ("farm",)),
        ("FARM 2", ("farm",)),
        ("shed [7x06cto1ww]-", ("farm",)),
        ("Farm-1", ("barn",)),
        ("Farm-1SX", ()),
        ("Far", ()),
        ("PowerEdge R740xa", ()),
    ],
)
def test_what_machines_print_continues_an_open_name(printed: str, found: tuple[str, ...]) -> None:
    """Of an exact name, they print no more."""
    knowledge = site(FARM.replace('"Farm-20", ', ""))
    assert printed_value(knowledge, "platform", printed) == found
    if found:
        assert value_meant(knowledge, "platform", printed) == found


def test_an_open_name_and_one_that_continues_it_are_of_one_server() -> None:
    with pytest.raises(SetpointError) as caught:
        site(FARM)
    assert [finding.message for finding in caught.value.diagnostics] == [
        "`barn` and `farm` are both reported as product `Farm-2*`"
    ]


def test_no_plan_accepts_a_server_of_another(knowledge: Knowledge) -> None:
    """Of all pairs of servers, neither of which is within the other, none has a name that the other accepts."""
    variable, values = knowledge.variables["platform"], knowledge.values["platform"]
    names = {name: of(knowledge, "platform", name, "product").names for name in values}
    for one, other in permutations(values, 2):
        if not variable.below(one) & variable.below(other):
            printed = [name.removesuffix(OPEN) for name in names[other]]
            assert not [p for p in printed for name in names[one] if is_product(name, p)], (one, other)


@pytest.mark.parametrize(
    ("report", "message"),
    [
        ('colour "blue"', "unknown kind of report `colour`"),
        ('product "a$(b)"', "no server reports `a$(b)` as its product"),
        ('product "a{{ b }}"', "no server reports `a{{ b }}` as its product"),
        ('product "it\'s"', "no server reports `it's` as its product"),
        ('sockets "two"', "no server reports `two` as its sockets"),
        ('kernel "6.x"', "no server reports `6.x` as its kernel"),
        ('product from "1"', "`from` needs a version, and `product` has none"),
        ("product some", "a product is reported as a text in quotes, or as `any`"),
        ('product "PowerEdge R740"', "`farm` and `r740` are both reported as product `PowerEdge R740`"),
        ('product "*"', "no server reports `*` as its product"),
        ('product "Farm * 1"', "no server reports `Farm * 1` as its product"),
        ('product "PowerEdge R74*"', "`farm` and `r740` are both reported as product `PowerEdge R740`"),
        ('product "Farm" of nobody at "Rack 7"', "unknown source `nobody`"),
    ],
)
def test_what_no_server_can_report_is_refused(report: str, message: str) -> None:
    with pytest.raises(SetpointError) as caught:
        site(f"platform farm {{ within poweredge-15g; reported as {report}; }}")
    assert message in [finding.message for finding in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("text", "is_compared"),
    [
        ("PowerEdge R740", True),
        ("X9DRi-LN4+/X9DR3-LN4+", True),
        ("IBM System x3650 M4: -[2145DH8]-", False),
        ("$(reboot)", False),
        ("ESC4000 *", False),
        ("", False),
    ],
)
def test_artifacts_compare_a_name_that_needs_no_quoting(text: str, is_compared: bool) -> None:
    assert can_be_product(text) is is_compared

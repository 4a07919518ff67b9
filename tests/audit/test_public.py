"""Files as people publish them, and what is right to say of each: facts that are typed in, with what is expected beside
the line.

The first hundred or so such files of public repositories were judged finding by finding. These are the kinds that were
wrong or missing, with the repository that has one. `-` says that nothing is to be found in a line.
"""

from __future__ import annotations

import pytest

from audit import audited, codes, messages, values
from setpoint.compiler.diagnostics import SetpointError


def found_by_line(text: str, server: str) -> list[str]:
    """The text, each line with the codes that are found in it."""
    at: dict[int, list[str]] = {}
    for finding in audited(text, server=server).findings:
        at.setdefault(finding.at.line, []).append(finding.code)
    return [f"{line} | {' '.join(sorted(at.get(n, ['-'])))}" for n, line in enumerate(text.split("\n"), 1)]


def as_expected(case: str) -> tuple[str, list[str]]:
    """The text of a case, and its lines with what is expected; a line without `|` expects nothing."""
    lines = [line if " | " in line else f"{line} | -" for line in case.strip("\n").split("\n")]
    return "\n".join(line.rpartition(" | ")[0] for line in lines), lines


# ------------------------------------------------------------------------------------------- templates

PIGSTY = """
[main]
include=network-throughput

[vm]
transparent_hugepages=never

[sysctl]
kernel.shmall = {{ (node_pages|int * 0.75)|int }} | W0903
vm.nr_hugepages = {{ node_hugepage_count }}
{% if node_overcommit_ratio|int > 0 %}
vm.overcommit_memory = 2
vm.overcommit_ratio = {{ node_overcommit_ratio }}
{% else %}
vm.overcommit_memory = 0
{% endif %}
net.core.somaxconn = 65535
"""
"""A profile that Ansible fills in (pgsty/pigsty, roles/node/templates)."""

OPERATOR = """
[bootloader]
cmdline_cpu=+nohz=on rcu_nocbs={{.IsolatedCpus}} nohz_full={{.IsolatedCpus}} | W0903 W0903 W0905
{{if .StaticIsolation}}
cmdline_isolation=+isolcpus=domain,managed_irq,{{.IsolatedCpus}} | W0903
{{else}}
cmdline_isolation=+isolcpus=managed_irq,{{.IsolatedCpus}} | W0903
{{end}}
cmdline_pages=+{{if .Pages}} default_hugepagesz={{.Size}} {{end}} | W0903
"""
"""A profile that an operator fills in (openshift/cluster-node-tuning-operator, assets/performanceprofile/tuned)."""


@pytest.mark.parametrize("case", [PIGSTY, OPERATOR])
def test_what_a_template_fills_in_is_not_judged(case: str) -> None:
    text, expected = as_expected(case)
    assert found_by_line(text, "os rhel 9") == expected


def test_a_function_that_names_profiles_may_have_commas() -> None:
    include = "include=openshift-node,cpu-partitioning${f:regex_search_ternary:${f:exec:uname:-r}:rt:,of-rt:}"
    found = audited(f"[main]\n{include}\n", server="os rhel 9")
    assert [entry.text for entry in found.files[0].entries] == include.removeprefix("include=").split(",", 1)
    assert "it has a variable" in messages(found, "W0903")[0]


# ---------------------------------------------------------------------- several profiles in a manifest

TUNED = """
apiVersion: tuned.openshift.io/v1
kind: Tuned
metadata:
  name: performance
spec:
  profile:
  - name: all
    data: |
      [main]
      include=of-intel,openshift-node
      [bootloader]
      cmdline_all=+skew_tick=1
  - name: of-intel
    data: |
      [bootloader]
      cmdline_vendor=+iommu=pt tsc=reliable intel_iommu=on
  - name: of-amd
    data: |
      [bootloader]
      cmdline_vendor=+iommu=pt tsc=reliable amd_iommu=pt | E0907
      [vm]
      transparent_hugepages=never
"""
"""One profile for all nodes, and one for each vendor (the same, as rendered for its tests)."""


def test_profiles_of_a_manifest_are_not_together() -> None:
    text, expected = as_expected(TUNED)
    assert found_by_line(text, "os rhel 9") == expected


def test_a_profile_that_an_older_release_ships_is_known() -> None:
    """An array of disks of its own in a profile for RHEL 7 (a note on storage)."""
    found = audited("[main]\ninclude=throughput-performance\n[cpu]\nforce_latency=1\n", server="os rhel 7")
    assert codes(found) == []
    assert values(found)["governor"] == "performance"


# -------------------------------------------------------------- what an operator makes of a resource

PERFORMANCE = """
apiVersion: performance.openshift.io/v2
kind: PerformanceProfile
metadata:
  name: low-latency
spec:
  additionalKernelArgs:
    - nohz_full=2-23 | W0401
    - nosmt
  cpu:
    isolated: "2-23" # the rest is for the system
    reserved: "0-1"
  hugepages:
    defaultHugepagesSize: 1G
    pages:
    - count: 32
      size: 1G
    - size: 2M
      count: 128
      node: 0
  realTimeKernel:
    enabled: true
"""
"""As in openshift-kni/cnf-features-deploy; the operator reserves pages of one node while the system runs. What it makes
of `isolated` depends on hints of the same resource, so it is not read."""


def test_a_profile_for_performance_is_a_boot_line() -> None:
    text, expected = as_expected(PERFORMANCE)
    assert found_by_line(text, "os rhel 9") == expected
    found = values(audited(text, server="os rhel 9"))
    assert found["tickless-cpus"] == "2-23"
    assert found["huge-page-size"] == "1g"
    assert found["huge-pages-at-boot"] == "32"


FIRMWARE = """
apiVersion: metal3.io/v1alpha1
kind: HostFirmwareSettings
metadata:
  name: worker-0
spec:
  settings:
    LogicalProc: Disabled
    ProcTurboMode: Maybe | W0913
status:
  settings:
    LogicalProc: Enabled
"""
"""What a host is to have, beside what it has (metal3-io/baremetal-operator, documents of OpenShift)."""


def test_firmware_settings_of_a_host_are_those_of_its_specification() -> None:
    text = "\n".join(line.rpartition(" | ")[0] or line for line in FIRMWARE.strip().split("\n"))
    found = audited(text, server="platform r740")
    assert values(found) == {"smt": "off"}
    assert codes(found) == ["W0913"]


def test_a_playbook_is_no_list_of_settings() -> None:
    """HewlettPackard/ansible-ilorest-role: its words are names of tasks, and what it sets is in variables of other
    files."""
    playbook = "- hosts: servers\n  gather_facts: False\n  vars:\n    attribute_name: AdminName\n  tasks:\n  - name: Set\n"
    with pytest.raises(SetpointError, match="has no settings that are known"):
        audited(playbook, server="platform dl360-gen10")


# ----------------------------------------------------------------- profiles of other tools, options of none

SAPTUNE = """
[version]
VERSION=3
[grub:arch=x86_64]
intel_idle.max_cstate=1
[sysctl]
net.core.somaxconn =
vm.max_map_count = 2147483647
[vm:os=15-[5-7]]
THP=madvise
"""
"""A note of SUSE/saptune: sections with conditions, names of its own, and empty values for what stays as it is."""

A_TUNE = """
[main]
include = default-default
[bootloader.grub2]
iommu.passthrough = 2 | E0907
transparent_hugepage = never
[sysfs]
kernel/mm/transparent_hugepage/enabled = never
[systemctl]
irqbalance = stop
"""
"""A profile of openEuler's A-Tune."""


@pytest.mark.parametrize(("case", "unread"), [(SAPTUNE, 3), (A_TUNE, 2)])
def test_profiles_of_other_tools_are_not_of_tuned(case: str, unread: int) -> None:
    text, expected = as_expected(case)
    assert found_by_line(text, "os sles 15") == expected
    assert len(audited(text, server="os sles 15").files[0].unread) == unread


OPTIONS = """
[main]
include=throughput-performance
[cpu]
energy_perf_policy=performance | W0904
force_latency=5
[disk]
nomerges=2 | W0904
[nomad]
speed=1 | W0904
[service]
service.irqbalance=stop
[sysctl]
vm.transparent_hugepages=always | W0904
vm.pagecache = 1 | W0904
"""
"""Options that tuned does not have (pgsty/pigsty, notes), and sysctls that Linux never had."""


def test_what_neither_tuned_nor_linux_has() -> None:
    text, expected = as_expected(OPTIONS)
    assert found_by_line(text, "os rhel 9") == expected


# --------------------------------------------------------------------------------- words and their values

LINES = """
isolcpus=0-13 nohz_full=0-13                                   | W0911 the first CPU keeps its tick
intel_idle.max_cstate=0 processor.max_cstate=0                 | W0911 the driver takes 0 for 1
idle=nomwait intel_idle.max_cstate=0                           | W0908 intel_idle does not load
intel_idle.max_cstate=0                                        | W0908 acpi_idle takes over
vm.overcommit_memory = 1;vm.overcommit_ratio = 90              | W0908 only where vm.overcommit_memory is 2
vm.overcommit_ratio = 90                                       | W0908 only where vm.overcommit_memory is 2
vm.overcommit_memory = 2;vm.overcommit_ratio = 90              |
vm.overcommit_memory = 2                                       | W0401 half of the memory
mitigations=off nospec_store_bypass_disable                    | E0401 leaves known; W0907 speculative store bypass
nohlt console=ttyS0                                            | W0911 never halt
amd_iommu=on iommu=pt                                          | E0907 is on unless it is turned off
intel_pstate=on                                                | E0907 takes one word
kernel.panic_on_oops = 60                                      |
kernel.panic_on_oops = 1;kernel.panic = 60                     |
net.ipv4.tcp_timestamps = 0;net.ipv4.tcp_timestamps = 1        | W0911 once its numbers wrap; E0906 two texts; W0905 the default
enforcing=0 enforcing=0                                        | W0907 permissive; W0905 twice; W0907 permissive
mitigations=auto,nosmt                                         | W0911 half of the CPUs are gone
net.ipv4.tcp_timestamps = 0;net.ipv4.tcp_tw_reuse = 1          | W0911 once its numbers wrap; W0908 only reused if the timestamps
"""


@pytest.mark.parametrize("case", [line for line in LINES.split("\n") if line])
def test_words_of_public_files(case: str) -> None:
    text, _, said = (part.strip() for part in case.partition("|"))
    expected = [part.strip().partition(" ") for part in said.split(";") if part.strip()]
    found = audited(text.replace(";", "\n"), server="os rhel 9").findings
    assert [finding.code for finding in found] == [code for code, _, _ in expected]
    assert all(words in finding.message for finding, (_, _, words) in zip(found, expected, strict=True))

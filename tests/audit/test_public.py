"""Files as people publish them, and what is right to say of each: facts that are typed in, with what is expected beside the line.

The first hundred or so such files of public repositories were judged finding by finding. These are the kinds that were wrong or missing,
with the repository that has one. `-` says that nothing is to be found in a line.
"""

from __future__ import annotations

import pytest

from audit import audited, codes, messages, values


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
vm.overcommit_ratio = {{ node_overcommit_ratio }} | W0903
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

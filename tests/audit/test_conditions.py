"""Branches, tasks, sections and templates: what is under other conditions is not taken together."""

from __future__ import annotations

import pytest

from audit import audited, codes, messages, values

CASES = [
    # what a file is, its text, and the codes of the findings
    ("if", "if [ $1 = on ]; then\nsysctl -w vm.swappiness=10\nelse\nsysctl -w vm.swappiness=90\nfi\n", []),
    ("no if", "sysctl -w vm.swappiness=10\nsysctl -w vm.swappiness=90\n", ["E0906"]),
    ("case", "case $1 in\na) sysctl -w vm.swappiness=10 ;;\nb) sysctl -w vm.swappiness=90 ;;\nesac\n", []),
    ("within one branch", "if true; then\nsysctl -w vm.swappiness=10\nsysctl -w vm.swappiness=90\nfi\n", ["E0906"]),
    ("functions", "on() {\nsysctl -w vm.swappiness=10\n}\noff() {\nsysctl -w vm.swappiness=90\n}\n", []),
    ("two loops", "for h in a b; do\n  sysctl -w vm.swappiness=10\ndone\nfor h in c d\ndo\n  sysctl -w vm.swappiness=90\ndone\n", []),
    ("a loop and what is outside", "for h in a b; do\n  sysctl -w vm.swappiness=10\ndone\nsysctl -w vm.swappiness=90\n", []),
    ("a branch is judged", 'if true; then\ngrubby --args="mitigations=off"\nfi\n', ["E0401"]),
    (
        "branches of different counterparts",
        "if true; then\nsysctl -w net.ipv4.tcp_timestamps=0\nelse\nsysctl -w net.ipv4.tcp_tw_reuse=1\nfi\n",
        ["W0911"],
    ),
    (
        "a branch and what is outside",
        "sysctl -w net.ipv4.tcp_timestamps=0\nif true; then\nsysctl -w net.ipv4.tcp_tw_reuse=1\nfi\n",
        ["W0911", "W0908"],
    ),
    ("set at once and in a file", "sysctl -w vm.swappiness=10\necho 'vm.swappiness=10' >> /etc/sysctl.conf\n", []),
    ("a here-document has no branches", "cat <<EOF > /etc/sysctl.d/a.conf\nif\nvm.swappiness=10\nEOF\nsysctl -w vm.swappiness=90\n", []),
    (
        "rules for different disks, in a here-document",
        "cat > /etc/udev/rules.d/60-io.rules <<'EOF'\n"
        'KERNEL=="nvme*", ATTR{queue/scheduler}="none"\n'
        'KERNEL=="sd*", ATTR{queue/scheduler}="bfq"\nEOF\n',
        [],
    ),
    (
        "tasks",
        "- sysctl:\n    name: vm.swappiness\n    value: 10\n  when: a\n- sysctl:\n    name: vm.swappiness\n    value: 90\n  when: b\n",
        [],
    ),
    (
        "a template",
        "vm.nr_hugepages = 8\n{% if a %}\nvm.swappiness = 10\n{% else %}\nvm.swappiness = 300\n{% endif %}\n",
        ["E0907"],
    ),
    (
        "the installer itself",
        "%pre\nsysctl -w vm.swappiness=10\n%end\n%post\nsysctl -w vm.swappiness=90\n%end\n",
        [],
    ),
    (
        "branches of a program",
        "if fast:\n    wanted['ProcVirtualization'] = 'Enabled'\n    wanted['SriovGlobalEnable'] = 'Enabled'\n"
        "else:\n    wanted['ProcVirtualization'] = 'Disabled'\n    wanted['SriovGlobalEnable'] = 'Disabled'\n",
        [],
    ),
    (
        "one branch of a program",
        "if fast:\n    wanted['ProcVirtualization'] = 'Enabled'\n    wanted['SriovGlobalEnable'] = 'Enabled'\n"
        "    wanted['ProcVirtualization'] = 'Disabled'\n",
        ["E0906"],
    ),
    (
        "two documents",
        "kernelArguments:\n- loglevel=3\n---\nkernelArguments:\n- quiet\n- loglevel=3\n",
        [],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_taken_together(text: str, expected: list[str]) -> None:
    assert codes(audited(text)) == expected


def test_a_hazard_of_what_a_profile_includes_is_left_to_that() -> None:
    """The operator that makes the included profile isolates the CPUs."""
    profile = "[main]\ninclude={}\n[bootloader]\ncmdline=nohz_full=2-5\n"
    assert "W0401" in codes(audited(profile.format("balanced")))
    assert "W0401" not in codes(audited(profile.format("made-by-an-operator")))


BUILT = """
KERN_OPTS="quiet numa_balancing=0"
KERN_OPTS="$KERN_OPTS transparent_hugepage=off \\
  skew_tick=yes"
grubby --update-kernel=ALL --args="$KERN_OPTS"
sed -i 's/^GRUB_CMDLINE_LINUX_DEFAULT="/&amd_iommu=on /' /etc/default/grub
sed -i "/^GRUB_CMDLINE_LINUX=/ s/\\"$/ intel_iommu=pt\\"/" /etc/default/grub
"""


def test_boot_lines_that_a_script_builds() -> None:
    refused = ["numa_balancing", "transparent_hugepage", "skew_tick", "amd_iommu", "intel_iommu"]
    assert [text.split("`")[1] for text in messages(audited(BUILT), "E0907")] == refused


def test_the_last_word_about_a_level_counts() -> None:
    assert codes(audited("loglevel=7 quiet")) == ["W0908"]
    assert codes(audited("quiet loglevel=7")) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vm.dirty_background_ratio = 10\nvm.dirty_ratio = 10\n", ["W0916"]),  # the kernel begins at 5
        ("vm.dirty_background_ratio = 5\nvm.dirty_ratio = 10\n", []),
        ("vm.dirty_background_bytes = 8192\nvm.dirty_bytes = 0\n", []),  # 0 is no limit
        ("net.ipv4.neigh.default.gc_thresh2 = 6144\nnet.ipv4.neigh.default.gc_thresh3 = 4096\n", ["W0916"]),
    ],
)
def test_numbers_within_their_limits(text: str, expected: list[str]) -> None:
    assert [code for code in codes(audited(text)) if code == "W0916"] == expected


def test_a_value_of_a_branch_is_a_value() -> None:
    assert values(audited("if true; then\nsysctl -w vm.swappiness=10\nfi\n")) == {"swappiness": "10"}


def test_branches_of_a_script_without_its_first_line() -> None:
    """One that writes a file is a script, whatever else it may look like, and has one of its branches at a time."""
    script = """\
cat <<EOF > /etc/modprobe.d/disks.conf
options nvme_core io_timeout=60
EOF
if [[ $cpu == *"GenuineIntel"* ]]; then
    sed -i 's/quiet/quiet intel_iommu=on/g' /etc/default/grub
elif [[ $cpu == *"AuthenticAMD"* ]]; then
    sed -i 's/quiet/quiet iommu=pt/g' /etc/default/grub
fi
"""
    assert codes(audited(script)) == []

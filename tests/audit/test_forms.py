"""What files of each form have in them, whatever they look like, and which form a text is taken for."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit import audited, messages, values
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.entries.blocks import fenced
from setpoint.compiler.entries.read import ARGUMENTS, BIOS, FORMS, GUIDE, SCRIPT, SYSCTL, TUNED, form_of
from setpoint.compiler.entries.read import audited as read
from support.effort import examples


def knows(interface: str, name: str) -> bool:
    return (interface, name) in {("sysctl", "vm.swappiness"), ("argument", "nosmt"), ("argument", "isolcpus")}


def heard(names: Iterable[str]) -> frozenset[str]:
    return frozenset(names)


@pytest.mark.parametrize(
    ("text", "form", "written"),
    [
        ("BOOT_IMAGE=/vmlinuz root=/dev/sda ro quiet\n", ARGUMENTS, ["BOOT_IMAGE=/vmlinuz", "root=/dev/sda", "ro", "quiet"]),
        ('GRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX="nosmt x=1"\n# GRUB_CMDLINE_LINUX="y"\n', ARGUMENTS, ["nosmt", "x=1"]),
        ("GRUB_CMDLINE_LINUX_DEFAULT='quiet' # said\n", ARGUMENTS, ["quiet"]),
        ("title Linux\nlinux /vmlinuz\noptions root=/dev/sda nosmt\n", ARGUMENTS, ["root=/dev/sda", "nosmt"]),
        ('dyndbg="file a.c +p" nosmt', ARGUMENTS, ['dyndbg="file a.c +p"', "nosmt"]),
        ("nosmt -- single", ARGUMENTS, ["nosmt"]),
        ("isolcpus=2-15\nnosmt\nhugepagesz=1G\n", ARGUMENTS, ["isolcpus=2-15", "nosmt", "hugepagesz=1G"]),
        ("intel_idle.max_cstate=0", ARGUMENTS, ["intel_idle.max_cstate=0"]),
        ("vm.swappiness=10", SYSCTL, ["vm.swappiness = 10"]),
        ("# said\nvm/dirty_ratio = 10\n; said\n-net.ipv4.tcp_rmem=4096\t87380  1\n", SYSCTL, ["vm/dirty_ratio = 10", "net.ipv4.tcp_rmem = 4096 87380 1"]),
        ("[main]\nsummary=S\n[mine]\ntype=vm\ntransparent_hugepages=never\n", TUNED, ["summary=S", "transparent_hugepages=never"]),
        ("[bootloader]\ncmdline_lab=+skew_tick=1 nosmt\n", TUNED, ["skew_tick=1", "nosmt"]),
        ("[sysctl]\nvm.swappiness=>10\n[sysfs]\n/sys/kernel/mm/ksm/run=1\n", TUNED, ["vm.swappiness =>10", "/sys/kernel/mm/ksm/run=1"]),
        ("[bootloader]\ncmdline=-nosmt\npriority=5\n[vm]\nenabled=no\ntransparent_hugepages=never\n[cpu]\ngovernor=x\n", TUNED, ["governor=x"]),
        ('{"Attributes": {"ProcCStates": "Disabled", "Slots": 4, "Nested": {}}, "Id": "BIOS"}', BIOS, ["ProcCStates = Disabled", "Slots = 4"]),
        ('{"ProcCStates": "Disabled", "@odata.id": "/x"}', BIOS, ["ProcCStates = Disabled"]),
        ("- C States: Disabled\n* Turbo Mode = Enabled\n", BIOS, ["C States = Disabled", "Turbo Mode = Enabled"]),
        ("settingsFlow:\n- name: pxe\n  priority: 15\n  settings:\n    PxeDev1EnDis: Enabled # by name\n    # ProcC1E: Off\n- name: rest\n  settings:\n    MemOpMode: X\n", BIOS, ["PxeDev1EnDis = Enabled", "MemOpMode = X"]),
        ("Settings:\nTurbo: On\nC States: Off\n", BIOS, ["Settings = ", "Turbo = On", "C States = Off"]),
        ("| Option | Value | Why |\n|---|---|---|\n| Turbo Mode | On | fast |\n", BIOS, ["Turbo Mode = On"]),
        # the heads of a table say what its columns have
        ("| Menu | Option | Default | Our Value |\n|-|-|-|-|\n| CPU | Turbo Mode | Off | On |\n", BIOS, ["Turbo Mode = On"]),
        ("| Setting | Default | Recommended |\n|-|-|-|\n| Turbo Mode | Off | On |\n", BIOS, ["Turbo Mode = On"]),
        ("- **Turbo Mode:** **On**\n- **C States**: Off\n", BIOS, ["Turbo Mode = On", "C States = Off"]),
        ("# 设置\n\n* Turbo Mode：On\n", BIOS, ["Turbo Mode = On"]),
        ("# Boot\n```bash\nisolcpus=2-7 nosmt # two nodes\nsaid=here\n```\nText\n", GUIDE, ["isolcpus=2-7", "nosmt"]),
        ("  ```\n  # vm\n  vm.swappiness = 1  # little\n  options kvm halt_poll_ns=0\n  ```\n", GUIDE, ["vm.swappiness = 1", "halt_poll_ns=0"]),
        ('set -x\necho "\nvm.swappiness = 1\n" | tee -a /etc/sysctl.conf\nsysctl -p\necho "\nlp soft nproc 20\n"\n', SCRIPT, ["vm.swappiness = 1"]),
        ("~~~\n[vm]\ntransparent_hugepages=never\n~~~\n", GUIDE, ["transparent_hugepages=never"]),
        # an item begins with a recommendation; what a sentence names is only read if nobody knows it
        ("~~~\n~~~\n- `vm.swappiness=1`: little\n1. `nosmt=force` and `isolcpus=1`\nNever `vm.swappiness=9`, but `vm.swapines=1`.\n", GUIDE, ["vm.swappiness = 1", "nosmt=force", "vm.swapines = 1"]),
        ("~~~\n~~~\n| Name | Recommended | Why |\n|---|---|---|\n| `vm.swappiness` | `1` | x |\n\n| Name | Default |\n| `vm.dirty_ratio` | 20 | x |\n", GUIDE, ["vm.swappiness = 1"]),
    ],
)  # fmt: skip
def test_a_text_is_read_in_its_form(text: str, form: str, written: list[str]) -> None:
    assert form_of(text, knows) == form
    assert [entry.written for entry in read(SourceText("f", text), "", knows, heard).entries] == written


def test_each_entry_has_its_place() -> None:
    text = 'X=1\nGRUB_CMDLINE_LINUX="quiet nosmt"\n'
    entry = read(SourceText("grub", text), "", knows, heard).entries[1]
    line = text.split("\n")[entry.span.line - 1]
    assert line[entry.span.column - 1 : entry.span.end_column - 1] == "nosmt"
    entry = read(SourceText("b", '{\n  "A": "1",\n  "ProcC1E": "Off"\n}'), "", knows, heard).entries[1]
    assert (entry.span.line, entry.span.column, entry.span.end_column) == (3, 3, 12)


@pytest.mark.parametrize(
    "text", ["", "\n", "# said\n", "{}", '{"Attributes": []}', "{broken", "[main]\n", "|---|\n"]
)
def test_a_text_without_settings_is_refused(text: str) -> None:
    with pytest.raises(SetpointError) as caught:
        read(SourceText("f", text), "", knows, heard)
    assert [d.code for d in caught.value.diagnostics] == ["E0901"]


def test_a_text_with_too_many_is_refused() -> None:
    with pytest.raises(SetpointError) as caught:
        read(SourceText("f", "x " * 5_001), "", knows, heard)
    assert [d.message for d in caught.value.diagnostics] == ["`f` has more than 5000 settings"]


@settings(max_examples=examples(400), deadline=None)
@given(
    st.text(st.sampled_from("[]{}|=:\"'#;$-/.*x1 \t\n\r\u2028é"), max_size=60),
    st.sampled_from(("", *FORMS)),
)
def test_any_text_has_entries_within_it_or_is_refused(text: str, form: str) -> None:
    lines = lines_of(text)
    try:
        entries = read(SourceText("f", text), form, knows, heard).entries
    except SetpointError as error:
        assert {d.code for d in error.diagnostics} <= {"E0901", "E0908"}
        return
    for entry in entries:
        assert entry.name
        assert entry.span.end_column <= len(lines[entry.span.line - 1]) + 1


# ------------------------------------------------------------------------------------ what they mean


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nosmt=force", {"kernel-smt": "forced-off"}),
        ("intel-iommu=on", {"intel-iommu": "on"}),  # the kernel takes - and _ for the same
        ("isolcpus=4-7,2,3", {"isolated-cpus": "2-7"}),
        ("isolcpus=nohz,domain,managed_irq,2-7", {"isolated-cpus": "2-7"}),
        ("isolcpus=managed_irq,nohz,domain,2-7", {"isolated-cpus": "2-7"}),
        ("isolcpus=managed_irq,2-7", {"managed-interrupt-cpus": "2-7"}),
        ("isolcpus=nohz,2-7", {}),
        ("isolcpus=nohz,managed_irq,2-7", {}),
        ("nowatchdog", {"soft-lockup-detector": "off", "nmi-watchdog": "off"}),
        ("hugepages=64", {"huge-pages-at-boot": "64"}),
        ("hugepagesz=1G hugepages=64", {}),
        ("net.core.busy_read = 50\nnet.core.busy_poll = 50", {"busy-poll": "50us"}),
        ("net.ipv4.tcp_rmem = 4096\t131072  16777216", {"tcp-receive-buffer-maximum": "16777216"}),
        ('[sysctl]\nnet.ipv4.tcp_wmem="4096 16384 16777216"', {"tcp-send-buffer-maximum": "16777216"}),
        ("net.ipv4.tcp_rmem = 4096 131072", {}),
        ("kernel.sched_rt_runtime_us = -1", {"real-time-runtime": "unlimited"}),
        ("[cpu]\ngovernor=ondemand\nforce_latency=cstate.id_no_zero:1|3", {"governor": "ondemand", "force-latency": "c1"}),
        ("[disk]\nreadahead=512", {"readahead": "512"}),
        ("[net]\ncoalesce=adaptive-rx off rx-usecs 0, rx-frames: 4", {"adaptive-rx-coalescing": "off", "rx-interrupt-delay": "0us"}),
        ("[cards]\ntype=net\nring=rx 4096 tx 1024\nchannels=combined 4", {"rx-ring-size": "4096", "tx-ring-size": "1024", "network-queues": "4"}),
        ("[service]\nservice.fwupd-refresh.timer=stop,disable", {"firmware-refresh-timer": "off"}),
        ("[net]\nring=rx 4096 tx", {}),
        ("[net]\nchannels=combined ${queues}", {}),
        ("[net]\ndevices=eth1\nring=rx 4096", {}),
        ("[vm]\nuname_regex=aarch64\ntransparent_hugepages=never", {}),
        ("[main]\ninclude=throughput-performance\n[sysctl]\nvm.dirty_ratio=0\nvm.dirty_bytes=1000000", {"dirty-ratio": None, "dirty-bytes": "1000000"}),
        ("[disk]\nreadahead=>4096", {"readahead": "4096"}),
        ("[main]\ninclude=latency-performance\n[sysctl]\nvm.swappiness=1", {"swappiness": "1", "governor": "performance"}),
        ('{"ProcCStates": "Disabled", "SysProfile": "PerfOptimized"}', {"c-states": "off", "system-profile": "performance"}),
        ("Logical Processor: Disabled\nHT: Enabled", {"smt": "off"}),
    ],
)  # fmt: skip
def test_entries_are_read_as_settings(text: str, expected: dict[str, str | None]) -> None:
    read_values = values(audited(text))
    assert {name: read_values.get(name) for name in expected} == expected
    if not expected:
        assert read_values == {}


def test_an_own_option_overrides_what_the_profile_includes() -> None:
    found = audited("[main]\ninclude=latency-performance\n[sysctl]\nvm.swappiness=1")
    assert messages(found, "E0906") == []


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("net.core.somaxconn = 1024\n" * 9 + "wappiness=1\n", BIOS),  # no name is known
        ("vm.swappiness = 1\n" * 9 + "wappiness=1\n", SYSCTL),  # one of ten is damaged
        ("vm.swappiness = 1\n" * 8 + "wappiness=1\n", SCRIPT),  # one of nine: too many
        ("vm.swappiness = 1\n" * 9 + "sysctl -p\n", SCRIPT),  # no assignment: a part of a script
    ],
)
def test_a_file_of_sysctls_may_have_a_damaged_name(text: str, form: str) -> None:
    assert form_of(text, knows) == form


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            '- Set "LogicalProc = Enabled" in BIOS\n- Set "ProcC1E = Disabled" in BIOS\n',
            ["LogicalProc", "ProcC1E"],
        ),
        ('"LogicalProc": "Enabled"\n"ProcC1E": "Disabled"\n', ["LogicalProc", "ProcC1E"]),
        ('LogicalProc = "a: b"\nProcC1E = 1\n', ["LogicalProc", "ProcC1E"]),
    ],
)
def test_a_setting_may_be_in_quotes(text: str, names: list[str]) -> None:
    entries = read(SourceText("f", text), "", knows, heard).entries
    assert [entry.name for entry in entries] == names


@pytest.mark.parametrize(
    ("line", "words"),
    [
        # a template with quotes of its own
        (
            'GRUB_CMDLINE_LINUX="crashkernel={{ (os == "Fedora")|ternary("128M", "auto") }} quiet"',
            ['crashkernel={{ (os == "Fedora")|ternary("128M", "auto") }}', "quiet"],
        ),
        # what tuned adds: the variable itself, and one that the boot loader fills in
        (
            'GRUB_CMDLINE_LINUX_DEFAULT="${GRUB_CMDLINE_LINUX_DEFAULT:+$GRUB_CMDLINE_LINUX_DEFAULT }\\$tuned_params quiet"',
            ["quiet"],
        ),
    ],
)
def test_words_of_a_boot_loader(line: str, words: list[str]) -> None:
    entries = read(SourceText("grub", line + "\n"), "", knows, heard).entries
    assert [entry.written for entry in entries] == words


def test_a_text_for_a_command_in_quotes_ends_before_the_quote() -> None:
    """What is behind the profile is no part of it."""
    text = "#!/bin/sh\nsudo bash -c 'cat <<EOF > /etc/tuned/web/tuned.conf\n[main]\nsummary=web\nEOF'\ntuned-adm profile web\n"
    assert "tuned-adm" not in read(SourceText("f", text), "", knows, heard).profiles[0].text


def test_a_fence_that_names_a_language_ends_no_block() -> None:
    lines = ["```shell", "make", "```shell", "```", "```", "isolcpus=1-3", "```"]
    assert [block.lines for block in fenced(lines)] == [("make", "```shell"), ("isolcpus=1-3",)]


def test_a_prompt_in_brackets_begins_no_json() -> None:
    text = "[root@web1 ~]# cat << EOF >> /etc/sysctl.conf\nvm.swappiness = 10\nEOF\n"
    file = read(SourceText("f", text), "", knows, heard)
    assert (file.form, [entry.name for entry in file.entries]) == ("script", ["vm.swappiness"])

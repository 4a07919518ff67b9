"""Registers and messages: which bits show a setting, and which number stands for which value.

Typed from the sources, not from the library:

* the kernel's arch/x86/include/asm/msr-index.h at 002bba5, whose names for bits are in the third column. A bit named
  `…_DISABLE` is 1 for off. Bit 10 of APICBASE is X2APIC_ENABLE of apicdef.h; bit 19 of POWER_CTL is set by intel_pstate
  to disable energy efficiency;
* Intel's PerfSpect at c399daa: PrefetcherDefinitions (a prefetcher is on if its bit is 0), the scripts that read
  registers with rdmsr -f HIGH:LOW, and the ranges of epbValToLabel;
* Intel's pepc at 5be6011: the codes of package C-states in PCStateConfigCtl.py, and c1e_autopromote in PowerCtl.py;
* LIKWID at d9c523b: sysFeatures_amd.c, whose getters read a bit inverted, and sysFeatures_amd_pstate.c;
* fwupd at 6e95049: the bit fields of FuMsrIa32TmeActivation and FuMsrAMD64Syscfg, counted from bit 0;
* AMD's header amd_hsmp.h at d494a31: numbers of messages, and the bits of `output: args[0]`.
"""

import pytest

from conformance.printed import rows
from setpoint.compiler.knowledge.model import Knowledge, Observation

BITS = """
virtualization               | msr 0x3a       | FEAT_CTL_VMX_ENABLED_OUTSIDE_SMX           | 2     | 1 on; 0 off
trusted-execution            | msr 0x3a       | FEAT_CTL_VMX_ENABLED_INSIDE_SMX            | 1     | 1 on; 0 off
sgx-key-writes               | msr 0x3a       | FEAT_CTL_SGX_LC_ENABLED                    | 17    | 1 on; 0 off
sgx                          | msr 0x3a       | FEAT_CTL_SGX_ENABLED                       | 18    | 1 on; 0 off
speedstep                    | msr 0x1a0      | MISC_ENABLE_ENHANCED_SPEEDSTEP             | 16    | 1 on; 0 off
monitor-mwait                | msr 0x1a0      | MISC_ENABLE_MWAIT                          | 18    | 1 on; 0 off
turbo                        | msr 0x1a0      | MISC_ENABLE_TURBO_DISABLE                  | 38    | 0 on; 1 off
tsx                          | msr 0x122      | TSX_CTRL_RTM_DISABLE                       | 0     | 0 on; 1 off
x2apic                       | msr 0x1b       | X2APIC_ENABLE                              | 10    | 1 on; 0 off
energy-efficient-turbo       | msr 0x1fc      | POWER_CTL_BIT_EE                           | 19    | 0 on; 1 off
energy-performance-bias-owner| msr 0x1fc      | rdmsr -f 34:34 0x1FC                       | 34    | 1 platform; 0 os
c1e                          | msr 0x1fc      | c1e_autopromote                            | 1     | 1 on; 0 off
epp-profile                  | msr 0x774      | HWP_ENERGY_PERF_PREFERENCE                 | 24-31 | 0 performance; 128 balanced-performance; 192 balanced-power; 255 power
epp-profile                  | msr 0x772      | rdmsr -f 31:24 0x772                       | 24-31 | 0 performance; 128 balanced-performance; 192 balanced-power; 255 power
energy-performance-bias      | msr 0x1b0      | rdmsr -f 3:0 0x1B0                         | 0-3   | 0 performance; 1 performance; 2 performance; 3 performance; 4 balanced-performance; 5 balanced-performance; 6 balanced-performance; 7 balanced-performance; 8 balanced-energy; 9 balanced-energy; 10 balanced-energy; 11 balanced-energy; 12 energy-efficient; 13 energy-efficient; 14 energy-efficient; 15 energy-efficient
energy-performance-bias      | msr 0xa01      | rdmsr -f 6:3 0xA01                         | 3-6   | 0 performance; 1 performance; 2 performance; 3 performance; 4 balanced-performance; 5 balanced-performance; 6 balanced-performance; 7 balanced-performance; 8 balanced-energy; 9 balanced-energy; 10 balanced-energy; 11 balanced-energy; 12 energy-efficient; 13 energy-efficient; 14 energy-efficient; 15 energy-efficient
hardware-prefetcher          | msr 0x1a4      | L2 HW                                      | 0     | 0 on; 1 off
adjacent-cache-line-prefetch | msr 0x1a4      | L2 Adj                                     | 1     | 0 on; 1 off
dcu-streamer-prefetcher      | msr 0x1a4      | DCU HW                                     | 2     | 0 on; 1 off
dcu-ip-prefetcher            | msr 0x1a4      | DCU IP                                     | 3     | 0 on; 1 off
hardware-prefetcher          | msr 0x1a0      | MISC_ENABLE_PREFETCH_DISABLE               | 9     | 0 on; 1 off
adjacent-cache-line-prefetch | msr 0x1a0      | MISC_ENABLE_ADJ_PREF_DISABLE               | 19    | 0 on; 1 off
dcu-streamer-prefetcher      | msr 0x1a0      | MISC_ENABLE_DCU_PREF_DISABLE               | 37    | 0 on; 1 off
dcu-ip-prefetcher            | msr 0x1a0      | MISC_ENABLE_IP_PREF_DISABLE                | 39    | 0 on; 1 off
llc-prefetch                 | msr 0x6d       | LLC                                        | 42    | 0 on; 1 off
llc-prefetch                 | msr 0x1320     | LLC Stream                                 | 43    | 0 on; 1 off
c1-auto-demotion             | msr 0xe2       | rdmsr -f 26:26 0xe2                        | 26    | 1 on; 0 off
total-memory-encryption      | msr 0x982      | enable                                     | 1     | 1 on; 0 off
memory-encryption-bypass     | msr 0x982      | bypass_enable                              | 31    | 1 on; 0 off
multi-key-memory-encryption  | msr 0x982      | mk_tme_keyid_bits                          | 32-35 | 0 off; 1 on; 2 on; 3 on; 4 on; 5 on; 6 on; 7 on; 8 on; 9 on; 10 on; 11 on; 12 on; 13 on; 14 on; 15 on
secure-memory-encryption     | msr 0xc0010010 | AMD64_SYSCFG_MEM_ENCRYPT                   | 23    | 1 on; 0 off
turbo                        | msr 0xc0010015 | turbo_mode                                 | 25    | 0 on; 1 off
p-state-1                    | msr 0xc0010065 | MSR_AMD_PSTATE_DEFx(1)                     | 63    | 1 on; 0 off
p-state-2                    | msr 0xc0010066 | MSR_AMD_PSTATE_DEFx(2)                     | 63    | 1 on; 0 off
l1-stream-prefetcher         | msr 0xc0000108 | amd_cpu_l1_stream                          | 0     | 0 on; 1 off
l1-stride-prefetcher         | msr 0xc0000108 | amd_cpu_l1_stride                          | 1     | 0 on; 1 off
l1-region-prefetcher         | msr 0xc0000108 | amd_cpu_l1_region                          | 2     | 0 on; 1 off
l2-stream-prefetcher         | msr 0xc0000108 | amd_cpu_l2_stream                          | 3     | 0 on; 1 off
l2-up-down-prefetcher        | msr 0xc0000108 | amd_cpu_up_down                            | 5     | 0 on; 1 off
fabric-power-management      | hsmp 0xd       | APB Enabled/Disabled[8]                    | 8     | 0 on; 1 off
fabric-p-state               | hsmp 0xd       | current df pstate[7:0]                     | 0-7   | 0 p0; 1 p1; 2 p2; 3 p3
data-fabric-c-states         | hsmp 0x28      | Enable/Disable DF C-state                  | 0     | 1 on; 0 off
c-states                     | hsmp 0x2a      | current CC6 control status[0]              | 0     | 1 on; 0 off
amd-power-profile            | hsmp 0x21      | current power efficiency mode[2:0]         | 0-2   | 0 high-performance; 1 efficiency; 2 maximum-io
memory-refresh-rate          | hsmp 0x16      | refresh rate[3]                            | 3     | 0 1x; 1 2x
"""

LIMITS = """
ivy-bridge      | 0 c0-c1; 1 c2; 2 c6-non-retention; 3 c6-retention; 7 unlimited
haswell         | 0 c0-c1; 1 c2; 7 unlimited
broadwell       | 0 c0-c1; 1 c2; 7 unlimited
skylake         | 0 c0-c1; 1 c2; 2 c6-non-retention; 3 c6-retention; 7 unlimited
cascade-lake    | 0 c0-c1; 1 c2; 2 c6-non-retention; 3 c6-retention; 7 unlimited
ice-lake        | 0 c0-c1; 1 c2; 2 c6-non-retention; 7 unlimited
sapphire-rapids | 0 c0-c1; 1 c2; 2 c6-non-retention; 3 c6-retention; 7 unlimited
emerald-rapids  | 0 c0-c1; 1 c2; 2 c6-non-retention; 3 c6-retention; 7 unlimited
granite-rapids  | 0 c0-c1; 1 c2; 7 unlimited
sierra-forest   | 0 c0-c1; 1 c2; 7 unlimited
"""
"""The limits of package C-states in bits 0 to 2 of 0xe2. On Haswell and Broadwell 2 is PC3, which no setting has, and 3
PC6."""


def _values(text: str) -> set[tuple[str, str]]:
    return {(number, value) for number, value in (each.split(" ") for each in text.split("; "))}


def _bits(observation: Observation) -> str:
    assert observation.bits is not None
    low, high = observation.bits
    return str(low) if low == high else f"{low}-{high}"


@pytest.mark.parametrize("row", rows(BITS), ids=lambda row: f"{row[0]} {row[1]}")
def test_the_bits_of_a_setting(row: tuple[str, ...], knowledge: Knowledge) -> None:
    setting, place, _, bits, values = row
    there = [each for each in knowledge.observations[setting] if each.place == place]
    assert {_bits(each) for each in there} == {bits}
    assert {text for each in there for text in each.texts} == _values(values)


@pytest.mark.parametrize("row", rows(LIMITS), ids=lambda row: row[0])
def test_the_package_limits_of_a_generation(row: tuple[str, ...], knowledge: Knowledge) -> None:
    cpu, values = row
    bit = knowledge.variables["cpu"].bit(cpu)
    (found,) = (
        each for each in knowledge.observations["package-c-state-limit"] if dict(each.when)["cpu"] & bit
    )
    assert (found.place, found.bits) == ("msr 0xe2", (0, 2))
    assert set(found.texts) == _values(values)


def test_no_register_is_without_its_line(knowledge: Knowledge) -> None:
    read = {
        (each.setting, each.place)
        for several in knowledge.observations.values()
        for each in several
        if each.bits is not None
    }
    listed = {(row[0], row[1]) for row in rows(BITS)} | {("package-c-state-limit", "msr 0xe2")}
    assert read == listed


@pytest.mark.parametrize(
    ("setting", "place", "guards"),
    [
        # Locked by firmware, else the kernel decides.
        ("virtualization", "msr 0x3a", {("msr 0x3a", (0, 0), "1", True)}),
        # The owner of the bias: 1 is firmware, whose own register then counts.
        ("energy-performance-bias", "msr 0xa01", {("msr 0x1fc", (34, 34), "1", True)}),
        ("energy-performance-bias", "msr 0x1b0", {("msr 0x1fc", (34, 34), "0", True)}),
        # Package control without the bit that says that a CPU's own preference is valid.
        (
            "epp-profile",
            "msr 0x772",
            {("msr 0x774", (42, 42), "1", True), ("msr 0x774", (60, 60), "0", True)},
        ),
        # Demotion is on only with undemotion.
        ("fabric-p-state", "hsmp 0xd", {("hsmp 0xd", (8, 8), "1", True)}),
    ],
)
def test_what_else_must_be_read(
    setting: str, place: str, guards: set[tuple[object, ...]], knowledge: Knowledge
) -> None:
    (found,) = (each for each in knowledge.observations[setting] if each.place == place)
    assert {(g.place, g.bits, g.text, g.is_same) for g in found.guards} == guards


def test_c1e_promotion_says_nothing_under_intel_idle_which_clears_it(knowledge: Knowledge) -> None:
    (found,) = knowledge.observations["c1e"]
    (guard,) = found.guards
    assert guard.holds("acpi_idle\n")
    assert not guard.holds("intel_idle\n")

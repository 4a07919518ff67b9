"""Small inputs as people publish them, and what is right to say of each. The facts are typed in; origin and kind are
beside each."""

from __future__ import annotations

import pytest

from audit import audited, codes, messages, values

HPE_MAP = "EnergyEfficientTurbo = Disabled\nDynamicPowerCapping = Disabled\nIntelUpiPowerManagement = Disabled\nIntelProcVtd = Enabled\nWorkloadProfile = MaximumPerformance\n"
"""A map of attributes for HPE (spyroot/idrac_ctl): the profile is a guess."""


@pytest.mark.parametrize("platform", ["dl380a-gen11", "dl360-gen10"])
def test_a_profile_that_hpe_does_not_have_is_an_error(platform: str) -> None:
    found = audited(HPE_MAP, server=f"platform {platform}; os rhel 9")
    (finding,) = (f for f in found.findings if f.code == "E0907")
    assert finding.message.startswith("`WorkloadProfile` does not take `MaximumPerformance`")
    assert finding.help[0] == "did you mean `WorkloadProfile=Virtualization-MaxPerformance`?"
    assert "LowLatency" in finding.help[1]


def test_all_lines_of_a_script_for_racadm_are_read() -> None:
    """As a user of a C6420 has it: the tool in a variable, one line commented out (tin6150/psg)."""
    lines = ["ProcSettings.LogicalProc      Disabled", "MemSettings.MemOpMode         OptimizerMode", "MemSettings.NodeInterleave    Disabled", "ProcSettings.SubNumaCluster   Enabled", "SysProfileSettings.SysProfile Custom", "ProcSettings.ControlledTurbo  Enabled", "SysProfileSettings.ProcTurboMode  Enabled", "SysProfileSettings.ProcCStates Autonomous", "SysProfileSettings.ProcC1E Enabled"]  # fmt: skip
    text = "#!/bin/sh\nTOOL='racadm'\n#$TOOL set BIOS.SysProfileSettings.SysProfile PerfOptimized\n"
    found = audited(
        text + "".join(f"$TOOL set BIOS.{line}\n" for line in lines), server="platform c6420; os rhel 7"
    )
    assert [entry.name for entry in found.files[0].entries] == [
        line.split()[0].split(".")[1] for line in lines
    ]
    assert len(values(found)) == 8  # C-states have no `Autonomous` there, and that is said
    assert len(messages(found, "W0903")) == 1


def test_an_arm_server_without_cpuidle() -> None:
    """A test bed with Grace processors (FDio/csit): no word of a driver of another maker."""
    line = "audit=0 default_hugepagesz=2M hugepagesz=1G hugepages=32 hugepagesz=2M hugepages=32768 iommu.passthrough=1 isolcpus=1-71 nmi_watchdog=0 nohz_full=1-71 nosoftlockup processor.max_cstate=1 rcu_nocbs=1-71 cpufreq.off=1 cpuidle.off=1"
    found = audited(line, server="os ubuntu 24.04")
    assert not any("intel_idle" in finding.message for finding in found.findings)
    assert any(
        "`processor.max_cstate=1` has no effect beside `cpuidle.off=1`" in m for m in messages(found, "W0908")
    )


def test_hyper_threading_by_an_argument_that_is_none() -> None:
    """Of a note on benchmarks (scala/scala-dev)."""
    found = audited("noht quiet", server="os ubuntu 22.04")
    assert codes(found) == ["W0904"]
    assert "`nosmt`" in found.findings[0].help[0]
    assert "nohlt" not in str(found.findings)


@pytest.mark.parametrize("system", ["rhel 8", "rhel 7"])
def test_arguments_that_enterprise_linux_has_by_backports(system: str) -> None:
    """The line of many guides to network functions."""
    line = "isolcpus=2-19 nohz_full=2-19 intel_pstate=disable mce=ignore_ce mitigations=off tsc=reliable iommu=pt intel_iommu=on"
    found = audited(line, server=f"os {system}; cpu skylake")
    assert messages(found, "W0904") == []
    assert len(values(found)) >= 7


def test_sysctls_for_connections() -> None:
    """As web servers are told to have them."""
    text = "net.ipv4.tcp_mem = 94500000 915000000 927000000\nnet.ipv4.tcp_tw_reuse = 1\nnet.ipv4.tcp_timestamps = 0\nnet.ipv4.tcp_tw_recycle = 1\nnet.core.somaxconn = 262144\n"
    found = audited(text, server="os rhel 9")
    assert sorted(codes(found)) == ["W0904", "W0908", "W0911", "W0911"]
    assert "3.5 TiB" in messages(found, "W0911")[0]

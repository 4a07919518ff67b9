"""Parameters of modules: which the modules of a kernel have, and what files for modprobe say to nobody."""

from __future__ import annotations

import pytest

from audit import audited, codes, messages

CASES = """
options i40e debug=0                        |
options i40e int_mode=0                     | W0921 no parameter `int_mode` in Linux 5.10 to 7.3
options i40e allow_unsupported_sfp=1        | W0921 no parameter `allow_unsupported_sfp`
options ixgbe allow_unsupported_sfp=1       |
options mlx5_core probe_vf=0                | W0921 no parameter `probe_vf`
options mlx4_core probe_vf=0                |
options nvme_core apst_enabled=1            | W0921 no parameter `apst_enabled`
options nvme-core io_timeout=30             |
options kvm-amd eptad=1                     | W0921 no parameter `eptad`
options i915 dyndbg=+p                      |
options a_driver_of_a_maker some=1          |
i915.enable_rc6=7                           | W0921 no parameter `enable_rc6`
i915.enable_guc=3                           |
options zswap compressor=lz4                | W0922 `zswap` is built into every kernel
options pcie_aspm policy=powersave          | W0922 `pcie_aspm` is built into every kernel
options intel_pstate hwp_dynamic_boost=1    | W0922 `intel_pstate` is built into every kernel
options zfs zfs_vdev_scheduler=mq-deadline  | W0904 OpenZFS takes it and does nothing
options amdgpu ppfeaturemask=0xffffffff     | W0911 the bit of overclocking
options amdgpu ppfeaturemask=0xfff7bfff     |
zswap.compressor=lz4                        |
options zfs zfs_arc_max=34359738368 # 32G   | W0922 `# 32G` is taken for parameters of `zfs`
options nvme use_cmb_sqes=maybe             | E0907 the kernel refuses it, and does not load the module
nvme.use_cmb_sqes                           |
zram                                        | W0918 no version
options kvm halt_poll_ns=-1                 | E0907 the kernel refuses it
options usbcore autosuspend=-1              |
options ixgbe max_vfs=8,8                   | E0907 the kernel refuses it
options e1000e InterruptThrottleRate=3000,1 |
options e1000e InterruptThrottleRate=1,off  | E0907 the kernel refuses it
options bonding mode=802.3ad miimon=100     |
options megaraid_sas msix_vector=1          | W0921 no parameter `msix_vector`
options snd_hda_intel power_save=1          |
workqueue.power_efficient                   |
workqueue.power_efficient=maybe             | E0907 keeps its default
rcutree.some=1                              |
processor.max_cstate=99                     |
intel.max_cstate=0                          | W0921 no module is called `intel`
options nvidia NVreg_EnableGpuSuspend=1     | W0921 in NVIDIA's driver up to 595
options nvidia NVreg_EnableMSI=on           | E0907 the kernel refuses it
options nvidia-drm modeset=1 fbdev=1        |
options zfs zfs_arc_most=8                  | W0921 in OpenZFS
modprobe.blacklist=nouveau,nvidia_fb        | E0902 `nvidia_fb` is misspelt
module_blacklist=noveau                     | E0902 `noveau` is misspelt
rd.driver.blacklist=nouveau,vesafb          |
modprobe.blacklist=a_driver_of_a_maker,r8168 |
modules_load=vfio,vfio-pci                  |
"""
"""A line, and what is said of it: the code, and words of the message."""


@pytest.mark.parametrize("case", [line for line in CASES.split("\n") if line])
def test_what_is_said_of_a_parameter(case: str) -> None:
    text, _, said = (part.strip() for part in case.partition("|"))
    code, _, words = said.partition(" ")
    found = audited(text)
    assert codes(found) == [code] * bool(code)
    assert all(words in finding.message for finding in found.findings)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("options mlx5_core prof_sell=2", "prof_sel"),
        ("processor_idle.max_cstate=1", "processor.max_cstate"),
        ("options nvidia NVreg_PreserveVideoMemoryAllocation=1", "NVreg_PreserveVideoMemoryAllocations"),
    ],
)
def test_the_name_that_is_meant(text: str, name: str) -> None:
    assert [finding.help for finding in audited(text).findings] == [(f"did you mean `{name}`?",)]


def test_what_is_never_read_repeats_nothing() -> None:
    assert codes(audited("zswap.enabled=1", "options zswap enabled=1")) == ["W0922"]


@pytest.mark.parametrize(
    ("system", "code"),
    [
        ("debian 12", ""),  # Linux 6.1 has it
        ("debian 13", "W0904"),  # Linux 6.12 does not
        ("modern-linux", "W0920"),
    ],
)
def test_a_parameter_that_a_module_has_lost(system: str, code: str) -> None:
    assert codes(audited("i915.fastboot=1", server=f"cpu skylake; os {system}")) == [code] * bool(code)


LISTS_OF_NIXOS = """{
  boot.kernelModules = [ "kvm-intel" "vfio_virqfd" ];
  boot.initrd.kernelModules = [
    "dm_mod"
    "vfio_virqfd"
  ];
  boot.blacklistedKernelModules = [ "noveau" ];
  boot.kernelParams = [ "iommu=on" ];
}
"""
SCRIPT_WITH_MODULES = """#!/bin/sh
echo "vfio_virqfd" >> /etc/modules
cat > /etc/modules-load.d/vfio.conf <<EOF
vfio_pcii
EOF
echo vfio_virqfd
"""


@pytest.mark.parametrize(
    ("text", "system", "found"),
    [
        (LISTS_OF_NIXOS, "modern-linux", [(2, "W0920"), (5, "W0920"), (7, "E0902"), (8, "E0907")]),
        (LISTS_OF_NIXOS, "debian 12", [(7, "E0902"), (8, "E0907")]),  # Linux 6.1 has the module
        (SCRIPT_WITH_MODULES, "debian 13", [(2, "W0904"), (4, "E0902")]),
    ],
)
def test_modules_that_are_to_be_loaded(text: str, system: str, found: list[tuple[int, str]]) -> None:
    findings = audited(text, server=f"cpu skylake; os {system}").findings
    assert [(finding.at.line, finding.code) for finding in findings] == found


@pytest.mark.parametrize("system", ["rhel 7", "rhel 8", "ubuntu 20.04"])
def test_nothing_is_said_of_kernels_that_were_not_read(system: str) -> None:
    assert codes(audited("i40e.int_mode=0", server=f"cpu skylake; os {system}")) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("#!/bin/sh\ncat > /etc/modprobe.d/nic.conf <<EOF\noptions ixgbe IntMode=1 RSS=1\nEOF\n", 3),
        ("{ boot.extraModprobeConfig = ''\n  options ixgbe IntMode=1 RSS=1\n''; }\n", 2),
        (
            "write_files:\n- path: /etc/modprobe.d/nic.conf\n  content: |\n    options ixgbe IntMode=1 RSS=1\n",
            4,
        ),
    ],
)
def test_options_are_read_in_scripts_and_documents(text: str, line: int) -> None:
    found = audited(text)
    assert [(finding.code, finding.at.line) for finding in found.findings] == [("W0921", line)] * 2
    assert "`IntMode`" in messages(found, "W0921")[0]

"""What the options of tuned's plugins take, in profiles of their own and in those that scripts write."""

from __future__ import annotations

import pytest

from audit import audited, codes, messages

OPTIONS = [
    ("[cpu]\nforce_latency=cstate.name:C6|cstate.id:4|10", []),
    ("[cpu]\nforce_latency=N", ["E0907"]),
    ("[cpu]\ngovernor=schedutil|ondemand", []),
    ("[cpu]\ngovernor=conserative", ["E0907"]),
    ("[cpu]\nenergy_perf_bias=powersave|power", []),
    ("[cpu]\nenergy_perf_bias=balance_performance", ["E0902"]),  # `_` is the preference's
    ("[cpu]\nenergy_perf_bias=powersave", ["W0904"]),  # the word of kernels before 4.13
    ("[cpu]\nenergy_performance_preference=balance-performance", ["E0907"]),
    ("[cpu]\npm_qos_resume_latency_us=0", ["W0911"]),  # no limit
    ("[cpu]\nmin_perf_pct=${lowest}", ["W0903"]),
    ("[disk]\nelevator=mq_deadline", ["E0902"]),
    ("[disk]\nelevator=cfq", ["W0904"]),  # gone since 5.0
    ("[disk]\nreadahead=>4096", []),
    ("[disk]\nreadahead=4M", ["E0907"]),
    ("[disk]\ndevices=sda\nreadahead=4M", ["E0907"]),
    ("[vm]\ntransparent_hugepages=off", ["E0907"]),
    ("[vm]\ndirty_bytes=40%", ["W0904"]),  # not yet in this release of tuned
    ("[scsi_host]\nalpm=minimum_power", ["E0907"]),
    ("[usb]\nautosuspend=5", ["E0907"]),  # a switch
    ("[net]\nwake_on_lan=off", ["E0907"]),
    ("[service]\nservice.tuned=stop,disable", []),
    ("[service]\ntuned=stop,disable", ["W0904"]),
    ("[scheduler]\ngroup.ksoftirqd=0:f:2:*:ksoftirqd.*\nsched_latency=1", ["W0904"]),
    ("[bootloader]\nkernel_cmdline=quiet", ["W0904"]),
    ("[sysctl]\nnet.ipv4.route.flush=1", ["W0904"]),  # only written: tuned cannot read it before
    ("[sysctl]\nkernel.sem=250 32000 100 128 # of an old guide", ["W0919"]),
    ("[sysctl]\nvm.swappiness= # none", ["E0907"]),
    ("[sysfs]\n/sys/kernel/mm/transparent_hugepage/enabled=off", ["E0907"]),
    ("[sysfs]\n/sys/class/scsi_host/host0/link_power_management_policy=min", ["E0907"]),
    ("[sysfs]\n/sys/block/sda/queue/scheduler=mq_deadline", ["E0907"]),
    ("[sysfs]\n/sys/block/sda/queue/scheduler=mq-deadline", []),
]


@pytest.mark.parametrize(("section", "expected"), OPTIONS)
def test_what_is_said_of_an_option(section: str, expected: list[str]) -> None:
    assert codes(audited(f"[main]\nsummary=mine\n{section}\n")) == expected


TWO = """\
cat > /etc/tuned/quiet/tuned.conf <<EOF
[main]
include=powersave
[sysctl]
vm.swappiness=1
EOF
echo "
[main]
include=latency-performance
[sysctl]
vm.swappiness=30
[bootloader]
cmdline=+audit=0
" > /etc/tuned/quick/tuned.conf
"""


BESIDE_WORDS = [
    ("[cpu]\nmin_perf_pct=100", "intel_pstate=disable", ["W0908"]),  # an option of this driver
    ("[cpu]\nmin_perf_pct=100", "intel_pstate=passive", []),
    ("[sysfs]\n/sys/devices/system/cpu/intel_pstate/no_turbo=1", "intel_pstate=disable", ["W0908"]),
    ("[cpu]\nforce_latency=1", "cpuidle.off=1", ["W0908", "W0911"]),
    ("[cpu]\nforce_latency=1", "isolcpus=domain,managed_irq", ["W0911"]),  # flags alone
]


@pytest.mark.parametrize(("section", "word", "expected"), BESIDE_WORDS)
def test_an_option_beside_a_word_of_the_boot_line(section: str, word: str, expected: list[str]) -> None:
    found = codes(audited(f"{section}\n[bootloader]\ncmdline=+{word}\n"))
    assert [code for code in found if code in ("W0908", "W0911")] == expected


def test_options_for_processors_of_intel() -> None:
    """Tuned passes over them on others, without a message."""
    profile = "[cpu]\ngovernor=performance\nenergy_perf_bias=performance\nmin_perf_pct=100\n"
    assert codes(audited(profile, server="cpu epyc-7763; platform r7525; os debian 12")) == ["W0904"] * 2
    assert codes(audited(profile)) == []


def test_profiles_that_a_script_writes_are_apart() -> None:
    """Neither contradicts the other, and what is for the boot loader is read as its words."""
    found = audited(TWO)
    assert codes(found) == ["W0907"]
    assert messages(found, "W0907")[0].startswith("`audit=0` weakens security")


def test_a_profile_within_a_resource_that_a_script_creates() -> None:
    script = """\
#!/bin/bash
oc create -f - <<EOF
kind: Tuned
spec:
  profile:
  - data: |
      [main]
      include=openshift-node
      [cpu]
      governor=performanc
    name: mine
EOF
"""
    assert codes(audited(script)) == ["E0902"]


PARAMETERS = [
    ("options bonding mode=802.3ad lacp_rate=fast xmit_hash_policy=layer3+4", []),
    ("options bonding mode=4 miimon=100", []),
    ("options bonding mode=lacp", ["E0907"]),
    ("options kvm nx_huge_pages=auto", []),
    ("options kvm_intel vmentry_l1d_flush=on", ["E0907"]),
    ("options ip_ipoib mcast_debug_level=0", ["W0921"]),  # ib_ipoib
    ("options rtw89_core_git disable_ps_mode=n", []),  # a module of others
]


@pytest.mark.parametrize(("line", "expected"), PARAMETERS)
def test_parameters_of_modules_that_take_a_text(line: str, expected: list[str]) -> None:
    assert codes(audited(f"{line}\n")) == expected


def test_options_that_a_script_echoes() -> None:
    script = "echo 'options bonding mode=lacp miimon=100' | sudo tee /etc/modprobe.d/bonding.conf\n"
    assert codes(audited(script)) == ["E0907"]


LOOP = """\
for disk in /sys/block/sd*; do
  echo noop > $disk/queue/scheduler
  echo 2 > "${disk}/queue/nr_requests"
done
queue="/sys/block/$1/queue"
echo 1 > $queue/nr_requests
for cpu in /sys/devices/system/cpu/cpu[0-9]*; do echo performance > $cpu/cpufreq/scaling_governor; done
for cpu in /sys/devices/system/cpu/cpu*/cpufreq/; do
  echo performance > "$cpu/scaling_governer"
done
"""


def test_files_whose_folder_is_a_variable() -> None:
    assert [(f.code, f.at.line) for f in audited(LOOP).findings] == [
        ("W0904", 2),
        ("E0907", 3),
        ("E0907", 6),
        ("E0902", 9),
    ]

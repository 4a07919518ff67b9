"""A real kernel says what it made of its arguments; each boot costs seconds, so each test asks much of it."""

from __future__ import annotations

import pytest

from consumers.kernel import LONGEST, BootError, boot, early


def test_early_names_what_the_kernel_does_not_know() -> None:
    found = early(
        "nosmt typo_arg=1 idle=bogus pcie_aspm.policy=fast hugepagesz=3M nopti spectre_v2=off nohz_full=1 lonely"
    )
    assert set(found.unknown) == {"typo_arg=1", "nohz_full=1", "lonely"}
    for part in (
        "Malformed early option 'idle'",
        "`fast' invalid for parameter `pcie_aspm.policy'",
        "hugepagesz=3M",
    ):
        assert any(part in line for line in found.malformed)


def test_early_has_nothing_to_say_of_good_arguments() -> None:
    found = early(
        "intel_idle.max_cstate=0 processor.max_cstate=1 idle=poll nosmt=force skew_tick=1 nohz_full=4-15",
        cpus=16,
    )
    assert (found.unknown, found.malformed) == ((), ())


def test_a_misspelt_module_parameter_is_never_reported() -> None:
    """The reason why names with a dot are to be read back after `boot`."""
    assert early("intel_idle.max_cstat=0").unknown == ()


def test_too_many_unknown_arguments_are_a_panic() -> None:
    with pytest.raises(BootError, match="panicked: Too many boot env vars"):
        early(" ".join(f"unknown{number}=1" for number in range(40)))


def test_a_line_longer_than_the_kernel_takes_is_not_tried() -> None:
    with pytest.raises(BootError, match=f"the kernel takes {LONGEST}"):
        early("x" * 2100)


def test_a_kernel_that_never_gets_there_is_a_failure() -> None:
    with pytest.raises(BootError, match="did not reach the end of user space"):
        boot(timeout=0.2)


def test_boot_reads_back_the_effects() -> None:
    done = boot("intel_idle.max_cstate=0 processor.max_cstate=1 nosmt lonely")
    assert done.cmdline is not None
    assert done.cmdline.endswith(" intel_idle.max_cstate=0 processor.max_cstate=1 nosmt lonely")
    assert done.parameter("intel_idle.max_cstate") == "0"
    assert done.parameter("processor.max_cstate") == "1"
    assert done.parameter("intel_idle.max_cstat") is None
    assert (done.smt, done.online) == ("off", "0")
    assert done.cpuidle_driver == "none"
    assert done.unknown == ("lonely",)


def test_boot_on_a_machine_without_hyper_threading_or_mwait() -> None:
    done = boot("intel_idle.dyndbg=+p", smt=False, cpu="Westmere,-monitor")
    assert (done.smt, done.online) == ("notsupported", "0-1")
    assert "Please enable MWAIT in BIOS SETUP" in done.log
    assert (done.unknown, done.malformed) == ((), ())

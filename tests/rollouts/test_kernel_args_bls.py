"""Kernel arguments where no GRUB has them: entries that systemd-boot reads, unified kernel images, and deployed
systems.

`test_kernel_args_rollback` has the faults and the way back. kernel-install and bootctl are the real ones; rpm-ostree is
a stand-in.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rollouts.test_kernel_args_rollback import WORDS, Server, WithBls, WithGrubby, WithRpmOstree

from consumers.boot_entries import LOADER_INFO, MACHINE, install, listed


def test_systemd_boot_reads_what_is_planned_for_old_kernels_and_new_ones(tmp_path: Path) -> None:
    """kernel-install makes the entry of the third from the line that the program has changed as well."""
    server = WithBls(tmp_path)
    assert server.run("next").status == 3
    done = server.run()
    assert done.status == 0, done.said
    install(server.root, "6.1.0-3")
    assert server.run("next").said == "kernel-args: the next start is as planned\n"
    (tmp_path / "esp").mkdir()
    found = listed(server.root, tmp_path / "esp")
    for version in ("6.1.0-1", "6.1.0-2", "6.1.0-3"):
        words = found[f"{MACHINE}-{version}.conf"].split()
        assert words[:3] == ["root=/dev/sda1", "ro", "quiet"]
        assert {*WORDS} < {*words}
        assert [word for word in words if word.startswith("skew_tick")] == ["skew_tick=1"]
    assert found[f"{'f' * 32}-5.14.conf"] == "ro quiet", "another system on the same disk"
    back = server.run("undo")
    assert back.status == 0, back.said
    assert (server.root / "etc/kernel/cmdline").read_text() == "root=/dev/sda1  ro quiet skew_tick=0\n"
    assert all("skew_tick=0" in line and "intel_idle" not in line for line in server.kernels())
    assert len(server.kernels()) == 3, "a kernel that was installed since is put back as well"


def test_an_entry_whose_attempts_are_counted_is_known_by_its_name(tmp_path: Path) -> None:
    """systemd-boot renames the entry at each start."""
    server = WithBls(tmp_path)
    (entry, *_) = sorted((server.root / "efi/loader/entries").glob(f"{MACHINE}-*.conf"))
    before = entry.read_text(encoding="utf-8")
    counted = entry.rename(entry.with_name(f"{entry.stem}+3.conf"))
    assert server.run().status == 0
    started = counted.rename(entry.with_name(f"{entry.stem}+2-1.conf"))
    back = server.run("undo")
    assert (back.status, back.said.count("put back the arguments in")) == (0, 1), back.said
    assert sorted(started.read_text(encoding="utf-8").split()) == sorted(before.split())


def test_what_somebody_else_has_changed_since_stays(tmp_path: Path) -> None:
    server = WithBls(tmp_path)
    cmdline = server.root / "etc/kernel/cmdline"
    (entry, *_) = sorted((server.root / "efi/loader/entries").glob(f"{MACHINE}-*.conf"))
    assert server.run().status == 0
    for file in (cmdline, entry):
        file.write_text(
            file.read_text(encoding="utf-8").replace(" quiet", " console=ttyS0"), encoding="utf-8"
        )
    back = server.run("undo")
    assert (back.status, back.said.count("somebody else has changed")) == (0, 2), back.said
    assert cmdline.read_text(encoding="utf-8").split() == [
        "root=/dev/sda1",
        "ro",
        "console=ttyS0",
        "skew_tick=0",
    ]
    line = server.kernels()[0].split()
    assert ("console=ttyS0" in line, "skew_tick=0" in line, "skew_tick=1" in line) == (True, True, False)


def test_the_vendor_s_line_for_new_kernels_is_copied_and_the_copy_goes(tmp_path: Path) -> None:
    server = WithBls(tmp_path)
    (server.root / "etc/kernel/cmdline").unlink()
    server.put("usr/lib/kernel/cmdline", "root=/dev/sda1 ro\n")
    before = server.files()
    assert server.run().status == 0
    assert WORDS[0] in (server.root / "etc/kernel/cmdline").read_text(encoding="utf-8")
    back = server.run("undo")
    assert (back.status, server.files()) == (0, before), back.said


def refused(server: Server, why: str) -> None:
    """Neither a dry run nor a run changes anything, and both say why."""
    before = server.files()
    for verb in ("try", "apply"):
        done = server.run(verb)
        assert (done.status, server.files(), server.kept) == (4, before, set()), done.said
        assert (why in done.said, "othing was changed" in done.said) == (True, True), done.said


def test_a_unified_kernel_image_is_left_to_a_person(tmp_path: Path) -> None:
    server = WithBls(tmp_path)
    server.put("efi/EFI/Linux/debian-6.1.efi", "MZ")
    refused(server, "have their command line inside")
    refused(
        server,
        "into /etc/kernel/cmdline, build each image anew by `kernel-install add VERSION KERNEL`, and restart",
    )
    asked = server.run("next")
    assert (asked.status, "have their command line inside" in asked.said) == (4, True), "entries do not tell"


def test_entries_with_variables_of_grub_are_left_to_grubby(tmp_path: Path) -> None:
    server = WithBls(tmp_path)
    (server.root / LOADER_INFO).unlink()
    server.put("boot/grub2/grub.cfg", "insmod blscfg\nblscfg\n")
    server.put(f"efi/loader/entries/{MACHINE}-4.18.conf", "linux /vmlinuz\noptions $kernelopts\n")
    server.plan = server.plan.replace("way drop-in\n", "")
    refused(server, "have variables of GRUB")


def test_a_grub_with_entries_and_without_grubby_is_told_by_its_entries(tmp_path: Path) -> None:
    server = WithBls(tmp_path)
    (server.root / LOADER_INFO).unlink()
    server.put("boot/grub2/grub.cfg", "  blscfg\n")
    done = server.run()
    assert (done.status, server.is_planned) == (0, True), done.said


@pytest.mark.parametrize("system", ["systemd-boot", "deployed"])
def test_a_way_to_another_boot_loader_is_refused(tmp_path: Path, system: str) -> None:
    """A plan of Enterprise Linux 9 with grubby there; grubby changes entries that the loader does not read, or that the
    next deployment drops."""
    server = WithGrubby(tmp_path)
    if system == "deployed":
        server.put("run/ostree-booted", "")
        refused(server, "put kernel-args/kargs.d/50-setpoint.toml".replace("put", "Put"))
    else:
        server.put(LOADER_INFO, "\x06systemd-boot 254")
        for verb in ("try", "apply"):
            done = server.run(verb, "--by", "grubby")
            assert (done.status, "the boot loader is systemd-boot" in done.said) == (4, True), done.said
            assert server.kept == set()


def test_rpm_ostree_gets_one_call_and_what_was_there_of_a_name_goes(tmp_path: Path) -> None:
    server = WithRpmOstree(tmp_path)
    dry = server.run("try")
    assert dry.said.splitlines()[-1].startswith("kernel-args: would run: rpm-ostree kargs --append=")
    assert "--delete-if-present=skew_tick=0 --append=skew_tick=1" in dry.said
    assert server.run().status == 0
    assert server.kernels()[0].split()[:4] == [
        "root=UUID=1",
        "rw",
        "ostree=/ostree/boot.1/default/0",
        "quiet",
    ]
    (server.root / "ostree/kargs").write_text(f"{server.kernels()[0]} console=ttyS0\n", encoding="utf-8")
    assert server.run("undo").status == 0
    assert server.kernels()[0].split()[3:] == ["quiet", "console=ttyS0", "skew_tick=0"]


def test_a_deployed_system_without_rpm_ostree_is_left_to_its_image(tmp_path: Path) -> None:
    server = WithRpmOstree(tmp_path)
    for folder in (server.faults.programs, server.faults.real):
        (folder / "rpm-ostree").unlink()
    refused(server, "Put kernel-args/kargs.d/50-setpoint.toml into the image")

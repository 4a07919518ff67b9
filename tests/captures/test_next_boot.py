"""The boot line of the next start, from what boot loaders keep."""

from collections.abc import Mapping

import pytest

from setpoint.compiler.captures.model import Reading, Readings
from setpoint.compiler.captures.next_boot import next_boot_line

GRUBBY = """index=0
kernel="/boot/vmlinuz-5.14.0-503.11.1.el9_5.x86_64"
args="ro crashkernel=1G-4G:192M,4G-64G:256M rd.lvm.lv=rhel/root intel_idle.max_cstate=1 $tuned_params"
root="/dev/mapper/rhel-root"
initrd="/boot/initramfs-5.14.0-503.11.1.el9_5.x86_64.img $tuned_initrd"
title="Red Hat Enterprise Linux (5.14.0-503.11.1.el9_5.x86_64) 9.5 (Plow)"
id="4b3-5.14.0-503.11.1.el9_5.x86_64"
"""

ENVIRONMENT = "# GRUB Environment Block\nsaved_entry=4b3-5.14.0\nkernelopts=root=/dev/sda1 ro\ntuned_params=skew_tick=1 nohz=on\n####"

OLD, NEW = (
    f"title Linux\nversion {version}\nlinux /vmlinuz-{version}\noptions $kernelopts {option} $tuned_params\n"
    for version, option in (("4.18.0", "quiet"), ("5.14.0", "mitigations=off"))
)

MENU = """
if [ "${next_entry}" ] ; then
   set default="${next_entry}"
   set next_entry=
   save_env next_entry
   set boot_once=true
else
   set default="DEFAULT"
fi
menuentry 'Debian GNU/Linux' --class debian $menuentry_id_option 'gnulinux-simple-9f1c' {
        search --no-floppy --fs-uuid --set=root 9f1c
        linux   /boot/vmlinuz-6.1.0-31-amd64 root=UUID=9f1c ro quiet processor.max_cstate=1
        initrd  /boot/initrd.img-6.1.0-31-amd64
}
submenu 'Advanced options for Debian GNU/Linux' $menuentry_id_option 'gnulinux-advanced-9f1c' {
        menuentry 'Debian GNU/Linux, with Linux 6.1.0-30-amd64' $menuentry_id_option 'gnulinux-6.1.0-30-9f1c' {
                linux   /boot/vmlinuz-6.1.0-30-amd64 root=UUID=9f1c ro
        }
}
menuentry "Memory test" {
        linux16 /boot/memtest86+.bin
}
"""


def host(places: Mapping[str, str], entries: Mapping[str, str] | None = None) -> Readings:
    """A host with these files, and entries by identifier."""
    read: dict[str, tuple[Reading, ...]] = {place: (Reading(text),) for place, text in places.items()}
    if entries:
        read["/boot/loader/entries/*.conf"] = tuple(Reading(text, name) for name, text in entries.items())
    return Readings(read, {})


def test_grubby_is_asked_first() -> None:
    found = host(
        {"run grubby --info=DEFAULT": GRUBBY, "/boot/grub2/grubenv": ENVIRONMENT, "/boot/grub/grub.cfg": MENU}
    )
    assert next_boot_line(found) == (
        "root=/dev/mapper/rhel-root ro crashkernel=1G-4G:192M,4G-64G:256M rd.lvm.lv=rhel/root intel_idle.max_cstate=1 "
        "skew_tick=1 nohz=on"
    )


def test_an_entry_is_that_which_the_environment_names() -> None:
    entries = {"4b3-4.18.0": OLD, "4b3-5.14.0": NEW}
    assert next_boot_line(host({"/boot/grub2/grubenv": ENVIRONMENT}, entries)) == (
        "root=/dev/sda1 ro mitigations=off skew_tick=1 nohz=on"
    )
    once = ENVIRONMENT.replace("kernelopts", "next_entry=4b3-4.18.0\nkernelopts")
    assert (
        next_boot_line(host({"/boot/grub2/grubenv": once}, entries))
        == "root=/dev/sda1 ro quiet skew_tick=1 nohz=on"
    )


def test_of_several_entries_none_is_guessed() -> None:
    assert next_boot_line(host({}, {"a": OLD, "b": NEW})) is None
    assert next_boot_line(host({"/boot/grub2/grubenv": ENVIRONMENT}, {"a": OLD})) is None
    assert next_boot_line(host({}, {"a": OLD})) == "quiet"


@pytest.mark.parametrize(
    ("default", "environment", "line"),
    [
        ("0", "", "root=UUID=9f1c ro quiet processor.max_cstate=1"),
        ("gnulinux-simple-9f1c", "", "root=UUID=9f1c ro quiet processor.max_cstate=1"),
        ("Debian GNU/Linux", "", "root=UUID=9f1c ro quiet processor.max_cstate=1"),
        ("${saved_entry}", "saved_entry=Debian GNU/Linux", "root=UUID=9f1c ro quiet processor.max_cstate=1"),
        ("0", "next_entry=Memory test", ""),
        ("${saved_entry}", "", None),
        ("gnulinux-advanced-9f1c>gnulinux-6.1.0-30-9f1c", "", None),
        ("9", "", None),
    ],
)  # fmt: skip
def test_a_menu_has_its_default(default: str, environment: str, line: str | None) -> None:
    found = host({"/boot/grub/grub.cfg": MENU.replace("DEFAULT", default), "/boot/grub/grubenv": environment})
    assert next_boot_line(found) == line


def test_without_a_boot_loader_nothing_is_known() -> None:
    assert next_boot_line(host({"/proc/cmdline": "quiet"})) is None

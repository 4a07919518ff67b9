"""Boot lines are read wherever administrators keep them: each of these texts has one with a word that is misspelt."""

from __future__ import annotations

import pytest

from audit import audited, codes, messages

MISSPELT = "`skew_tikc` is misspelt: it is not the name of a kernel argument"

OF_INSTALLERS = [
    "d-i debian-installer/locale string en_US\nd-i debian-installer/add-kernel-opts string quiet skew_tikc=1\n",
    "d-i debian-installer/add-kernel-opts string \\\n  skew_tikc=1\n",
    "grub-pc grub2/linux_cmdline_default string quiet skew_tikc=1\n",
    "<profile><bootloader><global>\n  <append>quiet skew_tikc=1</append>\n</global></bootloader></profile>\n",
    '<image>\n<type image="oem" kernelcmdline="console=ttyS0 skew_tikc=1" firmware="efi"/>\n</image>\n',
    "[Content]\nKernelCommandLine=console=ttyS0 skew_tikc=1\n",
    "[UKI]\nCmdline=root=/dev/sda skew_tikc=1\n",
    '[linux]\nimage=/boot/vmlinuz\nparameters="root=/dev/dasda1 skew_tikc=1"\n',
    'name = "node"\n[customizations.kernel]\nappend = "console=ttyS0 skew_tikc=1"\n',
    "install:\n  grub_options:\n    extra_cmdline: quiet skew_tikc=1\n",
    "operatingSystem:\n  kernelArgs:\n    - skew_tikc=1\n",
]
OF_LOADERS = [
    "#!ipxe\nset params console=ttyS0 skew_tikc=1\nkernel ${base}/vmlinuz ${params}\nboot\n",
    'set linux_append="console=ttyS0 skew_tikc=1"\n',
    "setenv bootargs console=ttyS0,115200 root=/dev/mmcblk0p2 skew_tikc=1\n",
    "verbosity=1\nextraargs=quiet skew_tikc=1\n",
]
OF_SCRIPTS = [
    "#!/bin/sh\necho 'root=/dev/sda ro skew_tikc=1' > /etc/kernel/cmdline\n",
    "#!/bin/sh\nsed -i '1 s/$/ skew_tikc=1/' /boot/firmware/cmdline.txt\n",
    "#!/bin/sh\nefibootmgr -c -d /dev/sda -l /vmlinuz -u 'root=/dev/sda2 rw skew_tikc=1'\n",
    "#!/bin/sh\ntransactional-update run pbl --add-option skew_tikc=1\n",
    '#!/bin/bash\nARGS=(quiet skew_tikc=1)\ngrubby --update-kernel=ALL --args="${ARGS[*]}"\n',
    "#!/bin/sh\ncat > /boot/loader/entries/a.conf <<EOF\ntitle A\noptions root=/dev/sda1 skew_tikc=1\nEOF\n",
]
BACK_REFERENCE = """- hosts: all
  tasks:
    - lineinfile:
        path: /etc/default/grub
        regexp: '^(GRUB_CMDLINE_LINUX=".*)"$'
        backrefs: true
        line: '\\1 skew_tikc=1"'
"""
VARIABLE = """- hosts: all
  vars:
    tuning: quiet skew_tikc=1
  tasks:
    - command: grubby --update-kernel=ALL --args="{{ tuning }}"
"""
LIST = """tuning:
  - skew_tikc=1
grub:
  line: GRUB_CMDLINE_LINUX="{{ tuning | join(' ') }}"
"""
ROLE = """- hosts: all
  vars:
    bootloader_settings:
      - kernel: ALL
        options:
          - name: skew_tikc
            value: 1
          - name: quiet
          - name: skew_tick
            state: absent
"""
OF_TASKS = [
    BACK_REFERENCE,
    VARIABLE,
    LIST,
    ROLE,
    "node_kernel_params: quiet skew_tikc=1\n",
    "kernel_parameter { ['skew_tikc', 'quiet']:\n  ensure => present,\n}\n",
    "class { 'grub2':\n  cmdline_linux_default => 'quiet skew_tikc=1',\n}\n",
    "grub:\n  cmd.run:\n    - name: grubby --update-kernel=ALL --args='skew_tikc=1'\n",
]


@pytest.mark.parametrize("text", [*OF_INSTALLERS, *OF_LOADERS, *OF_SCRIPTS, *OF_TASKS])
def test_the_words_of_a_boot_line_are_read(text: str) -> None:
    assert messages(audited(text), "E0902") == [MISSPELT]


def test_a_variable_that_a_playbook_states_once_is_filled_in() -> None:
    """The finding is at the line that has the variable, as a whole."""
    text = "cpus: 0-3\ngrub_cmdline: isolcpus={{ cpus }} nohz_full={{ cpus }}\n"
    assert "W0911" in codes(audited(text, server="cpu skylake; os debian 12"))
    assert codes(audited(f"{text}other:\n  cpus: 4-7\n")) == codes(audited(text.partition("\n")[2]))


def test_sysctls_among_the_parameters_of_a_role_are_no_words_of_a_boot_line() -> None:
    assert codes(audited("grub_cmdline: quiet\nkernel_parameters:\n  - vm.swappiness=10\n")) == []


def test_entries_of_a_menu_that_a_script_writes_are_alternatives() -> None:
    """Also what it writes for modprobe is none of them."""
    entry = "cat > /boot/loader/entries/{0}.conf <<EOF\noptions root=/dev/sda1 isolcpus={1}\nEOF\n"
    assert codes(audited(f"#!/bin/sh\n{entry.format('a', '1-3')}{entry.format('b', '4-7')}")) == []
    assert not audited(
        "#!/bin/sh\ncat > /etc/modprobe.d/a.conf <<EOF\noptions kvm nx_huge_pages=force\nEOF\n"
    ).findings


def test_a_boot_line_with_an_open_quote_takes_in_what_is_below() -> None:
    """A text with several lines, as a backslash makes one, is none."""
    opened = 'GRUB_CMDLINE_LINUX="quiet splash\nGRUB_TIMEOUT=5\n'
    assert "its quote is not closed" in messages(audited(opened), "E0907")[0]
    assert codes(audited('GRUB_CMDLINE_LINUX="quiet \\\n  splash"\nGRUB_TIMEOUT=5\n')) == []


@pytest.mark.parametrize(
    "off", ["systemctl disable --now kdump.service", "chkconfig kdump off", "services --disabled=sshd,kdump"]
)
def test_memory_for_a_crash_is_of_no_use_without_kdump(off: str) -> None:
    line = 'bootloader --append="crashkernel=256M"'
    (message,) = messages(audited(f"{line}\n{off}\n%post\n%end\n"), "W0908")
    assert message.startswith("`crashkernel=256M` is without its counterpart: kdump")
    assert messages(audited(f"{line}\n{off}\n%post\nsystemctl enable kdump\n%end\n"), "W0908") == []


def test_guides_have_the_boot_lines_of_tuned() -> None:
    text = """```
cmdline_realtime=+isolcpus=1-3 skew_tikc=1
```
```
set tuned_params="isolcpus=1-3 skew_tikc=1"
```
"""
    assert messages(audited(text), "E0902") == [MISSPELT] * 2


def test_words_of_systemd_take_its_texts() -> None:
    wrong = audited(
        "quiet systemd.unified_cgroup_hierarchy=disable fsck.mode=forced systemd.log_level=verbose\n"
    )
    assert codes(wrong) == ["E0907"] * 3
    right = "quiet systemd.unified_cgroup_hierarchy=1 fsck.mode=force systemd.log_level=debug systemd.show_status=auto\n"
    assert "E0907" not in codes(audited(right))


def test_the_installer_reads_words_of_its_own() -> None:
    line = "append initrd=initrd.gz auto=true priority=critical url=http://deploy/p.cfg locale=en_US interface=auto\n"
    assert codes(audited(f"label install\n  kernel linux\n  {line}")) == []

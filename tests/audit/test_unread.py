"""Lines, names of files and modules that their reader ignores, wherever they are written."""

from __future__ import annotations

import pytest

from audit import audited, codes, messages

OF_MODPROBE = "options kvm ignore_msrs=1\n"
DISKS = 'ACTION=="add|change", KERNEL=="sd[a-z]"'

CASES = [
    (f"{OF_MODPROBE}blacklist nouveau\ninstall cramfs /bin/false\n", []),
    (f"{OF_MODPROBE}blacklist nouveau pcspkr\n", ["W0923"]),  # one module to a line
    (f"{OF_MODPROBE}blacklist nouveau # of NVIDIA's cards\n", []),
    (f"{OF_MODPROBE}blacklist nouveau.ko\n", ["W0923"]),
    (f"{OF_MODPROBE}blacklist: nouveau\n", []),
    (f"{OF_MODPROBE}option nvme poll_queues=4\n", ["W0923"]),
    (f"{OF_MODPROBE}install udf\n", ["W0923"]),  # without a command
    (f"{OF_MODPROBE}install udf /bin/true\n", []),
    (f"{OF_MODPROBE}options nvme poll_queues =4\n", ["W0923"]),
    ("cat > /etc/modprobe.d/kvm.conf <<EOF\noptions kvm ignore_msrs=1\nEOF\n", []),
    ("cat > /etc/modprobe.d/kvm <<EOF\noptions kvm ignore_msrs=1\nEOF\n", ["W0923"]),
    ("echo 'vm.swappiness = 10' | sudo tee /etc/sysctl.d/99-memory\n", ["W0923"]),
    ("echo 'vm.swappiness = 10' > /etc/sysctl.d/99-memory.conf\n", []),
    ("echo 'vm.swappiness = 10' > /etc/sysctl.d/$NAME\n", []),
    (f"cat > /etc/udev/rules.d/60-disks <<'EOF'\n{DISKS}, ATTR{{queue/iostats}}=\"0\"\nEOF\n", ["W0923"]),
    (f'{DISKS}, ATTR{{queue/iostats}}="0", RUN+="/bin/echo 0 > /tmp/told"\n', ["W0923"]),  # no shell
    (f'{DISKS}, ATTR{{queue/iostats}}="0", RUN+="/bin/sh -c \'echo 0 > /tmp/told\'"\n', []),
    (f'{DISKS}, ATTR{{queue/iostats}}="0", RUN+="/bin/sh -c \'echo $i\'"\n', ["W0923"]),  # udev's own `$`
    (f'{DISKS}, ATTR{{queue/iostats}}="0", RUN+="/bin/sh -c \'echo $$i $kernel $attr{{size}}\'"\n', []),
    (f'{DISKS}, ATTR{{queue/iostats}}="0"\n{DISKS}, ATTR{{queue/nomerges}}=2\n', ["W0923"]),  # without quotes
    (f'{DISKS}, SUBSYSTEN=="block", ATTR{{queue/iostats}}="0"\n', ["W0923"]),  # no such key
    ('KERNEL=="nvme[0-9]", ATTR{queue/iostats}="0"\n', ["W0923"]),  # a controller
    ('KERNEL=="nvme[0-9]*", ATTR{queue/iostats}="0"\n', []),
    ('KERNEL=="sd[a-z]+", ATTR{queue/iostats}="0"\n', ["W0923"]),  # no regular expression
    (f"{OF_MODPROBE}options modprobe kvm_intel nested=1\n", ["W0923"]),
    ("[main]\ninclude=throughput-performance my-own\n", ["W0923"]),
    ("[main]\ninclude=throughput-performance, my-own\n", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_what_is_ignored(text: str, expected: list[str]) -> None:
    assert [code for code in codes(audited(text)) if code == "W0923"] == expected


def test_a_module_that_is_misspelt() -> None:
    (message,) = messages(audited("blacklist noveau\nblacklist pcspkr\n"), "E0902")
    assert message == "`noveau` is misspelt: it is not the name of a module"


@pytest.mark.parametrize("name", ["nvme_fabrics", "nvmem_core", "dvb_usb_dib0700", "i2c_nvidia_gpu", "vxlan"])
def test_a_module_that_is_called_almost_so(name: str) -> None:
    assert codes(audited(f"blacklist {name}\n")) == []


MODULES = [
    ("debian 12", "decnet", ["W0904"]),
    ("debian 11", "decnet", []),
    ("rhel 7", "nf_conntrack_ipv4", []),  # a module of its own until 4.18
    ("debian 12", "nf_conntrack_ipv4", ["W0904"]),
    ("debian 12", "usb-storage", []),
]


@pytest.mark.parametrize(("system", "name", "expected"), MODULES)
def test_a_module_that_a_system_lacks(system: str, name: str, expected: list[str]) -> None:
    script = f"cat <<'EOF' > /etc/modprobe.d/blacklist.conf\ninstall {name} /bin/true\nEOF\n"
    assert codes(audited(script, server=f"cpu skylake; platform r740; os {system}")) == expected

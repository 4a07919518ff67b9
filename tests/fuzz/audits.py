"""Reads settings that somebody else has written down: boot lines, sysctls, tuned profiles, exports and lists of BIOS
settings, tables of guides.

A token lies in the environment, beside the folder and in a hidden file. It is never printed or copied, nothing is
written but what is asked for, and the policy made from a file says nothing but settings.
"""

from copy import deepcopy
from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import DefectError, command, content
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.entries.read import FORMS
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.syntax import Fact, Set
from support.command import Ran

TEXTS = (
    'GRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX="intel_pstate=passive isolcpus=managed_irq,domain,1-30 nohz_full=1-30 mitigations=off"\n',
    "title Linux\nlinux /vmlinuz\noptions root=/dev/sda nosmt hugepagesz=1G hugepages=16 -- single\n",
    "machine:\n  sysctls:\n    vm.swappiness: \"10\"\n  install:\n    extraKernelArgs:\n      - nosmt # siblings\n",
    "{\"kernelArguments\": {\"shouldExist\": [\"audit=0\"]}, \"source\": \"data:;base64,dm0uc3dhcHBpbmVzcz0xMAo=\"}\n",
    "bootloader --append=\"nosmt mce=off\"\nsysctl -w vm.swappiness=10\necho never > /sys/kernel/mm/transparent_hugepage/enabled\n",
    "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet hugepagesz=1G hugepages=40 audit=0 isolcpu=2-5 mce=off nosmt dyndbg=\"file a.c +p\"\n",
    "# sysctls\nvm.dirty_ratio = 10\nvm.dirty_bytes = 1000000\nvm/swappiness = 60\n-net.core.busy_poll = 50\nnet.ipv4.tcp_rmem=4096\t87380 1\n",
    "[main]\nsummary=Lab\ninclude=cpu-partitioning\n[sysctl]\nvm.swappiness=10\nkernel.numa_balancing=>0\n[bootloader]\ncmdline_lab=+nosmt intel_pstate=active\n",
    "[cards]\ntype=net\ndevices_udev_regex=eth.*\nring=rx 4096 tx 1024\ncoalesce=adaptive-rx off rx-usecs 0\n[vm]\nenabled=no\ntransparent_hugepages=never\n"
    "[sysfs]\n/sys/kernel/mm/ksm/run=1\n[service]\nservice.fwupd-refresh.timer=stop,disable\n",
    "| Option | Value | Why |\n|---|:-:|---|\n| Logical Processor | Enabled | fast |\n| C States | Disabled |\nTurbo Boost = Enabled\n",
    "- C States: Disabled\n* Turbo Mode = Enabled\n\"ProcC1E\": \"Disabled\",\nSystem Profile (BIOS): Performance\n",
)  # fmt: skip
EXPORTS = (
    {"Attributes": {"ProcCStates": "Disabled", "LogicalProc": "Enabled", "SysProfile": "Custom", "X": 4}},
    {"@odata.id": "/redfish/v1/x", "ProcC1E": "Disabled", "ProcTurboMode": True, "Slots": [1], "Nested": {}},
)
SERVERS = (
    "cpu skylake; platform r740; os debian 12",
    "goal latency; cpu skylake; platform r740; os rhel 7",
    "goal latency; cpu skylake; platform r740; for host c1 { goal performance; }",
    "goal",
    "",
)
OPTIONS = (
    (),
    ("--format", "json"),
    ("--format", "sarif"),
    ("--format", "markdown"),
    ("--format", "github"),
    ("--export", "out.tune"),
    ("--export", "-"),
)

TOKEN = "token-51c0ffee"
LINKS = ("../../token.txt", "../token", ".npmrc", "/proc/self/environ", "/dev/zero", "a", ".", "nowhere")

REPEATED = 0.3
"""How often two files are checked together."""

LONG = 0.2
"""How often a file is very long: one piece of it again and again."""

LINKED = 0.1
"""How often a file is a link."""


def once(random: Random, folder: Path) -> None:
    """Damage files of settings, and audit them."""
    names = ["a", "b"] if random.random() < REPEATED else ["a"]
    corpus.put({name: _content(random) for name in names} | {".npmrc": TOKEN.encode()}, folder)
    corpus.put({"token": TOKEN.encode(), "token.txt": TOKEN.encode()}, folder.parent)
    if random.random() < LINKED:
        (folder / names[-1]).unlink()
        (folder / names[-1]).symlink_to(random.choice(LINKS))
    server, more = random.choice(SERVERS), random.choice(OPTIONS)
    form = random.choice(((), (), ("--as", random.choice(FORMS))))
    before = content(folder)
    ran = command("audit", *names, "-e", server, *more, *form, folder=folder, TOKEN=TOKEN)
    after = content(folder)
    exported = (after.pop("out.tune", None) or b"").decode()
    if TOKEN in ran.out + ran.err + exported:
        raise DefectError(f"showed the token: {ran}")
    if after != before:
        raise DefectError(f"wrote {sorted(after.items() ^ before.items())[:4]}: {ran}")
    if more == ("--export", "-"):
        exported = ran.out
    _check_policy(exported, ran)


def _content(random: Random) -> bytes:
    if random.random() < LONG:
        piece = random.choice(spoil.TOKEN.findall(random.choice(TEXTS))) + random.choice(
            ("", spoil.odd(random)[:20])
        )
        whole = random.choice(
            ("{}", '{{"{}": 1}}', '{{"x": "{}"}}', "GRUB_CMDLINE_LINUX={}", "[sysctl]\nx={}", "| {} |")
        )
        return whole.format(piece * random.choice((300, 6_000))).encode(errors="surrogatepass")
    if random.random() < 1 / len(TEXTS):
        return spoil.json_text(random, deepcopy(random.choice(EXPORTS)))
    text = random.choice(TEXTS)
    if random.random() < 0.5:
        return spoil.data(random, text.encode())
    return corpus.encoded(random, spoil.text(random, text, corpus.words(), random.choice(TEXTS)))


def _check_policy(exported: str, ran: Ran) -> None:
    """An exported policy can be read, and has facts and settings only, whatever the file says."""
    body = parse(SourceText("out.tune", exported)).body
    if others := [each for each in body if not isinstance(each, Fact | Set)]:
        raise DefectError(f"exported {others}: {ran}")

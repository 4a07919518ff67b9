"""Each form in which settings are handed over has one reader, and each line is read or counted.

The forms are those of the tools' own documents: racadm and the server configuration profile of iDRAC, Supermicro's SUM
(`GetCurrentBiosCfg`), Lenovo's OneCLI (`config set`), Dell's syscfg, resources of OpenShift's node tuning and machine
configuration.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from audit import audited, codes, messages, values
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.entries.documents import settings_in
from setpoint.compiler.files.reading import read_text
from support.command import ROOT, setpoint
from support.host import profile_of

R750 = "platform r750; os rhel 9"
CUSTOM = {"system-profile": "custom", "c-states": "off"}

XML_PROFILE = """<SystemConfiguration Model="PowerEdge R750">
<Component FQDD="BIOS.Setup.1-1">
<Attribute Name="SysProfile">Custom</Attribute>
<!-- <Attribute Name="LogicalProc">Disabled</Attribute> -->
<Attribute Name="ProcCStates">Disabled</Attribute>
</Component>
<Component FQDD="iDRAC.Embedded.1">
<Attribute Name="NIC.1#Enable">Enabled</Attribute>
</Component>
</SystemConfiguration>
"""
JSON_PROFILE = """{"SystemConfiguration": {"Components": [{"FQDD": "BIOS.Setup.1-1", "Attributes": [
 {"Name": "SysProfile", "Value": "Custom", "Set On Import": "True"},
 {"Name": "ProcCStates", "Value": "Disabled", "Set On Import": "True"},
 {"Name": "LogicalProc", "Value": "Disabled", "Set On Import": "False"}]}]}}
"""
RACADM = """#!/bin/sh
TOOL='racadm'
$TOOL set BIOS.SysProfileSettings.SysProfile Custom
racadm -r 192.0.2.1 -u root set bios.sysprofilesettings.ProcCStates "Disabled"
#racadm set BIOS.ProcSettings.LogicalProc Disabled
"""
SYSCFG = "syscfg --SysProfile=Custom --ProcCStates=Disabled\n"


@pytest.mark.parametrize(
    ("text", "unread"), [(XML_PROFILE, 1), (JSON_PROFILE, 1), (RACADM, 1), (SYSCFG, 0)], ids=str
)
def test_forms_of_dell(text: str, unread: int) -> None:
    """Not read are a setting of the controller, one that is not set, and the line with the name of the tool."""
    found = audited(text, server=R750)
    assert values(found) == CUSTOM
    assert [len(file.unread) for file in found.files] == [unread]


OMCONFIG = """
- cmd.run: /opt/dell/srvadmin/sbin/omconfig chassis biossetup attribute=SysProfile setting=Custom
- cmd.run: omconfig chassis biossetup attribute=ProcCStates setting=disabled
- cmd.run: omreport chassis biossetup
"""
REQUEST = """#!/bin/sh
curl -k -X PATCH https://192.0.2.1/redfish/v1/Systems/1/Bios/Settings \\
  -d '{"Attributes": {"SysProfile": "Custom", "ProcCStates": "Disabled"}}'
curl -k https://192.0.2.1/redfish/v1/Systems/1/Bios/Settings
"""


@pytest.mark.parametrize(("text", "unread"), [(OMCONFIG, 1), (REQUEST, 1)], ids=["omconfig", "curl"])
def test_commands_in_other_documents(text: str, unread: int) -> None:
    """Not read is what only asks for settings."""
    found = audited(text, server=R750)
    assert values(found) == CUSTOM
    assert [len(file.unread) for file in found.files] == [unread]


UCS = {
    # how the interfaces of UCS have tokens
    "XML API": """<biosSettings>
<biosVfOSBootWatchdogTimer vpOSBootWatchdogTimer='disabled'></biosVfOSBootWatchdogTimer>
<biosVfOSBootWatchdogTimerPolicy vpOSBootWatchdogTimerPolicy='power-off'></biosVfOSBootWatchdogTimerPolicy>
<biosVfProcessorC6Report vpProcessorC6Report='disabled'></biosVfProcessorC6Report>
</biosSettings>""",
    "PowerTool": """
$BIOS | Set-UcsBiosVfOSBootWatchdogTimer -VpOSBootWatchdogTimer disabled -Force
$BIOS | Set-UcsBiosVfOSBootWatchdogTimerPolicy -VpOSBootWatchdogTimerPolicy power-off -Force
$BIOS | Set-UcsBiosVfProcessorC1E -VpProcessorC1E disabled -Force""",
    "properties of PowerTool": """
$mo | Add-UcsManagedObject -XmlTag biosVfOSBootWatchdogTimer -PropertyMap @{VpOSBootWatchdogTimer="disabled"; }
$mo | Add-UcsManagedObject -XmlTag biosVfOSBootWatchdogTimerPolicy -PropertyMap @{VpOSBootWatchdogTimerPolicy="power-off"; }
$mo | Set-UcsBiosVfProcessorC1E -VpProcessorC1E disabled""",
}


@pytest.mark.parametrize("form", UCS)
def test_tokens_of_ucs(form: str) -> None:
    """A token that is known but for capitals, and one that another makes void."""
    found = audited(UCS[form], server="vendor cisco")
    assert [(each.code, each.at.line) for each in found.findings] == [("W0908", 3)]
    assert found.files[0].entries[-1].text == "disabled"


def test_names_of_ucs_manager_that_are_almost_those_of_intersight() -> None:
    """UCS Manager has its own, which are no slips of the pen."""
    tokens = (
        "AdjacentCacheLinePrefetcher",
        "DCUIPPrefetcher",
        "HardwarePrefetcher",
        "ProcessorC7Report",
        "QuietBoot",
    )
    text = "\n".join(f"$mo | Set-UcsBiosVf -Vp{token} enabled" for token in tokens)
    assert codes(audited(text, server="vendor cisco")) == []


OF_POWER_TECHNOLOGY = {
    "Set-UcsBiosVfProcessorEnergyConfiguration -VpPowerTechnology custom": [],
    'Set-UcsBiosVfProcessorEnergyConfiguration -VpPowerTechnology "platform-default"': [2, 3, 4],
    "Set-UcsBiosVfQuietBoot -VpQuietBoot disabled": [2, 3, 4],
    "$id = '<biosSettings/>' # for Cisco IMC": [],
}


@pytest.mark.parametrize("command", OF_POWER_TECHNOLOGY)
def test_what_a_policy_of_ucs_manager_changes_only_under_custom(command: str) -> None:
    """The guide asks for Custom. Later servers, which other services have as well, lack that token."""
    tool = "Set-UcsBios" if command.startswith("Set-Ucs") else "Set-Imc"
    tokens = (
        "IntelTurboBoostTech",
        "EnhancedIntelSpeedStepTech",
        "ProcessorC6Report",
        "IntelHyperThreadingTech",
    )
    text = "\n".join((command, *(f"{tool}Vf -Vp{token} disabled -Force" for token in tokens)))
    found = audited(text, server="vendor cisco").findings
    assert [each.at.line for each in found if each.code == "W0908"] == OF_POWER_TECHNOLOGY[command]


NUMBERED = """bios_attributes:
  PowerTechnology#2800: "{power}"
  CPUC6Report#0840: "Disable"
"""


def test_a_name_without_the_number_of_its_question() -> None:
    text = '{"Attributes": {"MemoryIntegrity": "Enable", "TurboMode_3D06": "Enable"}}'
    (finding, *_) = audited(text, server="vendor supermicro").findings
    assert (finding.code, finding.help) == ("W0913", ("did you mean `MemoryIntegrity_F31A`?",))
    known = audited('{"Attributes": {"TurboMode": "Enable"}}', server="vendor supermicro")
    assert not known.findings, "servers of X12 have it without a number"


@pytest.mark.parametrize(("power", "line"), [("Disable", [3]), ("Energy Efficient", [3]), ("Custom", [])])
def test_a_name_may_end_in_the_number_of_its_question(power: str, line: list[int]) -> None:
    found = audited(NUMBERED.format(power=power), server="vendor supermicro").findings
    assert [each.at.line for each in found if each.code == "W0908"] == line


OF_SUM: dict[tuple[str, ...], list[int]] = {
    # settings of a board, and which of them are void
    ("X11DPT-B", "Power Technology=Custom", "Turbo Mode=Disable", "CPU C6 report=Disable"): [],
    ("X11DPT-B", "Power Technology=Disable", "Turbo Mode=Disable", "CPU C6 report=Disable"): [3, 4],
    ("X11DPT-B", "Quiet Boot=Enabled", "Turbo Mode=Disable", "CPU C6 report=Disable"): [3, 4],  # by default
    ("X13DET-B", "Quiet Boot=Enabled", "Turbo Mode=Disable", "CPU C6 report=Disable"): [],
    ("X11DPT-B", "Intel VT for Directed I/O (VT-d)=Disable", "Interrupt Remapping=Enable", "ATS=Disable"): [
        3
    ],
    ("X11DPT-B", "Intel VT for Directed I/O (VT-d)=Enable", "Interrupt Remapping=Enable", "ATS=Enable"): [],
    ("X11DPT-B", "Patrol Scrub=Disable", "Patrol Scrub Interval=12", "ADDDC Sparing=Disable"): [3],
    ("X11DPT-B", "SATA Controller=Disable", "Configure SATA as=RAID", "sSATA Controller=Enable"): [3],
    ("X11DPT-B", "Memory Rank Sparing=Enable", "Multi Rank Sparing=One Rank", "Quiet Boot=Enabled"): [],
}


@pytest.mark.parametrize("case", OF_SUM)
def test_what_sum_refuses_or_menus_have_grey(case: tuple[str, ...]) -> None:
    """As Supermicro's guide for X11 and SUM's own files say: their `WorkIf` is the condition of a setting."""
    board, *settings = case
    form = '<Setting name="{}" selectedOption="{}" type="Option"/>'
    lines = [
        f"<BiosCfg> <!-- {board} -->",
        *(form.format(*setting.split("=")) for setting in settings),
        "</BiosCfg>",
    ]
    found = audited("\n".join(lines), server="vendor supermicro").findings
    assert [each.at.line for each in found if each.code == "W0908"] == OF_SUM[case]


def test_parts_of_directed_io_of_a_cisco_imc() -> None:
    text = (
        '{"Attributes": {"IntelVTD": "Disabled", "InterruptRemap": "Enabled", "IntelHyperThread": "Enabled"}}'
    )
    assert codes(audited(text, server="vendor cisco")) == ["W0908"]


def test_a_job_may_be_made_by_a_function_of_the_script() -> None:
    """Commands leave their values pending if nothing makes a job before the restart."""
    commands = "racadm set BIOS.SysProfileSettings.SysProfile Custom\n{job}racadm serveraction powercycle\n"
    for job, said in (("", ["W0908"]), ("make_job BIOS.Setup.1-1\n", [])):
        assert codes(audited(commands.format(job=job), server=R750)) == said
    note = "# see racadm set BIOS.SysProfileSettings.SysProfile Custom; racadm serveraction powercycle\n"
    assert codes(audited(note + "echo 1 > /proc/sys/vm/swappiness\n", server=R750)) == []


JOBS = {
    "a value after the job": """
#!/bin/sh
racadm set BIOS.SysProfileSettings.SysProfile Custom
racadm jobqueue create BIOS.Setup.1-1

racadm set BIOS.ProcSettings.LogicalProc Disabled     | W0908 is refused
""",
    "a job for each value": """
#!/bin/sh
racadm set BIOS.SysProfileSettings.SysProfile Custom
racadm jobqueue create BIOS.Setup.1-1
racadm set BIOS.ProcSettings.LogicalProc Disabled     | W0908 is refused
racadm jobqueue create BIOS.Setup.1-1
""",
    "a job that restarts": """
#!/bin/sh
racadm set BIOS.SysProfileSettings.SysProfile Custom
racadm jobqueue create BIOS.Setup.1-1 -r pwrcycle -s TIME_NOW
racadm set BIOS.ProcSettings.LogicalProc Disabled
""",
    "a note": """
racadm set BIOS.SysProfileSettings.SysProfile Custom
racadm jobqueue create BIOS.Setup.1-1
racadm set BIOS.ProcSettings.LogicalProc Disabled
""",
    "a restart in a comment": """
#!/bin/sh
racadm set BIOS.SysProfileSettings.SysProfile Custom
racadm jobqueue create BIOS.Setup.1-1
# after a restart:
racadm set BIOS.ProcSettings.LogicalProc Disabled
""",
    "a restart between": """
#!/bin/sh
racadm set BIOS.SysProfileSettings.SysProfile Custom
racadm jobqueue create BIOS.Setup.1-1
racadm serveraction powercycle
racadm set BIOS.ProcSettings.LogicalProc Disabled
racadm jobqueue create BIOS.Setup.1-1
""",
    "the job of a network card alone": """
#!/bin/sh
racadm set BIOS.SysProfileSettings.SysProfile Custom  | W0908 lacks its counterpart
racadm set NIC.DeviceLevelConfig.5.VirtualizationMode SRIOV
racadm jobqueue create NIC.Slot.1-1-1
""",
    "a function of the script, and a restart of another kind": """
#!/bin/sh
racadm_set() { ssh "$1" racadm set "$2" "$3"; }
racadm_set BIOS.SysProfileSettings.SysProfile Custom  | W0908 lacks its counterpart
reboot
""",
    "neither a job nor a restart": """
#!/bin/sh
racadm set BIOS.SysProfileSettings.SysProfile Custom  | W0908 lacks its counterpart
""",
    "a job that another file may make": """
#!/bin/sh
. ./functions.sh
racadm set BIOS.SysProfileSettings.SysProfile Custom
""",
    "the same name in two blocks of a guide": """
With Hyper-Threading:
```sh
racadm set BIOS.ProcSettings.LogicalProc Enabled
```
or without it:
```sh
racadm set BIOS.ProcSettings.LogicalProc Disabled
```
""",
    "the same name in two functions of a program": """
def on():
    run("racadm set BIOS.ProcSettings.LogicalProc Enabled")
def off():
    run("racadm set BIOS.ProcSettings.LogicalProc Disabled")
""",
    "the job of a variable": """
#!/bin/sh
racadm set BIOS.SysProfileSettings.SysProfile Custom
racadm jobqueue create ${component}
racadm serveraction powercycle
""",
}


@pytest.mark.parametrize("text", JOBS.values(), ids=JOBS.keys())
def test_jobs_in_their_order(text: str) -> None:
    rows = [
        (line.rstrip(), due.strip())
        for line, _, due in (row.partition("|") for row in text.strip().split("\n"))
    ]
    found = audited("\n".join(line for line, _ in rows), server=R750).findings
    said = {each.at.line: (each.code, each.message) for each in found}
    assert {number for number, (_, due) in enumerate(rows, 1) if due} == said.keys()
    for number, (_, due) in enumerate(rows, 1):
        code, _, words = due.partition(" ")
        assert not due or (said[number][0] == code and words in said[number][1])


def test_a_script_for_onecli() -> None:
    text = "onecli config set Processors.HyperThreading Enabled --bmc USERID@192.0.2.1\nOneCli.exe config set Power.PowerPerformanceBias PlatformControlled\n"
    found = audited(text, server="platform sr650-v3; os rhel 9")
    assert [entry.name for entry in found.files[0].entries] == [
        "Processors_HyperThreading",
        "Power_PowerPerformanceBias",
    ]
    assert values(found)["smt"] == "on"


TASKS = """
redfish_command | Systems | GracefulRestart      | E0907 did you mean `PowerGracefulRestart`?
redfish_command | Systems | PowerGracefulRestart |
redfish_command | Manager | GracefulRestart      |
ilo_redfish_config | Manager | SetNTPServer      | E0907 taken: SetTimeZone
ilo_redfish_config | Manager | SetNTPServers     |
redfish_config  | Systems | SetBiosAttribute     | E0907 taken: SetBiosDefaultSettings
redfish_config  | Systems | "{{ command }}"      |
"""
"""Typed from the tables of categories of both modules, community.general 11.4.2."""


@pytest.mark.parametrize("case", TASKS.strip().split("\n"))
def test_tasks_that_fail(case: str) -> None:
    module, category, command, said = (part.strip() for part in case.split("|"))
    task = f"- community.general.{module}:\n    category: {category}\n    command: {command}\n    bios_attributes:\n      LogicalProc: Disabled\n"
    found = audited(task, server=R750).findings
    assert [each.code for each in found] == said.split()[:1]
    assert all(each.at.line == 3 and each.help[0].startswith(said[6:]) for each in found)


def test_a_part_of_what_sum_writes() -> None:
    text = '<Setting name="Cores Enabled" numericValue="0" type="Numeric">\n'
    (entry,) = audited(text, server="vendor supermicro").files[0].entries
    assert (entry.name, entry.text) == ("Cores Enabled", "0")


SUM_WITH_DEFAULTS = """Supermicro Update Manager (for UEFI BIOS) 2.5.0

<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?>
<BiosCfg>
  <Menu name="Advanced">
    <Setting name="APBDIS" selectedOption="Auto" type="Option"/>
    <Setting name="Fixed SOC Pstate" selectedOption="{state}" type="Option">
      <Information>
        <AvailableOptions><Option value="0">P0</Option><Option value="1">P1</Option></AvailableOptions>
        <DefaultOption>P0</DefaultOption>
        <Help><![CDATA[below 45 \xb0C]]></Help>
      </Information>
    </Setting>
    <Setting name="Parity" order="1" selectedOption="None" type="Option"/>
    <Setting name="Parity" order="2" selectedOption="None" type="Option"/>
  </Menu>
</BiosCfg>
"""


@pytest.mark.parametrize(("state", "said"), [("P0", []), ("P1", [("W0908", 7)])])
def test_nobody_wishes_a_default_of_sum(state: str, said: list[tuple[str, int]], tmp_path: Path) -> None:
    """The tool writes in Latin-1, and what the server ships with; settings of the same name have numbers."""
    file = tmp_path / "bios.xml"
    file.write_text(SUM_WITH_DEFAULTS.format(state=state), encoding="latin-1")
    found = audited(read_text(str(file)), server="vendor supermicro")
    assert [(each.code, each.at.line) for each in found.findings if each.code != "W0902"] == said
    assert [entry.name for entry in found.files[0].entries] == [
        "APBDIS",
        "Fixed SOC Pstate",
        "Parity",
        "Parity$2",
    ]


def test_settings_of_sum() -> None:
    text = """<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?>
<BiosCfg>
  <Menu name="Advanced">
    <Setting name="Hyper-Threading [ALL]" selectedOption="Disable" type="Option"/>
    <Setting name="Quiet Boot" checkedStatus="Checked" type="CheckBox"/>
  </Menu>
</BiosCfg>
"""
    found = audited(text, server="platform sys-821ge-tnhr; os rhel 9")
    assert [(entry.name, entry.text) for entry in found.files[0].entries] == [
        ("Hyper-Threading [ALL]", "Disable"),
        ("Quiet Boot", "Checked"),
    ]
    assert found.files[0].unread == ()


TUNED_RESOURCE = """apiVersion: tuned.openshift.io/v1
kind: Tuned
metadata:
  name: lab
spec:
  profile:
  - name: lab
    data: |
      [main]
      include=throughput-performance
      [sysctl]
      vm.swappiness=1
  recommend:
  - priority: 20
    profile: lab
"""
MACHINE_CONFIG = """apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
spec:
  kernelArguments:
  - skew_tick=1
  - "nosmt"
  fips: false
"""


def test_resources_of_a_cluster() -> None:
    tuned = audited(TUNED_RESOURCE, server="os rhel 9")
    assert values(tuned)["swappiness"] == "1"
    assert values(tuned)["readahead"] == "4096"  # inherited
    assert [span.line for span in tuned.files[0].unread] == [7, 14, 15]
    machine = audited(MACHINE_CONFIG, server="os rhel 9")
    assert values(machine) == {"skew-tick": "on", "kernel-smt": "off"}
    assert [entry.span.line for entry in machine.files[0].entries] == [5, 6]
    assert [span.line for span in machine.files[0].unread] == [7]


def test_a_resource_that_a_script_writes() -> None:
    script = f"#!/bin/bash\ncat > config.yaml <<EOF\n{MACHINE_CONFIG}EOF\noc create -f config.yaml\n"
    found = audited(script, server="os rhel 9")
    assert values(found) == {"skew-tick": "on", "kernel-smt": "off"}
    assert [entry.span.line for entry in found.files[0].entries] == [7, 8]


# --------------------------------------------------------------------------------------- our own artifacts

OWN = [
    "scp/settings.xml",
    "racadm/racadm.plan",
    "syscfg/syscfg.plan",
    "redfish/settings.json",
]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of an example, with all ways to the firmware."""
    folder = tmp_path_factory.mktemp("efficient-web") / "bundle"
    named = (word for name in OWN for word in ("--target", name.partition("/")[0]))
    assert setpoint("compile", "examples/efficient-web/web.tune", *named, "-o", str(folder)).status == 0
    return folder


@pytest.mark.parametrize("name", OWN)
def test_what_we_write_for_the_firmware_is_read_back(bundle: Path, name: str) -> None:
    found, redfish = (
        audited((bundle / each).read_text("utf-8"), server="platform r720; os rhel 7")
        for each in (name, "redfish/settings.json")
    )
    assert values(found) == values(redfish)
    assert (len(values(found)), found.files[0].unread) == (24, ())
    assert not {"W0902", "W0903", "E0902", "E0907"} & set(codes(found))


WRITTEN = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in (ROOT / "examples").glob("*/expected/kernel-args/cmdline")
} | {
    f"{path.parents[2].name}/{file.path}": file.text
    for path in (ROOT / "examples").glob("*/expected/tuned/tuned.plan")
    for file in profile_of(path.read_text("utf-8"))
    if file.path.endswith(("/tuned.conf", "/sysctl.ktune"))
}
SYSTEMS = [
    pytest.param(text, id=name)
    for name, text in sorted(WRITTEN.items())
    if any(line.strip() and not line.startswith(("#", "[", "enabled=")) for line in text.splitlines())
]
"""Those that have a setting: a boot line can be empty, and tuned 0.2 has other files for sysctls."""


@pytest.mark.parametrize("text", SYSTEMS)
def test_what_we_write_for_the_system_is_read_back(text: str) -> None:
    found = audited(text, server="os rhel 7")
    assert found.files[0].unread == ()
    assert not {"W0902", "W0903", "E0902", "E0907", "E0906"} & set(codes(found)), [
        f.message for f in found.findings
    ]


def test_what_commands_write_is_read_as_they_write_it() -> None:
    script = """#!/bin/sh
echo -e never | tee -a /sys/kernel/mm/transparent_hugepage/enabled /sys/kernel/mm/transparent_hugepage/defrag
echo "echo never | tee -a /sys/kernel/mm/transparent_hugepage/enabled" | tee -a /etc/rc.local
grep "^GRUB_CMDLINE_LINUX=" /etc/default/grub | grep "quiet"
"""
    found = audited(script)
    (file,) = found.files
    assert [(entry.span.line, entry.text) for entry in file.entries] == [
        (2, "never"),
        (2, "never"),
        (3, "never"),
    ]
    assert codes(found) == []


def test_a_profile_in_quotes_is_read_like_one_in_a_block() -> None:
    manifest = """apiVersion: tuned.openshift.io/v1
kind: Tuned
spec:
  profile:
  - data: "[main]\\nsummary=lab\\n[bootloader]\\ncmdline_lab=+isolcpus=managed_irq,1-3
      nosmt\\n[sysctl]\\n# one\\nvm.drop_caches
      = 3\\n"
    name: lab
"""
    found = audited(manifest)
    assert [(finding.code, finding.at.line) for finding in found.findings] == [("W0911", 5), ("W0904", 6)]


def test_lists_of_one_parent_are_for_several_kinds_of_servers() -> None:
    playbook = """grub_cmdline_all:
  - quiet
  - iommu=pt
grub_cmdline_new:
  - quiet
  - iommu=off
kernelArguments: null
"""
    found = audited(playbook)
    (file,) = found.files
    assert len(file.entries) == 4
    assert codes(found) == []


@pytest.mark.parametrize(
    "line", ["- kernelArguments:", "kernelArguments:", "kernelArguments: |", "kernelArguments: ["]
)
def test_nested_lists_are_read_once(line: str) -> None:
    """Twice as many lines take about twice as long: the words of a list are no list of their own."""

    def seconds(count: int) -> float:
        source = SourceText("a", f"{line}\n" * count + "- quiet\n")
        began = process_time()
        list(settings_in(source))
        return process_time() - began

    seconds(100)
    assert min(seconds(4000) for _ in range(3)) < 10 * min(seconds(1000) for _ in range(3)) + 0.05


UNIT = """[Unit]
Description=huge pages
[Service]
ExecStart=/bin/sh -c 'echo never > /sys/kernel/mm/transparent_hugepage/enabled'
"""
RULES = """# disks
ACTION=="add|change", KERNEL=="sd[a-z]", ATTR{queue/scheduler}="noop"
ACTION=="add|change", KERNEL=="nvme*", ATTR{queue/scheduler}="none"
"""
IMAGE = """FROM debian:12
RUN echo "vm.swappiness = 10" >> /etc/sysctl.conf
"""
PUPPET = """class tuning {
  sysctl { 'net.ipv4.tcp_syn_retries': value => '3' }
  sysctl::parameters { 'web':
    values => {
      'net.ipv4.tcp_rmem' => [ 4096, 87380, 16777216 ], # least, default, most
      'net.ipv4.tcp_wmem' => "4096\\t65536\\t16777216",
      'vm.swappiness'     => 10,
    },
  }
}
"""
KARGS = """#!/bin/sh
rpm-ostree kargs --append=quiet \\
  --append-if-missing="iommu=pt" --append=nosmt \\
  --delete="mitigations=off"
"""
REPLACING = """#!/bin/sh
WORDS="isolcpus={CORES} nosmt"
MINE="${WORDS//\\{CORES\\}/$1}"
sed -i "s|^GRUB_CMDLINE_LINUX=.*|GRUB_CMDLINE_LINUX=\\"$MINE\\"|" /etc/default/grub
"""
ZFSBOOTMENU = """Kernel:
  CommandLine: ro quiet nosmt
"""
CHEF = """sysctl 'vm.swappiness' do
  value 10
end
node.default['sysctl']['params']['vm']['overcommit_memory'] = 1
"""
OF_TUNED_BY_SED = """words="+isolcpus=2-5 nosmt"
sed -i 's|^cmdline_realtime=.*|cmdline_realtime='"${words}"'|' /usr/lib/tuned/realtime/tuned.conf
"""
SALT = """vm.swappiness:
  sysctl.present:
    - value: 10
"""
SALT_BY_NAMES = """fewer_pages_out:
  sysctl.present:
    - name: vm.swappiness
    - config: /etc/sysctl.d/90-db.conf
    - value: 10
more_waiting:
  sysctl.present:
    - value: 4096
    - name: net.core.somaxconn
"""
NIXOS = """{ config, lib, ... }: {
  boot.kernelParams = [
    "isolcpus=2-5"
    # not "debug"; see [1]
    "quiet"
  ];
  boot.kernel.sysctl = {
    "vm.swappiness" = lib.mkForce 10;
  };
  boot.kernel.sysctl."kernel.sysrq" = 1;
  boot.kernel.sysctl."vm.nr_hugepages" = cfg.pages;
}
"""
NIXOS_BY_PARTS = """{ config, lib, ... }: {
  boot.kernelParams = lib.mkBefore [ "quiet" ] ++ lib.optionals config.trusted [
    "mitigations=off"
  ];
  boot.kernel.sysctl."vm.swappiness" = 10;
  boot.initrd.enable = true;
  boot.kernelParams = config.boot.params ++ [ "nosmt" ];
}
"""
NIXOS_BY_NAMES = """{ config, lib, ... }: {
  boot.kernelParams = let
    swap = if config.swap == "on" then [
      "zswap.enabled=1"
    ] else [
      "zswap.enabled=0"
    ];
    all = [
      "nosmt"
      "panic=${
        if config.stops
        then "10"
        else "0"
      }"
    ] ++ swap;
  in
    all;
  boot.kernel.sysctl."vm.swappiness" = 10;
}
"""
CLOUD_INIT = """#cloud-config
runcmd:
  - [ sysctl, -w, vm.swappiness=10 ]
  - echo "kernel.panic = 10" >> /etc/sysctl.conf
"""
DEVICES = """#!/bin/sh
for disk in sda sdb; do
  echo none > /sys/block/$disk/queue/scheduler
  echo 0 | tee "/sys/block/${disk}/queue/rotational"
done
tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor <<< performance
echo 1 > /sys/block/$(lsblk -dno NAME | head -1)/queue/rotational
"""
RULES_OF_OTHERS = """# no disks
SUBSYSTEM=="bdi", ACTION=="add", ATTR{read_ahead_kb}="15380"
ACTION=="add", SUBSYSTEM=="pci", ATTR{class}=="0x030000", ATTR{power/control}="auto"
KERNEL=="sd*", ATTR{queue/rotational}=="0", ATTR{device/timeout}="60"
KERNEL=="zram0", ATTR{disksize}="1G", SYSCTL{vm.swappiness}="150"
"""
TMPFILES = """# Type Path Mode User Group Age Argument
w /sys/kernel/mm/transparent_hugepage/enabled - - - - never
w /proc/sys/vm/swappiness - - - - 10
"""


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (UNIT, ["/sys/kernel/mm/transparent_hugepage/enabled = never"]),
        (RULES, ["/sys/block/*/queue/scheduler = noop", "/sys/block/*/queue/scheduler = none"]),
        (IMAGE, ["vm.swappiness = 10"]),
        (PUPPET, ["net.ipv4.tcp_syn_retries = 3", "net.ipv4.tcp_rmem = 4096 87380 16777216", "net.ipv4.tcp_wmem = 4096 65536 16777216", "vm.swappiness = 10"]),
        (KARGS, ["quiet", "iommu=pt", "nosmt"]),
        (REPLACING, ["isolcpus={CORES}", "nosmt"]),
        (ZFSBOOTMENU, ["ro", "quiet", "nosmt"]),
        (CHEF, ["vm.swappiness = 10", "vm.overcommit_memory = 1"]),
        (OF_TUNED_BY_SED, ["isolcpus=2-5", "nosmt"]),
        (SALT, ["vm.swappiness = 10"]),
        (SALT_BY_NAMES, ["vm.swappiness = 10", "net.core.somaxconn = 4096"]),
        (
            NIXOS,
            ["isolcpus=2-5", "quiet", "vm.swappiness = 10", "kernel.sysrq = 1", "vm.nr_hugepages = {cfg.pages}"],
        ),
        (NIXOS_BY_PARTS, ["quiet", "mitigations=off", "vm.swappiness = 10", "nosmt"]),
        (NIXOS_BY_NAMES, ["zswap.enabled=1", "zswap.enabled=0", "nosmt", "vm.swappiness = 10"]),
        (CLOUD_INIT, ["vm.swappiness = 10", "kernel.panic = 10"]),
        (DEVICES, ["/sys/block/*/queue/scheduler = none", "/sys/block/*/queue/rotational = 0", "/sys/devices/system/cpu/cpufreq/policy*/scaling_governor = performance"]),
        (RULES_OF_OTHERS, ["/sys/class/bdi/*/read_ahead_kb = 15380", "/sys/bus/pci/devices/*/power/control = auto", "/sys/block/*/device/timeout = 60", "vm.swappiness = 150"]),
        (TMPFILES, ["/sys/kernel/mm/transparent_hugepage/enabled = never", "vm/swappiness = 10"]),
    ],
)  # fmt: skip
def test_what_other_programs_write(text: str, written: list[str]) -> None:
    assert [entry.written for entry in audited(text).files[0].entries] == written


LOADERS = {
    # what boot loaders call a boot line, and the words of it; each entry of a menu is a part
    "systemd-boot": ("title one\nlinux /vmlinuz\noptions\troot=UUID=1 rw \\\n  quiet\n", [["root=UUID=1", "rw", "quiet"]]),
    "extlinux": ("LABEL a\n  LINUX /Image\n  APPEND ${cbootargs} iommu=pt\nLABEL b\n  APPEND iommu=off\n", [["iommu=pt"], ["iommu=off"]]),
    "GRUB": ("menuentry 'a' {\n  linux ($root)/vmlinuz ro nosmt $extra\n  initrd /initrd\n}\n", [["ro", "nosmt"]]),
    "iPXE": ("#!ipxe\nkernel ${base}/vmlinuz initrd=initrd iommu=pt || goto failed\ninitrd ${base}/initrd\n", [["initrd=initrd", "iommu=pt"]]),
    "rEFInd": ('"normal" "ro iommu=pt"\n"safe"  "ro iommu=off"\n', [["ro", "iommu=pt"], ["ro", "iommu=off"]]),
    "U-Boot": ('if test "${a}" = "on"; then setenv bootargs "${bootargs} nosmt console=tty1"; fi\n', [["nosmt", "console=tty1"]]),
    "BitBake": ('CMDLINE_ISOLATED ?= "isolcpus=1-3"\nCMDLINE:remove = "nosmt quiet"\nCMDLINE += "ro quiet"\n', [["isolcpus=1-3", "ro", "quiet"]]),
}  # fmt: skip


@pytest.mark.parametrize("loader", LOADERS)
def test_boot_lines_of_loaders(loader: str) -> None:
    text, due = LOADERS[loader]
    parts: dict[int, list[str]] = {}
    for entry in audited(text).files[0].entries:
        parts.setdefault(entry.part, []).append(entry.written)
    assert list(parts.values()) == due


@pytest.mark.parametrize(
    "text",
    [
        "options = parse(flags=1)\nappend(options)\n",  # a program
        "GOVERNOR=performance\n",  # a variable of another program
        "z /sys/class/dmi/id/product_serial 440 root wheel\n",  # an access to a file
    ],
)
def test_what_is_no_boot_line(text: str) -> None:
    with pytest.raises(SetpointError) as refused:
        audited(text)
    assert refused.value.diagnostics[0].code in ("E0901", "E0908")


GUIDES = {
    # guides without fences, and parts that are documents
    "rows of Markdown": ("# Hardening\n|Setting|Why|\n|---|---|\n|`fs.suid_dumpable = 0`|dumps|\n|`net.ifnames=0`|names: old|\n", ["fs.suid_dumpable = 0", "net.ifnames=0"]),
    "commands in sentences": ("# Swap\nRun `sudo sysctl -w vm.swappiness=10`, not `vm.dirty_ratio=5`. See `sysctl -w vm.dirty_ratio=a percentage`.\n````\n```\nsysctl -w fs.suid_dumpable=0\n```\n````\n", ["fs.suid_dumpable = 0", "vm.swappiness = 10"]),
    "YAML in Markdown": ("Pass:\n```yaml\nadditionalKernelArgs:\n  - nosmt\nsysctls:\n  vm.swappiness: 10\n```\n", ["nosmt", "vm.swappiness = 10"]),
    "boot lines in Markdown": ("~~~\nlinux /boot/vmlinuz ro rhgb quiet iommu=pt unheard=1\nmetal.wipe=1 nosmt console=tty0 ip=dhcp \\\n~~~\n", ["ro", "rhgb", "quiet", "iommu=pt", "unheard=1", "metal.wipe=1", "nosmt", "console=tty0", "ip=dhcp"]),
    "reStructuredText": ("Dumps\n-----\n\n.. note:: Edit the file: see below.\n\nAdd this::\n\n    fs.suid_dumpable = 0\n\nThen restart.\n", ["fs.suid_dumpable = 0"]),
    "an underline of reStructuredText": ("Dumps\n~~~~~\n\n.. code-block::\n\n    fs.suid_dumpable = 0\n\nSwap\n~~~~~\n\nLittle.\n", ["fs.suid_dumpable = 0"]),
    "Markdown without fences": (
        "# Swap\n\nThe server is to keep its pages in memory:\n\n    vm.swappiness = 10\n    vm.dirty_ratio = 5\n\nThe kernel reads these when it starts again:\n\n    GRUB_CMDLINE_LINUX=\"skew_tick=1\"\n",
        ["vm.swappiness = 10", "vm.dirty_ratio = 5", "skew_tick=1"],
    ),
    "AsciiDoc": ('= Profiles\n\n[subs="quotes"]\n----\n[sysctl]\nvm.swappiness=10\n----\n[role="x"]\nText\n', ["vm.swappiness = 10"]),
}  # fmt: skip


@pytest.mark.parametrize("guide", GUIDES)
def test_guides(guide: str) -> None:
    text, due = GUIDES[guide]
    (file,) = audited(text).files
    assert (file.form, [entry.written for entry in file.entries]) == ("guide", due)


def test_a_file_of_sysctls_with_headings_is_no_guide() -> None:
    """Its headings are comments, and nothing in it is a sentence."""
    text = (
        "## Network\nnet.core.somaxconn = 4096\n    vm.swappiness = 10\n## Memory\n    vm.dirty_ratio = 5\n"
    )
    assert audited(text).files[0].form == "sysctl"


def test_a_program_with_sentences_is_no_guide() -> None:
    words = "Nodes of the cluster are to have this.\nThe values are those of the spring.\n"
    text = f'"""Tune.\n\n{words}"""\n# Settings\nimport os\n\ndef tune():\n    os.system("sysctl -w vm.swappiness=10")\n'
    assert audited(text).files[0].form == "script"


def test_what_is_behind_a_value_in_a_file_of_sysctls_is_a_part_of_it() -> None:
    sysctls = "net.core.default_qdisc = fq  # fair\nvm.swappiness = 10  # little\n"
    for text in (
        sysctls,
        f"# Guide\n```\n{sysctls}```\n",
        f"cat > /etc/sysctl.d/9.conf <<END\n{sysctls}END\n",
    ):
        assert messages(audited(text), "E0907") == [
            "`net.core.default_qdisc` does not take `fq # fair`: the kernel has no module of that name, and refuses it"
        ]


def test_a_guide_without_settings_has_none() -> None:
    """Sentences with a colon are no names and values, also where one of them is a name of the firmware."""
    text = "# A tool\nSee [here](https://example.org): it is fast.\nNote: no warranty.\nLicense: free\nSupports: all\n```\nmake\n```\nTurbo Mode: see below\n"
    with pytest.raises(SetpointError) as refused:
        audited(text)
    assert refused.value.diagnostics[0].code == "E0908"


@pytest.mark.parametrize("line", ["line: 'vm.swappiness = 10'", "line: vm.swappiness = 10"])
def test_a_line_that_a_task_writes(line: str) -> None:
    (file,) = audited(f"- name: set\n  lineinfile:\n    path: /etc/sysctl.conf\n    {line}\n").files
    assert [entry.written for entry in file.entries] == ["vm.swappiness = 10"]


def test_a_task_on_one_line() -> None:
    (file,) = audited("- lineinfile: dest=/etc/sysctl.conf line='vm.swappiness = 10' state=present\n").files
    assert [entry.written for entry in file.entries] == ["vm.swappiness = 10"]


TERRAFORM = """resource "intersight_bios_policy" "latency" {
  name        = "latency"
  description = var.description
  organization {
    moid = local.organization
  }
  cpu_performance  = "enterprise"
  processor_cstate = "disabeld"
  processor_c1e    = var.c1e
}
"""
TASK = """- cisco.intersight.intersight_bios_policy:
    organization: lab
    name: latency
    cpu_performance: enterprise
    processor_cstates: disabled
"""
POLICY = (
    '{"Name": "latency", "Organization": {"Moid": "1"}, "CpuPerformance": "enterprise", "ProcessorC1e": "on"}'
)


@pytest.mark.parametrize(
    ("text", "names", "message"),
    [
        (TERRAFORM, ["cpu_performance", "processor_cstate", "processor_c1e"], "`processor_cstate` does not take `disabeld`"),
        (TASK, ["cpu_performance", "processor_cstates"], "`processor_cstates` is no attribute here"),
        (POLICY, ["CpuPerformance", "ProcessorC1e"], "`ProcessorC1e` does not take `on`"),
    ],
)  # fmt: skip
def test_policies_of_intersight(text: str, names: list[str], message: str) -> None:
    """What says for whom a policy is, is no attribute."""
    found = audited(text, server="vendor cisco")
    assert [entry.name for entry in found.files[0].entries] == names
    assert [each.message[: len(message)] for each in found.findings if each.code == "W0913"] == [message]


BESIDE = """
policies = {
  "energy" = {
    cpu_power_management   = "energy-efficient"
    processor_c6report     = "disabled"             # ignored
    intel_turbo_boost_tech = "platform-default"
    cpu_energy_performance = "performance"          # ignored
    pwr_perf_tuning        = "bios"
  },
  "custom" = {
    cpu_power_management   = "custom"
    processor_c6report     = "disabled"
    cpu_energy_performance = "performance"          # alone
  },
  "compute" = {
    cpu_performance        = "hpc"
    hardware_prefetch      = "disabled"             # ignored
    streamer_prefetch      = "disabled"
  },
}
"""


def test_a_policy_ignores_tokens_by_its_own_tokens() -> None:
    """Each policy of a file is for other servers."""
    lines = BESIDE.split("\n")
    found = audited(BESIDE, server="vendor cisco").findings
    assert sorted(each.at.line for each in found if each.code == "W0908") == [
        number for number, line in enumerate(lines, 1) if "#" in line
    ]


WITHIN_ONE_POLICY = """
bios_policies = {
  "fixed" = {
    cbs_cmn_fixed_soc_pstate = "P0"                   # alone: by default the firmware decides on APBDIS
  }
  "free" = {
    cbs_cmn_apbdis           = "0"
    cbs_cmn_fixed_soc_pstate = "P0"                   # void
  }
  "default" = {
    intel_vt_for_directed_io      = "platform-default"
    intel_vtd_interrupt_remapping = "enabled"
  }
  "memory" = {
    select_memory_ras_configuration = "adddc-sparing"
    mirroring_mode                  = "inter-socket"  # void
    sparing_mode                    = "rank-sparing"
    network_stack                   = "disabled"
    ipv4pxe                         = "enabled"       # void
    ipv6pxe                         = "disabled"
    assert_nmi_on_perr              = "enabled"       # void
    assert_nmi_on_serr              = "disabled"
  }
  "devices" = {
    intel_vt_for_directed_io      = "disabled"
    intel_vtd_interrupt_remapping = "enabled"         # void
    intel_vtd_coherency_support   = "disabled"
    all_usb_devices               = "disabled"
    usb_port_rear                 = "enabled"         # void
    boot_option_retry             = "disabled"
    boot_option_re_cool_down      = "45"              # void
    console_redirection           = "disabled"
    baud_rate                     = "115200"          # void
    txt_support                   = "enabled"         # void: it needs VT for Directed I/O
  }
  "security" = {
    panic_high_watermark        = "High"              # insecure
    burst_and_postponed_refresh = "platform-default"
  }
}
"""


def test_tokens_that_need_others() -> None:
    """As the guide of UCS Manager has it. The default of a platform is no wish, and makes nothing void."""
    found = audited(WITHIN_ONE_POLICY, server="vendor cisco").findings
    assert sorted(each.at.line for each in found if each.code in ("W0907", "W0908")) == [
        number for number, line in enumerate(WITHIN_ONE_POLICY.split("\n"), 1) if "#" in line
    ]


OF_UCS_MANAGER = """{"bios_policies": [
  {
    "name": "fast", "descr": "a policy of UCS Manager, which calls tokens by names of its own", "reboot_on_update": "no",
    "power_technology": "performance",
    "energy_performance": "performance",
    "processor_c6_report": "enabled",
    "energy_performance_tuning": "bios"
  },
  {
    "name": "own",
    "power_technology": "custom",
    "processor_c6_report": "enabled",
    "enhanced_cpu_performance": "Auto"
  }
]}
"""


def test_a_text_is_known_beside_one_that_is_remarked() -> None:
    policy = 'bios_policies = {\n  "one" = {\n    cpu_performance = "hpc"\n    execute_disable_bit = "enabled"\n  }\n}\n'
    assert codes(audited(policy, server="platform ucs-m7")) == []


def test_policies_of_one_document_are_apart() -> None:
    """The second one has no entry twice, and nothing in it is void."""
    found = audited(OF_UCS_MANAGER, server="vendor cisco")
    assert [(each.code, each.at.line) for each in found.findings] == [("W0908", 5), ("W0908", 6)]
    assert [entry.part for entry in found.files[0].entries] == [1, 1, 1, 1, 2, 2, 2]


TWO_HOSTS = """apiVersion: metal3.io/v1alpha1
kind: HostFirmwareSettings
spec:
  settings:
    SysProfile: PerfOptimized
    ProcCStates: Disabled
---
apiVersion: metal3.io/v1alpha1
kind: HostFirmwareSettings
spec:
  settings:
    WorkloadProfile: LowLatency
    ProcHyperthreading: Enabled
"""


def test_resources_of_one_document_are_for_several_hosts() -> None:
    """The second one is of another maker, so that nothing in it is unknown for the first."""
    found = audited(TWO_HOSTS, server="os debian 12").findings
    assert [(each.code, each.at.line) for each in found] == [("W0908", 6)]


OF_PROGRAMS = {
    # Dictionaries on one line are profiles of their own.
    """PROFILES = {
    "latency": {"SysProfile": "Custom", "ProcCStates": "Disabled", "ProcC1E": "Disabled"},
    "power": {"SysProfile": "PerfPerWattOptimizedDapc", "ProcCStates": "Enabled"},
}
""": ("os debian 12", [3]),
    # Arguments of Cisco's SDK for Python, and properties of its module for Ansible.
    """handle.set_mo(BiosVfIntelTurboBoostTech(mo, vp_intel_turbo_boost_tech="disabled"))
handle.set_mo(BiosVfEnergy(mo, vp_energy_performance="performance", vp_power_technology="energy-efficient"))
""": ("vendor cisco", [1, 2]),
    # Before that, properties were constants of their class.
    """handle.AddManagedObject(mo, Turbo.ClassId(), {Turbo.VP_INTEL_TURBO_BOOST_TECH: "enabled"}, True)
handle.AddManagedObject(mo, Step.ClassId(), {Step.VP_ENHANCED_INTEL_SPEED_STEP_TECH: "disabled"}, True)
""": ("vendor cisco", [1]),
    """- hosts: localhost
  tasks:
  - cisco.ucs.ucs_managed_objects:
      objects:
      - class: BiosVProfile
        children:
        - class: BiosVfProcessorEnergyConfiguration
          properties:
            vp_energy_performance: performance
            vp_power_technology: performance
""": ("vendor cisco", [9]),
    """  objects:
  - {"class": "BiosVfProcessorEnergyConfiguration", "properties": {
        "vp_energy_performance": "performance",
        "vp_power_technology": "performance"}}
""": ("vendor cisco", [3]),
    # An array of a shell has the paths of racadm, other variables of it the names.
    """#!/bin/bash
declare -A WANTED=( ['BIOS.SysProfileSettings.SysProfile']='PerfPerWattOptimizedDapc' )
WANTED['BIOS.SysProfileSettings.ProcCStates']='Enabled'
""": ("vendor dell", [3]),
    """#!/bin/bash
SysProfile="PerfPerWattOptimizedDapc"
ProcCStates="Enabled"
apply "$SysProfile" "$ProcCStates"
""": ("vendor dell", [3]),
    # A guide may begin with a comment of HTML, and have a playbook as well.
    """<!-- SPDX-License-Identifier: MIT -->
# Profiles
```yaml
- hosts: all
  roles: [bios]
```
```yaml
spec:
  bios:
    attributes:
      SysProfile: PerfPerWattOptimizedDapc
      ProcCStates: Enabled
```
""": ("vendor dell", [12]),
}


def test_what_a_program_calls_attributes_is_no_text_of_theirs() -> None:
    names = """NAMES = {
    'numa_optimized': 'NumaOptimized',
    'cpu_energy_performance': 'CpuEnergyPerformance',
    'cpu_performance': 'CpuPerformance',
}
WANTED = {
    'NumaOptimized': 'enabled',
    'CpuPerformance': 'custom',
}
"""
    assert codes(audited(names, server="vendor cisco")) == []


def test_a_variable_of_a_program_is_no_text() -> None:
    """Between quotes it has the names, and a text would be between quotes as well."""
    text = """bios_settings: [
    {
        "name": "ProcVirtualization",
        "value": %s,
    },
    {
        "name": "ProcX2Apic",
        "value": "Enabled",
    },
]
"""
    assert "W0913" not in codes(audited(text % "wanted", server="vendor dell"))


OPTIONS_OF_POWERSHELL = """foreach ($server in $servers) {
    Set-HPEBIOSVirtualization -Connection $server -CPU_Virtualization Enabled -SR_IOV Enabled
    Set-HPBIOSNodeInterleaving -Connection $server -NodeInterleaving $wanted
}
"""


def test_options_of_hpe_cmdlets() -> None:
    """They have names and words of their own, of which none is taken for a mistake."""
    found = audited(OPTIONS_OF_POWERSHELL, server="vendor hpe")
    assert [e.name for e in found.files[0].entries] == ["CPU_Virtualization", "SR_IOV", "NodeInterleaving"]
    assert not {"W0913", "E0907", "E0902"} & {*codes(found)}


def test_few_attributes_among_the_lines_of_a_program() -> None:
    """Only names that are known are settings there, and no sentence about one."""
    others = "\n".join(f"$Option{letter} = 'x'" for letter in "ABCDEFGH")
    help_ = "ProcC1E: Use this option to say what becomes of idle processors of a server."
    found = audited(
        f"{help_}\n{others}\nSysProfile = PerfPerWattOptimizedDapc\nProcCStates = Enabled\n",
        server="vendor dell",
    )
    assert codes(found) == ["W0908"]
    assert len(found.files[0].unread) == 8


@pytest.mark.parametrize("text", OF_PROGRAMS)
def test_profiles_of_programs(text: str) -> None:
    server, lines = OF_PROGRAMS[text]
    found = audited(text, server=server).findings
    assert [each.at.line for each in found if each.code == "W0908"] == lines


CAPITALS = {
    'cpu_perf_enhancement = "Disabled"': [],
    'cpu_perf_enhancement = "disabled"': ["E0907"],
    'package_cstate_limit = "C0 C1 State"': [],
    'streamer_prefetch = "Auto"': [],  # newer than the modules for Ansible
    'memory_size_limit = "65535"': [],
    'memory_size_limit = "65536"': ["E0907"],
    'demand_scrub = "enabled"': [],
    'demand_scrub = "disabled"': ["W0911"],  # the guide warns of it
    '-CpuPerfEnhancement "disabled"': [],  # PowerShell does not compare capitals
}


@pytest.mark.parametrize("setting", CAPITALS)
def test_texts_of_tokens(setting: str) -> None:
    policy = f'resource "intersight_bios_policy" "one" {{\n  name = "one"\n  {setting}\n  cdn_enable = "enabled"\n}}\n'
    text = f"New-IntersightBiosPolicy -Name one {setting}\n" if setting[0] == "-" else policy
    assert [each.code for each in audited(text, server="vendor cisco").findings] == CAPITALS[setting]


def test_a_key_within_a_key() -> None:
    """Of keys for attributes the innermost has them. A list can be at the column of its key."""
    text = 'bios_config:\n  task: dell.yml\n  R640:\n    bios_attrs:\n      LogicalProc: "Disabled" #no SMT\n  R740:\n    bios_attrs:\n    - ProcC1E: Disabled\n'
    entries = audited(text, server="vendor dell").files[0].entries
    assert [(entry.name, entry.text, entry.part) for entry in entries] == [
        ("LogicalProc", "Disabled", 4),
        ("ProcC1E", "Disabled", 6),
    ]


ONE_OF_THREE = """GRUB_CMDLINE_LINUX="quiet"
GRUB_CMDLINE_LINUX_DEFAULT="acpi_osi=Linux"
GRUB_CMDLINE_LINUX_DEFAULT="acpi_osi=Linux nohz=off"
GRUB_CMDLINE_LINUX_DEFAULT="$GRUB_CMDLINE_LINUX_DEFAULT nowatchdog"
"""
NIXOS = """boot = lib.mkMerge [
  (lib.mkIf (lib.versionOlder kver "6.3") {
    kernelParams = [ "amd_pstate=passive" ];
  })
  (lib.mkIf (lib.versionAtLeast kver "6.3") {
    kernelParams = [ "amd_pstate=active" ];
  })
];
"""
FUNCTIONS = """#!/bin/bash
local_one(){
  ilorest select Bios.
  ilorest set BootMode=Uefi --commit
}
remote(){
  ilorest select Bios. --url=$1
  ilorest set BootMode=LegacyBios --commit
}
"""
ANOTHER_GROUP = """racadm set BIOS.SysProfileSettings.SysProfile PerfOptimized
racadm set BIOS.ProcSettings.ProcCStates Disabled
"""
YAML_OF_POLICIES = """---
default:
  policies:
    bios:
      - baud_rate: "115200"
        execute_disable_bit: disabled
        name: one
      - baud_rate: "115200"
        execute_disable_bit: enabled
        name: two
"""


@pytest.mark.parametrize(
    ("text", "server", "said"),
    [
        # The last assignment counts, with what is added to it: what was before is replaced, and is no repetition.
        (ONE_OF_THREE, "os modern-linux", [(2, "E0906")]),
        # Each holds under a condition of its own.
        (NIXOS, "os modern-linux", [(3, "W0910"), (6, "W0910")]),
        (FUNCTIONS, "vendor hpe", []),
        # The command fails, so that nothing follows from its value.
        (ANOTHER_GROUP, 'platform "PowerEdge R630"', [(2, "E0907"), (2, "W0908")]),
        # Each item of the list is a policy of its own.
        (YAML_OF_POLICIES, "vendor cisco", [(6, "W0907")]),
        ('kernel_cmdline="console=ttyS0 systemd.debug_shell=1"\n', "os modern-linux", [(1, "W0907")]),
        ('ACTION=="add", ATTR{queue/scheduler}="bfq-sq"\n', "os modern-linux", [(1, "W0904")]),
        ('ENV{ID_BUS}=="ata", ATTR{queue/scheduler}="noop"\n', "os debian 12", [(1, "W0904")]),
        ("w /sys/devices/system/machinecheck/machinecheck0/tolerant - - - - 2\n", "os debian 13", [(1, "W0904")]),
        # a controller has no queue, and the kernel takes 4 for less
        ('SUBSYSTEM=="nvme", ATTR{queue/nr_requests}="1023"\n', "os debian 12", [(1, "W0904")]),
        ('SUBSYSTEM=="block", ATTR{queue/nr_requests}="2"\n', "os debian 12", [(1, "E0907")]),
        # A here-document shows that a text is a script.
        ("cat >> /etc/sysctl.conf << EOF\nfs.suid_dumpable = 3\nEOF\n/sbin/sysctl -p\n", "os debian 12", [(2, "E0907")]),
        # A program's text has its quotes behind a backslash.
        ('system("sysctl -w net.ipv4.tcp_rmem=\\"4096 8388608 16777216\\"");\nsystem("sysctl -w fs.suid_dumpable=\\"3\\"");\n', "os debian 12", [(2, "E0907")]),
        # What a text of a rule has behind a backslash does not end it.
        ('ACTION=="add", SUBSYSTEM=="bdi", PROGRAM="/bin/awk -v b=\\$kernel \\"x\\"", ATTR{read_ahead_kb}="15380"\n', "os debian 12", []),
        # A task that writes a file for later does not repeat a command for now.
        ("- name: set\n  command: sysctl -w vm.swappiness=1\n- lineinfile:\n    line: vm.swappiness = 1\n", "os debian 12", []),
        # In a module of NixOS each key of such a mapping is a sysctl.
        ('boot.kernel.sysctl = {\n  "swappiness" = 10;\n};\n', "os debian 12", [(2, "E0902")]),
        # Of two branches of NixOS one holds.
        (NIXOS_BY_NAMES, "os debian 12", []),
        # Nodes of AKS have names of their own.
        ("linuxOSConfig:\n  sysctls:\n    fsNrOpen: 8192\n    netIpv4TcpTwReuse: true\n", "os ubuntu 22.04", [(3, "W0919")]),
        ("sysctl_config:\n  fs_nr_open: 8192\n", "os ubuntu 22.04", [(2, "W0919")]),
    ],
)  # fmt: skip
def test_only_what_is_in_force_together_is_compared(
    text: str, server: str, said: list[tuple[int, str]]
) -> None:
    assert [(each.at.line, each.code) for each in audited(text, server=server).findings] == said


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('"net.ipv4.conf.all.forwarding" = true;', "1"),  # as NixOS writes it
        ('"net.ipv4.tcp_syncookies" = lib.mkDefault false;', "0"),
        ("kernel.core_uses_pid: yes", "1"),  # as a module of Ansible writes it
        ("- { name: kernel.sem, value: 250 32000 100 128 }", "250 32000 100 128"),
    ],
)
def test_a_sysctl_that_is_true_is_one(line: str, expected: str) -> None:
    (file,) = audited(f"sysctls:\n  {line}\n  vm.swappiness: 10\n").files
    assert [entry.text for entry in file.entries] == [expected, "10"]


def test_a_quoted_pair_has_all_of_its_numbers() -> None:
    (file,) = audited('#!/bin/sh\nsysctl -w "net.ipv4.ip_local_port_range=1024 65000"\n').files
    assert [entry.text for entry in file.entries] == ["1024 65000"]

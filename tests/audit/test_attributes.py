"""Attributes and texts that no server has, what only menus or tools call so, and the forms in which files have
attributes."""

import json

import pytest

from audit import audited, codes, messages, values
from setpoint.compiler.audit.recognise import lexicon
from setpoint.compiler.entries.model import ATTRIBUTE
from setpoint.compiler.pipeline import knowledge_for, read_text

LINES = """
r740        | {"Attributes": {"IoatDmaEngine": "Enabled"}}          | W0913 did you mean `IoatEngine`?
r740        | {"Attributes": {"SysProfile": "Performance"}}         | W0913 write what is meant
r740        | {"Attributes": {"NumLock": "On", "BootMode": "Uefi"}} |
r740        | {"Attributes": {"NumLock": "Maybe"}}                  | W0913 write what is meant
r740        | {"Attributes": {"ProcCStates": "Autonomous"}}         | W0903 known:
r740        | {"Attributes": {"MemoryOperatingMode": "OptimizerMode"}} | E0907 write `MemOpMode`
r740        | Memory Operating Mode: Optimizer Mode                 |
r760        | {"Attributes": {"IommuSupport": "Enabled"}}           | W0913 leave it out
dl380-gen10 | {"Attributes": {"WorkloadProfile": "HPC"}}            | W0913 write what is meant
dl380-gen10 | {"Attributes": {"PowerProfile": "MaxPerf"}}           | W0913 leave it out
dl380-gen9  | {"Attributes": {"PowerProfile": "MaxPerf"}}           |
dl380-gen9  | {"Attributes": {"PowerProfile": "Maximum"}}           | W0913 write what is meant
r740        | racadm set BIOS.ProcSettings.ProcTurboMode Enabled    | E0907 write `BIOS.SysProfileSettings.ProcTurboMode`; W0908 add `SysProfile = Custom`
r740        | racadm set bios.sysprofilesettings.sysprofile Custom  |
"""


GENERATIONS = """
# HPE Gen10              | ilorest set HyperThreading=Disabled --selector Bios.      | W0913
# HPE Gen10              | ilorest set ProcHyperthreading=Disabled --selector Bios.  |
# HPE Gen10              | ilorest set EmbeddedSata=AHCI2 --selector Bios.           | W0913
# HPE Gen10              | ilorest set PowerProfile=MaxPerf --selector Bios.         | W0913
# HPE Gen9               | ilorest set PowerProfile=MaxPerf --selector Bios.         |
# HPE Gen9               | ilorest set WorkloadProfile=LowLatency --selector Bios.   | W0913
# HPE Gen10              | ilorest set AsrTimeoutMinutes=10 --selector Bios.         | W0913
# HPE Gen10              | ilorest set AsrTimeoutMinutes=Timeout10 --selector Bios.  |
# HPE Gen9               | ilorest set AsrTimeoutMinutes=Timeout10 --selector Bios.  | W0913
# HPE Gen9               | ilorest set AsrTimeoutMinutes=10 --selector Bios.         |
# HPE Gen9               | ilorest set MinProcIdlePower=C3 --selector Bios.          | W0908
# HPE Gen9, Gen10        | ilorest set PowerProfile=MaxPerf --selector Bios.         |
# HPE DL385 Gen11        | ilorest set ProcHyperthreading=Disabled --selector Bios.  | W0913
# HPE DL385 Gen11        | ilorest set ProcSMT=Disabled --selector Bios.             |
# HPE DL360 Gen10        | ilorest set ProcSMT=Disabled --selector Bios.             | W0913
# HPE DL360, DL385 Gen10 | ilorest set ProcSMT=Disabled --selector Bios.             |
# HPE                    | ilorest set HyperThreading=Disabled --selector Bios.      | W0913
# HPE                    | ilorest set PowerProfile=MaxPerf --selector Bios.         |
"""


@pytest.mark.parametrize("case", GENERATIONS.strip().split("\n"))
def test_a_text_says_which_generation_its_servers_are(case: str) -> None:
    """Of a file for several, an attribute is told that none of them has."""
    head, command, code = (part.strip() for part in case.split("|"))
    text = f"{head}\nilorest set Sriov=Enabled --selector Bios.\n{command}\n"
    found = audited(text, server="vendor hpe")
    assert [each.code for each in found.findings if each.at.line == 3] == ([code] if code else [])


MODELS = """
PowerEdge R760xa        | IommuSupport: Enabled     | W0913
PowerEdge R7615         | IommuSupport: Enabled     |
PowerEdge               | IommuSupport: Enabled     |
PowerEdge R760 or R7615 | IommuSupport: Enabled     |
PowerEdge R750          | SerialComm: OnConRedirCom1 | W0913
PowerEdge R640          | SerialComm: OnConRedirCom1 |
PowerEdge R750 or R640  | SerialComm: OnConRedirCom1 |
PowerEdge R640          | NumaNodesPerSocket: "2"   | W0913
PowerEdge R6525         | SubNumaCluster: Enabled   | W0913
EPYC 7763               | SubNumaCluster: Enabled   | W0913
Xeon 6338N              | IommuSupport: Enabled     | W0913
Xeon or EPYC            | IommuSupport: Enabled     |
Xeon or EPYC            | SubNumaCluster: Enabled   |
Xeon 6338N in an R750   | IommuSupport: Enabled     | W0913
"""


@pytest.mark.parametrize("case", MODELS.strip().split("\n"))
def test_a_text_names_the_model_of_its_servers(case: str) -> None:
    """Models of several generations may have what one of them lacks."""
    head, attribute, code = (part.strip() for part in case.split("|"))
    text = f"# {head}, an iDRAC\nbios_attributes:\n  LogicalProc: Enabled\n  {attribute}\n"
    assert codes(audited(text, server="vendor dell")) == ([code] if code else [])
    assert codes(audited(text, server="os debian 12")) == ([code] if code else [])


def test_keys_beside_attributes_are_written_otherwise() -> None:
    text = "servers:\n  - idrac_host: x\n    LogicalProc: Enabled\n    SysProfile: Custom\n    ProcVtd: Enabled\n"
    assert messages(audited(text, server="vendor dell"), "W0913") == [
        "`ProcVtd` is no attribute here: no known server of this maker has it"
    ]


def test_a_table_of_a_guide_and_its_block_are_two_lists() -> None:
    table = (
        "# Guide\n\n| Attribute | Value |\n|---|---|\n| SysProfile | Custom |\n| LogicalProc | Enabled |\n"
    )
    block = "```yaml\nbios_overrides:\n  SysProfile: Custom\n```\n"
    assert codes(audited(table + block, server="vendor dell")) == []
    wrong = table + "| ProcVtd | Enabled |\n" + block
    assert codes(audited(wrong, server="vendor dell")) == ["W0913"]
    possible = wrong.replace("| Value |", "| Values |").replace("| Custom |", "| Custom, PerfOptimized |")
    assert codes(audited(possible, server="vendor dell")) == []


NODES = """
vendor lenovo | nodeconfig n1 "OperatingModes.ChooseOperatingMode=Maximum Efficiency" |
vendor lenovo | nodeconfig n1 "OperatingModes.ChooseOperatingMode=Maximum Efficency"  | W0913
vendor lenovo | nodeconfig n1 Processors.HyperThreading=Disable                       |
vendor lenovo | nodeconfig n1 Processors.HyperThreading=Off                           | W0913
vendor lenovo | nodeconfig n1 Processors.HyperTreading=Disable                        | E0902
vendor lenovo | nodeconfig n1 Processors.Hyper-Threading=Disable                      | W0902
vendor lenovo | nodeconfig n1 Processors.QPILinkDisable=1                             | W0902
"""
"""Earlier generations have other names, which differ in capitals or in marks between words."""


@pytest.mark.parametrize("case", NODES.strip().split("\n"))
def test_settings_of_lenovo_of_all_generations(case: str) -> None:
    server, text, code = (part.strip() for part in case.split("|"))
    assert codes(audited(text, server=server)) == ([code] if code else [])


@pytest.mark.parametrize("case", [line for line in LINES.split("\n") if line])
def test_what_no_server_has(case: str) -> None:
    server, text, said = (part.strip() for part in case.split("|"))
    expected = [part.strip().partition(" ") for part in said.split(";") if part.strip()]
    found = list(audited(text, server=f"platform {server}").findings)
    assert [each.code for each in found] == [code for code, _, _ in expected]
    assert all(words in " ".join(each.help) for each, (_, _, words) in zip(found, expected, strict=True))


OF_SOME_SERVERS = """
r650xs   | SerialComm: OnConRedirCom1                          | W0913
r640     | SerialComm: OnConRedirCom1                          |
r750     | SysProfile: DenseCfgOptimized                       | W0913
r730xd   | WorkloadProfile: HpcProfile                         |
r740     | WorkloadProfile: TelcoOptimizedProfile              | W0913
r750     | SubNumaCluster: Enabled                             | W0913
r750     | AcPwrRcvryUserDelay: 60                             | W0908 W0913
r750     | AcPwrRcvryUserDelay: 120                            | W0908
r640     | AcPwrRcvryUserDelay: 60                             | W0908
r640     | PxeDev1VlanId: 5000                                 | W0913
r640     | PxeDev1VlanId: 4094                                 |
r750     | NumaNodesPerSocket: 4                               | W0913
r7615    | NumaNodesPerSocket: 4                               |
r7615    | SubNumaCluster: Disabled                            | W0913
r7615    | NumaNodesPerSocket: NPS4                            | W0913
r770     | SriovGlobalEnable: Enable                           | E0902
r750     | PowerSaver: Disabled                                | W0913
"""
"""Typed from the registries of R630, R740, R650 and R750, and what R6515, R6615 and R7615 answered."""


@pytest.mark.parametrize("case", OF_SOME_SERVERS.strip().split("\n"))
def test_what_servers_of_another_generation_or_processor_have(case: str) -> None:
    server, text, expected = (part.strip() for part in case.split("|"))
    found = codes(audited(text, server=f'platform "PowerEdge {server}"'))
    assert [code for code in found if code != "W0902"] == expected.split()


IN_A_PROGRAM = """
template = {
    "TurboMode": "Enabled",             # an attribute of X12, which takes `Enable`
    "ProcessorC6Report": "Enabled",     # no label and no attribute, so that nothing makes it void
    "PowerTechnology": "Performance"{others}
}
"""


def test_names_of_a_program_are_no_labels() -> None:
    """Where all names lack the number, the program completes them: then only what X12 is known to have is judged."""
    numbered = ',\n"QuietBoot_009F": 1,\n"TXTSupport_00B4": 1,\n"CSMSupport_00A1": 1'
    wrong, unchecked = "W0913", "W0902"
    for others, expected in (
        (numbered, [(wrong, 3), (wrong, 4), (wrong, 5), (unchecked, 6), (unchecked, 7), (unchecked, 8)]),
        ("", [(wrong, 3), (unchecked, 4), (wrong, 5)]),
    ):
        text = IN_A_PROGRAM.replace("{others}", others)
        found = audited(text, server="vendor supermicro", form="bios").findings
        assert [(each.code, each.at.line) for each in found] == expected


@pytest.mark.parametrize(("label", "code"), [("SATA Controller", "W0902"), ("SATA Controler", "E0902")])
def test_a_label_of_a_known_attribute_is_no_slip(label: str, code: str) -> None:
    """Supermicro's servers have a second controller, the sSATA Controller."""
    text = f'<BiosCfg><Setting name="{label}" selectedOption="Enable" type="Option"/></BiosCfg>'
    assert codes(audited(text, server="vendor supermicro")) == [code]


OF_SUPERMICRO = {
    # what menus of X11 to X13 have, and Redfish where names have no number
    "TurboMode": ("Enable", "Enabled"),
    "PowerTechnology": ("Energy Efficient", "Performance"),
    "PatrolScrub": ("Enable at End of POST", "Enabled"),
    "CPUC6Report": ("Auto", "Disabled"),
    "Above4GDecoding": ("Enabled", "Enable"),
    "PackageCState": ("C0/C1 state", "C0"),
}


@pytest.mark.parametrize("name", OF_SUPERMICRO)
def test_what_all_servers_of_supermicro_take(name: str) -> None:
    for text, code in zip(OF_SUPERMICRO[name], ([], ["W0913"]), strict=True):
        assert codes(audited(json.dumps({"Attributes": {name: text}}), server="vendor supermicro")) == code


MARKED = """# BIOS of our {board} nodes
template = {{
    "IntelHyperThreadingTech": "enabled",
    "IntelTurboBoostTech": "enabled",
    "ProcessorEIST": "enabled",
}}
"""


@pytest.mark.parametrize(("board", "lines"), [("Lenovo SR650", [3, 4, 5]), ("SR650", [])])
def test_a_named_maker_counts_unless_most_names_are_of_another(board: str, lines: list[int]) -> None:
    """Two of the three names are tokens of Cisco, and no name of Lenovo's is like any."""
    found = audited(MARKED.format(board=board), server="os debian 12", form="bios").findings
    assert [each.at.line for each in found if each.code == "W0913"] == lines


def test_a_stray_mark_of_another_maker_changes_nothing() -> None:
    """Three of four names are Dell's, and HPE is only remarked: what is unknown is no attribute of Dell's."""
    text = "# as on our ProLiant Gen11\nbios:\n  SysProfile: Custom\n  LogicalProc: Enabled\n  BootMode: Uefi\n  Extra: 1\n"
    assert [(each.code, each.at.line) for each in audited(text, server="os debian 12").findings] == [
        ("W0913", 6)
    ]


OF_INTERSIGHT = """PROFILES = {  # for {service}
    'inference': {
        'CpuHwpm': 'Disabled',
        'IntelTurboBoostTech': 'enabled',
        'LlcPrefetch': 'enabled',
    },
}
OVERRIDES = {'llc_prefetch': 'LlcPrefetch', 'snc': 'Snc', 'x': 'y'}
NAMES = {
    'llc_prefetch': 'LlcPrefetch',
    'snc': 'Snc',
}
"""


@pytest.mark.parametrize(("service", "lines"), [("Intersight", [3]), ("the CIMC of UCS", [])])
def test_all_tokens_of_a_service_are_known(service: str, lines: list[int]) -> None:
    """A table of names has those of the service as texts. The controller of a server has names of its own."""
    text = OF_INTERSIGHT.replace("{service}", service)
    found = audited(text, server="os debian 12", form="bios").findings
    assert [each.at.line for each in found if each.code == "W0913"] == lines


def test_names_of_a_cisco_imc() -> None:
    """As its Redfish service has them, which is neither Intersight nor UCS Manager."""
    text = json.dumps(
        {"Attributes": {"IntelHyperThread": "Enabled", "IntelVTD": "Enabled", "SelectMemoryRAS": "Mirroring"}}
    )
    assert codes(audited(text, server="vendor cisco")) == []


IN_CAPITALS = {
    '{"Attributes": {"LogicalProc": "disabled"}}': "E0907",  # a request, which is compared letter by letter
    '{"Attributes": {"LogicalProc": "Disabled"}}': "",
    "racadm set BIOS.ProcSettings.LogicalProc disabled": "",  # a command
    "LogicalProc: disabled": "",  # a note
}


@pytest.mark.parametrize("text", IN_CAPITALS)
def test_requests_tell_texts_apart_by_capitals(text: str) -> None:
    assert codes(audited(text, server="vendor dell")) == [code for code in [IN_CAPITALS[text]] if code]


BOOLEANS = {
    "attributes:\n  NumLock: On": ["E0907"],
    "attributes:\n  NumLock: 'On'": [],
    "NumLock: On": [],  # a note
}


@pytest.mark.parametrize("text", BOOLEANS)
def test_yaml_reads_some_texts_as_booleans(text: str) -> None:
    assert codes(audited(text, server="vendor dell")) == BOOLEANS[text]


BY_MODEL = """
PowerEdge R650:
  SysProfile: PerfOptimized
  ProcC1E: Disabled
  ProcCStates: Disabled
PowerEdge R640:
  SysProfile: Custom
  ProcC1E: Disabled
  ProcCStates: Disabled
"""


def test_maps_with_the_same_names_are_for_several_servers() -> None:
    found = audited(BY_MODEL, server="vendor dell")
    assert [(each.code, each.at.line) for each in found.findings] == [("W0908", 4)]


MAKER_ALONE = """
vendor dell | {"Attributes": {"SysProfile": "Custom", "Virtualization": "Enabled"}}          | W0913 no known server of this maker
vendor dell | {"Attributes": {"SysProfile": "PerfPerWatt(DAPC)"}}                            | W0913 on any known server of this maker
vendor dell | {"Attributes": {"SysProfile": "PerfOptimized", "GlbMemIntegrity": "Disabled"}} |
vendor dell | {"Attributes": {"SysProfile": "Custom", "SubNumaCluster": "4-Way"}}            | W0903 not checked
vendor dell | {"Attributes": {"IntelSgx": "On"}}                                             |
vendor dell | {"Attributes": {"SMEE": "Enabled", "IOMMU": "Enabled"}}                        | W0902 not checked; W0902 not checked
vendor dell | racadm set bios.sysprofilesettings.sysprofile Custom                           |
vendor dell | syscfg --extserial=com1 --RedirAfterBoot=disable                               | W0902 not checked; W0903 not checked
vendor dell; platform r720 | syscfg --SysProfile=Custom --logicproc=Disabled --turbomode=Disabled     |
vendor hpe  | {"Attributes": {"NUMAGroupSizeOpt": "Clustered"}}                              | E0902 is misspelt; W0908 default of `workload-profile` locks
vendor dell | {"Attributes": {"SRIOV": "Enabled", "SysProfile": "Custom"}}                   | W0913 no known server of this maker
vendor hpe  | {"Attributes": {"WorkloadProfile": "vRAN"}}                                    |
vendor hpe  | {"Attributes": {"WorkloadProfile": "LowLatency", "SriovEnable": "Enabled"}}    | W0913 no known server of this maker
vendor hpe  | {"Attributes": {"PowerProfile": "MaxPerf"}}                                    |
vendor hpe  | {"Attributes": {"WorkloadProfile": "vRAN", "Tsx": "Enabled"}}                  |
            | {"Attributes": {"PxeDev1EnDis": "Enabled", "PxeDev2EnDis": "Disable"}}         | W0913 on any known server of this maker
            | {"Attributes": {"PxeDev1EnDis": "Disable"}}                                    | W0902 not checked
"""
"""What is said where the model is open: by all servers of the maker, which the names show if nothing states it."""


@pytest.mark.parametrize("case", [line for line in MAKER_ALONE.split("\n") if line])
def test_only_the_maker_is_known(case: str) -> None:
    server, text, said = (part.strip() for part in case.split("|"))
    expected = [part.strip().partition(" ") for part in said.split(";") if part.strip()]
    found = list(audited(text, server=server or "os modern-linux").findings)
    assert [each.code for each in found] == [code for code, _, _ in expected]
    assert all(words in each.message for each, (_, _, words) in zip(found, expected, strict=True))


SEVERAL_MAKERS = """
HPE:
  bios_attrs:
    WorkloadProfile: LowLatency
    ProcTurbo: Enabled
    SriovEnable: Enabled
Dell Inc.:
  bios_attrs:
    LogicalProc: Enabled
    SysProfile: Custom
    UncoreFrequency: Disabled
    NumaGroupSizeOpt: Flat
Supermicro:
  bios_attrs:
    SVMMode: Enabled
    SR-IOV: Enabled
    HotPlug_2: Enabled
    CPU1SLOT2PCI_E4_0X16OPROM: Disabled
"""


def test_each_part_of_a_file_is_judged_by_its_own_maker() -> None:
    found = audited(SEVERAL_MAKERS, server="os modern-linux").findings
    assert [(each.at.line, each.code) for each in found if each.code != "W0902"] == [
        (5, "W0908"),  # the profile of line 4 locks it
        (6, "W0913"),  # no server of HPE has it
        (11, "W0913"),  # no server of Dell takes it
        (12, "W0913"),  # it is HPE's
        (16, "W0913"),  # Supermicro's names end in a number, but for some that are known
    ]


OF_A_PROGRAM = """
var presets = map[string]map[string]string{
    "hpe-worker": {
        "ProcHyperthreading": "Enabled",
        "SriovGlobalEnable": "Enabled",
        "WorkloadProfile": "Custom",
    },
    "lenovo-worker": {
        "HyperThreading": "Enable",
        "Processors_TurboMode": "Enabled",
    },
}
"""


def test_maps_of_a_program_name_the_makers() -> None:
    found = audited(OF_A_PROGRAM, server="os modern-linux").findings
    assert [(each.at.line, each.code) for each in found] == [
        (5, "W0913"),  # it is Dell's
        (9, "W0913"),  # Lenovo's begin with their menu
        (10, "W0908"),  # the default of the operating mode locks it
    ]


QUOTED = """
$settings = [ordered]@{
    'OperatingModes.ChooseOperatingMode' = 'Maximum Performance'
    'Processors.CStates'                 = 'Autonomous'
    'Processors.HyperThreading'          = 'Disabled'
}
OneCLI.exe
"""


def test_names_with_dots_are_those_of_redfish_in_any_list() -> None:
    assert codes(audited(QUOTED, server="os modern-linux")) == ["W0908"]


MARKS = {
    '# Lenovo\n{"Attributes": {"HyperThreading": "Enable", "BootMode": "UEFI"}}': ["W0913", "W0913"],
    '# Lenovo ThinkPad\n{"Attributes": {"HyperThreading": "Enable"}}': ["W0902"],
    "racadm set BIOS.SysProfileSettings.SecureBoot Enabled": ["E0907"],
    "# an iDRAC\nracadm set BIOS.BiosBootSettings.BootMode Bios": [],
    "racadm set BIOS.BiosBootSettings.UefiBootSeq NIC.PxeDevice.1-1": [],  # as older iDRACs print it
    '# for PowerEdge C\n{"Attributes": {"virtualization_technology": "Enabled"}}': ["W0902"],
}


@pytest.mark.parametrize("text", MARKS)
def test_tools_and_products_show_the_maker(text: str) -> None:
    assert codes(audited(text, server="os modern-linux", form="bios")) == MARKS[text]


FORMS = {
    "a playbook with sysctls": """
- hosts: all
  tasks:
    - ansible.posix.sysctl:
        name: user.max_user_namespaces
        value: "100"
    - community.general.redfish_config:
        bios_attributes:
          LogicalProc: "Disabled"
          SysProfile: Custom
""",
    "a playbook": """
- hosts: all
  tasks:
    - name: BIOS
      community.general.redfish_config:
        category: Systems
        bios_attributes:
          LogicalProc: "Disabled"  # of each core
          SysProfile: Custom
      register: done
""",
    "a pair of keys": """
- redfish_config:
    command: SetBiosAttributes
    bios_attr_name: LogicalProc
    bios_attr_value: Disabled
- redfish_config:
    bios_attr_name: SysProfile
    bios_attr_value: Custom
""",
    "a list of pairs": "bios_settings:\n  - name: LogicalProc\n    value: Disabled\n  - name: SysProfile\n    value: Custom\n",
    "on one line": "vars:\n  bios_attributes: {LogicalProc: Disabled, SysProfile: Custom}\n",
    "Terraform": 'resource "redfish_bios" "b" {\n  attributes = {\n    "LogicalProc" = "Disabled"\n    SysProfile = "Custom"\n  }\n}\n',
    "makers above": "Dell:\n  AMD: {}\n  Intel:\n    LogicalProc: Disabled\n    SysProfile: Custom\n",
    "calls": 'const ATTRS: [Attr; 2] = [\n    Attr::string("LogicalProc", "Disabled"),\n    Attr::string("SysProfile", "Custom").required(), // of all\n];\n',
    "steps": '[{"interface": "bios", "args": {"settings": [{"name": "LogicalProc", "value": "Disabled"}, {"name": "SysProfile", "value": "Custom"}]}}]',
    "attributes within": '{"name": "x", "attributes": {"LogicalProc": "Disabled", "SysProfile": "Custom"}}',
    "a part of a profile": '<root>\n <Attribute Name="LogicalProc">Disabled</Attribute>\n <Attribute Name="SysProfile">Custom</Attribute>\n</root>',
    "steps by groups": '{"settings": {"ProcSettings": {"LogicalProc": "Disabled"}, "SysProfileSettings": {"SysProfile": "Custom"}}}',
    "OneView": 'bios_option = {\n  overridden_settings = [\n    { id = "LogicalProc"\n      value = "Disabled" },\n    { id = "SysProfile"\n      value = "Custom"\n    }]\n}\n',
    "as an iDRAC prints": "[Key=BIOS.Setup.1-1#ProcSettings]\nLogicalProc=Enabled (Pending Value=Disabled)\n#ProcCores=All\n[Key=BIOS.Setup.1-1#SysProfileSettings]\nSysProfile=Custom\n",
    "a value with its place": '{"attributes": {"BIOS": {"LogicalProc": {"value": "Disabled", "instance_id": "BIOS.Setup.1-1:LogicalProc"}, "SysProfile": {"value": "Custom"}}, "LC": {"x": {"value": "1", "instance_id": "Other.1"}}}}',
    "the body of a request": "curl -X PATCH https://$H/redfish/v1/Systems/1/Bios/Settings -d '{\"Attributes\": {\"LogicalProc\": \"Disabled\", \"SysProfile\": \"Custom\"}}'\n",
    "a document in a script": 'cat > spec.json <<END\n{\n  "Attributes": {\n    "LogicalProc": "Disabled",\n    "SysProfile": "Custom"\n  }\n}\nEND\n',
    "options": "x.py -ip $H -an LogicalProc,SysProfile -av Disabled,Custom\n",
    "an option each": "x --attr_name LogicalProc --attr_value Disabled on-reset\ny --attribute SysProfile Custom\n",
    "badfish": "badfish --set-bios-attribute --attribute LogicalProc --value Disabled\nbadfish --set-nic-attribute NIC.Slot.1-1-1 --attribute WakeOnLan --value Enabled\nbadfish --set-bios-attribute --attribute SysProfile --value Custom\n",
    "a profile in a note": "# Setup\n\n```XML\n<Component FQDD=\"BIOS.Setup.1-1\">\n<Attribute Name=\"LogicalProc\">Disabled</Attribute>\n<Attribute Name=\"SysProfile\">Custom</Attribute>\n</Component>\n",
    "a map of a program": 'package x\n\nvar settings = map[string]string{\n\t"LogicalProc": "Disabled",\n\t"SysProfile":  "Custom",\n}\n',
    "racadm": "racadm -r $H set BIOS.ProcSettings.LogicalProc Disabled && racadm set BIOS.SysProfileSettings.SysProfile Custom\n",
}  # fmt: skip

UNREAD = {"badfish": 1, "a profile in a note": 2, "a map of a program": 1}


@pytest.mark.parametrize("form", FORMS)
def test_the_forms_of_files(form: str) -> None:
    found = audited(FORMS[form], server="platform r740")
    assert values(found) == {"smt": "off", "system-profile": "custom"}
    assert codes(found) == []
    assert len(found.files[0].unread) == UNREAD.get(form, 0)


COMMANDS = """
ilorest select Bios.                                             |
ilorest set ProcHyperthreading=Disabled ProcTurbo=Enabled        | ProcHyperthreading=Disabled ProcTurbo=Enabled
ilorest set WorkloadProfile="LowLatency" --commit --url=10.0.0.1 | WorkloadProfile=LowLatency
ilorest set AHSEnabled=True --select ActiveHealthSystem          |
ilorest commit                                                   |
"""


def test_commands_set_what_is_selected() -> None:
    lines = [line.partition("|")[::2] for line in COMMANDS.strip().split("\n")]
    found = audited("\n".join(text for text, _ in lines), server="platform dl360-gen10").files[0]
    read = {entry.span.line: "" for entry in found.entries}
    for entry in found.entries:
        read[entry.span.line] += f" {entry.name}={entry.text}"
    assert [read.get(n, "").strip() for n in range(1, len(lines) + 1)] == [said.strip() for _, said in lines]
    assert len(found.unread) == len(lines) - len(read)


def test_a_file_of_commands() -> None:
    text = 'loaddefault uEFI\nset Processors.HyperThreading Disable\nset OperatingModes.ChooseOperatingMode "Custom Mode"\n'
    found = audited(text, server="platform sr650").files[0]
    assert [(entry.name, entry.text) for entry in found.entries] == [
        ("Processors_HyperThreading", "Disable"),
        ("OperatingModes_ChooseOperatingMode", "Custom Mode"),
    ]
    assert len(found.unread) == 1


def test_what_a_tool_calls_otherwise_is_not_checked() -> None:
    text = '<Conrep version="5.2">\n  <Section name="Intel_Hyperthreading" helptext="x">Enabled</Section>\n</Conrep>'
    assert "unknown as a BIOS attribute" in messages(audited(text, server="platform dl360-gen10"), "W0902")[0]


def test_a_contradiction_and_its_lock_are_one_finding() -> None:
    text = '{"Attributes": {"SysProfile": "PerfOptimized", "ProcTurboMode": "Disabled"}}'
    assert codes(audited(text, server="platform r750")) == ["E0301"]


DEFAULTS = {
    '{"Attributes": {"RedundantOsBoot": "Enabled", "BootMode": "Uefi"}}': ["W0908"],  # it has no location
    '{"Attributes": {"RedundantOsBoot": "Disabled", "BootMode": "Uefi"}}': [],  # as it is
    '{"Attributes": {"RedundantOsBoot": "Enabled", "RedundantOsLocation": "None"}}': ["W0908"],
    '{"Attributes": {"RedundantOsBoot": "Enabled", "RedundantOsLocation": "InternalUsb"}}': [],
    '{"Attributes": {"ProcCStates": "Disabled", "ProcC1E": "Disabled"}}': [
        "W0908"
    ],  # no profile is in the file
    '{"Attributes": {"ProcCStates": "Disabled", "SysProfile": "Custom"}}': [],
    '{"Attributes": {"LogicalProc": "Disabled"}}': [],  # it belongs to no profile
}


@pytest.mark.parametrize("text", DEFAULTS)
def test_a_default_locks_on_all_servers_of_a_maker(text: str) -> None:
    assert codes(audited(text, server="vendor dell")) == DEFAULTS[text]


def test_a_policy_of_a_cmdlet_is_by_itself() -> None:
    text = "New-IntersightBiosPolicy -EnergyEfficientTurbo 'Enabled'\nNew-IntersightBiosPolicy -IntelTurboBoostTech 'Disabled'\n"
    assert codes(audited(text, server="vendor cisco")) == []
    one = text.replace("\nNew-IntersightBiosPolicy", "")
    assert codes(audited(one, server="vendor cisco")) == ["W0908"]


@pytest.mark.parametrize(
    "model", ["r630", "r740", "r750", "dl360-gen10-plus", "dl380a-gen11", "dl385-gen10-plus-v2"]
)
def test_a_makers_table_has_what_is_known_of_its_models(model: str) -> None:
    found = audited("BootMode: Uefi", server=f"platform {model}")
    words = lexicon(knowledge_for(read_text("")), found.context)
    (maker,) = words.makers
    assert set(words.names[ATTRIBUTE]) <= set(maker.takes)


MODES = {"CustomMode": [], "Custom": ["W0913"], "MaximumEfficiency": []}


@pytest.mark.parametrize("mode", MODES)
def test_all_texts_of_an_attribute_can_be_known_where_others_are_not(mode: str) -> None:
    """The three generations of Lenovo's servers have six modes among them."""
    found = audited(f"asu set OperatingModes.ChooseOperatingMode {mode}", server="vendor lenovo")
    assert [code for code in codes(found) if code == "W0913"] == MODES[mode]


def test_an_attribute_that_a_mapping_has_twice() -> None:
    """The last one counts, whether anything else is known of the attribute or not."""
    text = "BIOS:\n  WorkloadProfile: Custom\n  ProcAmdIoVt: Enabled\n  Sriov: Enabled\n  ProcAmdIoVt: Disabled\n"
    (finding,) = audited(text, server="vendor hpe").findings
    assert (finding.code, finding.at.line, finding.others[0].span.line) == ("E0906", 5, 3)

"""What programs have in quotes: profiles, options of modules, words of boot lines, attributes. Nothing is run."""

import pytest

from audit import audited, codes

PROGRAMS = {
    "an array of a shell": (
        'params=(\n  "intel_idle.max_cstate=0"\n  # "idle=poll"\n  "processor.max_cstate=1"\n)\n',
        ["intel_idle.max_cstate = 0", "processor.max_cstate = 1"],
    ),
    "a variable of a shell": (
        'if [ -f x ]; then\n  PARAMS="numa=off dm_mod.use_blk_mq=y"\nfi\n',
        ["numa = off", "dm_mod.use_blk_mq = y"],
    ),
    "lines that are printed": (
        'echo "for /etc/modprobe.d:"\necho "options nvme_core io_timeout=4294967295"\n',
        ["nvme_core.io_timeout = 4294967295"],
    ),
    "texts side by side": (
        'tune = (\n    "[main] \\n"\n    "summary=Mine\\n"\n    "[sysctl]\\n"\n    "vm.swappiness = 1\\n"\n)\n',
        ["[main] summary = Mine", "vm.swappiness = 1"],
    ),
    "pairs": (
        'attributes = [\n    ("BootMode", "Bios"),\n    ("LogicalProc", "Enabled"),\n]\n',
        ["BootMode = Bios", "LogicalProc = Enabled"],
    ),
    "pairs of OCaml": (
        'let wanted = [\n  ("SysProfile", `String "Custom");\n  ("AcPwrRcvryUserDelay", `Int 120);\n]\nlet other = 1\n',
        ["SysProfile = Custom", "AcPwrRcvryUserDelay = 120"],
    ),
    "calls of Rust": (
        "const WANTED: &[Attribute] = &[\n"
        '    Attribute::string("BootMode", "Uefi").required(),\n    Attribute::new("TpmSecurity", json!("On")),\n];\n'
        'fn main() {\n    let path = "x";\n}\n',
        ["BootMode = Uefi", "TpmSecurity = On"],
    ),
    "a map of Java": (
        'Map<String, String> wanted = new HashMap<>();\nwanted.put("SysProfile", "Custom");\nwanted.put("LogicalProc", "Enabled"); // x\n'
        'String old = read.get("LogicalProc", "Disabled");\n',
        ["SysProfile = Custom", "LogicalProc = Enabled"],
    ),
    "a hash of Perl": (
        "my %wanted = (\n    'SysProfile' => 'Custom',\n    'LogicalProc' => 'Enabled', # x\n);\nmy $url = 'x';\n",
        ["SysProfile = Custom", "LogicalProc = Enabled"],
    ),
    "keys that are assigned": (
        'if old["SysProfile"] == "Custom":\n    wanted["ProcCStates"] = "Disabled"\n    wanted["ProcC1E"] = "Disabled"\n    timeout = 30\n',
        ["ProcCStates = Disabled", "ProcC1E = Disabled"],
    ),
    "records of Go": (
        'var wanted = []Attribute{\n\tAttribute{Name: "SysProfile", Value: "Custom"},\n\t{Name: "BootMode", Value: "Uefi"},\n}\n',
        ["SysProfile = Custom", "BootMode = Uefi"],
    ),
    "a cmdlet": (
        "New-IntersightBiosPolicy `\n    -Name 'x' `\n    -LlcPrefetch 'Disabled' `\n    -Tags $tags\n",
        ["LlcPrefetch = Disabled"],
    ),
    "items with a path": (
        "- { target: 'BIOS.SysProfileSettings.SysProfile', job: 'BIOS.Setup.1-1', value: 'Custom' }\n",
        ["SysProfile = Custom"],
    ),
    "a file in a data URL": (
        "apiVersion: machineconfiguration.openshift.io/v1\nspec:\n  config:\n    storage:\n      files:\n      - contents:\n"
        "          source: data:,options%20sunrpc%20tcp_max_slot_table_entries%3D128\n        path: /etc/modprobe.d/x.conf\n",
        ["sunrpc.tcp_max_slot_table_entries = 128"],
    ),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_program_has_in_quotes(program: str) -> None:
    text, settings = PROGRAMS[program]
    (file,) = audited(text, server="os modern-linux").files
    assert [f"{entry.name} = {entry.text}" for entry in file.entries] == settings


def test_labels_and_variables_of_a_program_are_no_texts() -> None:
    labels = 'LABELS = {\n    "SysProfile": "The profile",\n    "LogicalProc": "Hyper-Threading",\n}\n'
    wanted = 'wanted = {\n    "ProcVirtualization": state,\n    "BootMode": mode(x),\n    "SriovGlobalEnable": "Enabled",\n}\n'
    found = audited(labels + wanted, server="vendor dell")
    assert {entry.name: entry.text for entry in found.files[0].entries} == {
        "ProcVirtualization": "{state}",
        "BootMode": "{mode(x)}",
        "SriovGlobalEnable": "Enabled",
    }
    assert codes(found) == ["W0903", "W0903"]


def test_two_names_of_one_attribute_are_alternatives() -> None:
    """A program that has both spellings is for several servers, of which each has one."""
    pairs = ['("CSMSupport", "Disabled")', '("SR-IOVSupport", "Enabled")', '("SR_IOVSupport", "Enabled")']
    found = audited("PAIRS = [\n" + ",\n".join(pairs) + "\n]\n", server="vendor supermicro")
    assert "W0905" not in codes(found)
    assert [entry.name for entry in found.files[0].entries] == [
        "CSMSupport",
        "SR-IOVSupport",
        "SR_IOVSupport",
    ]


def test_a_menu_has_parts_in_brackets() -> None:
    (entry,) = (
        audited("System Profile: Performance Per Watt (DAPC)\n", server="platform r740").files[0].entries
    )
    assert entry.text == "Performance Per Watt (DAPC)"


def test_what_is_not_read_is_counted() -> None:
    text = 'x = 1\n\n# y\nprint("options nvme_core io_timeout=1")\nz()\n'
    (file,) = audited(text, server="os modern-linux", form="program").files
    assert [span.line for span in file.unread] == [1, 5]


def test_what_a_program_fills_in_is_not_judged() -> None:
    found = audited(
        'run("isolcpus={cpus} nohz_full={cpus}")\n', server="os modern-linux", form="program"
    ).findings
    assert {finding.code for finding in found} == {"W0903"}

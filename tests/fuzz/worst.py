"""The worst texts for each reader: pieces that are repeated, in the places where a reader may look at them again and
again.

A case is a reader, a template and a piece. Its text of a size has the piece so many times in place of `…` of the
template, with the number of the repetition in place of `@`, so that names can differ.
"""

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from setpoint.compiler.audit.check import audit
from setpoint.compiler.audit.export import policy_of
from setpoint.compiler.binding.levels import Subject
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.entries.read import FORMS as FORMS_OF_SETTINGS
from setpoint.compiler.entries.read import audited, form_of
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.inventory.hosts import census
from setpoint.compiler.inventory.read import read_inventory
from setpoint.compiler.inventory.table import InventoryTable, table
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.language.parse import parse
from setpoint.compiler.lowering.bundle import manifest_of
from setpoint.compiler.pipeline import chosen_subjects, knowledge_for, read_text
from setpoint.compiler.plan.as_json import plan_from_json
from setpoint.compiler.policies.check import check_files
from setpoint.compiler.policies.coverage import recorded
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.read import read_current, read_registry
from setpoint.compiler.render.reports import FORMATS, report

CHARACTERS = (*"\"'\\ \t\n\r#;:,.=-_/|*$%<>()[]{}aA1é", "\u2028")
PAIRS = (
    '\\"',
    "a ",
    "a,",
    "a=",
    ' "',
    '" ',
    "\r\n",
    "\n ",
    " \n",
    "1-",
    "1,",
    "-1",
    "a.",
    "a/",
    "x;",
    "{}",
    "[]",
    "# ",
    "\n#",
    "a\n",
    "\n\n#",
)

HOLE, NUMBER = "…", "@"


class Reader(NamedTuple):
    """What reads a text, the templates around what is repeated, and pieces of its own, each with the template that it
    is for.

    A reader `is_whole` that goes on to the findings and reports of a command, and takes longer.
    """

    read: Callable[[str], object]
    templates: tuple[str, ...] = ()
    own: tuple[tuple[str, str], ...] = ()
    is_whole: bool = False

    def cases(self, share: int = 1) -> Iterator[tuple[str, str]]:
        """Templates with pieces: its own, and one in so many of the others; of a whole one also of its own."""
        yield from self.own[:: share if self.is_whole else 1]
        others = [(template, piece) for template in self.templates for piece in (*CHARACTERS, *PAIRS)]
        yield from others[::share]


def text_of(template: str, piece: str, times: int) -> str:
    """The text with a piece so many times."""
    repeated = (
        "".join(piece.replace(NUMBER, str(number)) for number in range(times))
        if NUMBER in piece
        else piece * times
    )
    return template.replace(HOLE, repeated)


# ------------------------------------------------------------------------------------------- the readers


def _in_file(read: Callable[[str], object], name: str) -> Callable[[str], object]:
    def reading(text: str) -> None:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode(errors="surrogatepass"))
        read(str(path))

    return reading


def _parsed(text: str) -> None:
    parse(SourceText("web.tune", text))


def _formatted(text: str) -> None:
    format_source(SourceText("web.tune", text))


def _checked(path: str) -> None:
    checked = check_files({path: os.path.dirname(path)})
    text = Path(path).read_text(encoding="utf-8")
    for form in FORMATS:
        report(form, checked.findings, lambda name: text, 1)


def _divided(form: str) -> Callable[[str], object]:
    """What divides a file of settings into entries."""

    def reading(text: str) -> None:
        form_of(text, _knows)
        audited(SourceText("a", text), form, _knows, frozenset)

    return reading


def _knows(interface: str, name: str) -> bool:
    return False


@cache
def _server() -> tuple[Knowledge, Subject]:
    program = read_text("goal latency; cpu skylake; platform r740; os debian 12")
    knowledge = knowledge_for(program)
    return knowledge, chosen_subjects(program, knowledge)[0]


def _audited(text: str) -> None:
    found = audit(*_server(), [SourceText("a", text)])
    policy_of(found)
    for form in FORMATS:
        report(form, found.findings, lambda name: text, 1)


@cache
def _table() -> InventoryTable:
    return table(standard())


def _inventory(path: str) -> None:
    census(read_inventory(path, _table()), _table(), standard())


def _captures(name: str) -> Callable[[str], object]:
    def read(path: str) -> None:
        _inventory(os.path.dirname(os.path.dirname(path)))

    return _in_file(read, f"captures-{name}/hosts/c1/{name}")


def _facts(path: str) -> None:
    table(standard(), path)


def _planned(text: str) -> None:
    plan_from_json(parse_json(text))


READERS = {
    "parser": Reader(
        _parsed,
        (
            "…",
            "goal latency; …",
            'goal "…',
            'set smt on because "…";',
            "# …",
            'set isolated-cpus … because "x";',
            "for host h { … }",
            "}…",
        ),
        (
            ("…", 'set a@ b because "x";\n'),
            ("…", "a@ b;\n"),
            ("…", "a {"),
            ("…", "set a b\n"),
            ("x y; …" + "} " * 200, "x y; "),
            ("for host h { …" + "= " * 200, "x y; "),
            ("…" + "= " * 200, "x "),
        ),
    ),
    "formatter": Reader(
        _formatted,
        (),
        (
            ("…", "a@ b;\n"),
            ("…", "a@ b; # c\n"),
            ("a … # c\n;" + "a b; # c\n" * 500, "b"),
            ("a …;", "b "),
            ('set a …1 because "x";', "1,"),
            ('set a …1 because "x";', "1, # c\n"),
            ("set " + "x" * 3_000 + ' …1 because "x";', "1, # c\n"),
            ("…", "#\n"),
            ("…", "for host h@ { a b; }\n"),
            ("for host h { … }", "a@ b;\n"),
            ("for host h {\n… }", "a@ b;\n"),
            ('table "x" of y { … }', "a b c if d e;\n"),
            ('table "x" of y { a …; }', "b "),
            ('table "x" of y { a b …; }', "or b "),
            (
                'table "x" of y { a …; … }',
                "b ",
            ),
            ('measurements "x" of y { row …; }', "-1 "),
            ("options of x { … }", "a b;\n"),
            ("options of x { a …b; }", "c, "),
            ("options of x { " + "c" * 3_000 + " b; … }", "a b;\n"),
            ("spelling a of x { … }", 'b in "c";\n'),
            ("observe of x { … }", 'a b "c" in "d";\n'),
            ("observe of x { a b …; }", '"c" or '),
            ('spelling a of x { b in "c" …; }', 'shown "d" '),
        ),
    ),
    "policies": Reader(
        _in_file(_checked, "web.tune"),
        (),
        (
            ("goal latency; cpu westmere; …", 'set turbo off because "x"; '),
            ("goal latency; cpu westmere; …", "cpu westmere; "),
            ("goal latency; cpu westmere; …", "x@ y; "),
            ("goal latency; cpu westmere; …", 'set x@ y because "x"; '),
            ("goal latency; cpu westmere; …", 'set turbo x@ because "x"; '),
            ("goal latency; cpu westmere; …", 'for host h@ { set turbo off because "x"; } '),
            ("goal latency; cpu westmere; …", "for group g@ { x y; } "),
            ("goal latency; cpu westmere; …", 'accept x@ because "x" until 2030-01-01; '),
            ("goal latency; cpu westmere; …", "expect turbo off;\n"),
            ("goal latency; cpu westmere; …", 'source s@ { title "x"; publisher "y"; }\n'),
            ("goal latency; cpu westmere; …", "= "),
            ("goal latency; cpu westmere; …", "\t= "),
            ("goal latency; cpu westmere;…", "\n="),
            ("goal latency; cpu westmere; …", 'include "x@.tune"; '),
            ("goal latency; cpu … x;", "y"),
            ('goal latency; cpu westmere; set isolated-cpus … because "x";', "1,"),
            ('goal latency; cpu westmere; set isolated-cpus … because "x";', "@,"),
            ('goal latency; cpu westmere; set turbo … because "x";', "y"),
            ("goal latency; …x westmere;", "y"),
            ("goal latency; cpu westmere; …", "policy p@ { }\n"),
        ),
        is_whole=True,
    ),
    **{
        f"audit as {form}": Reader(
            _divided(form),
            (
                '{"Attributes": {"ProcTurboMode": "…"}}',
                '{"Attributes": {"ProcTurboMode"…: "Enabled"}}',
                "quiet …",
                'GRUB_CMDLINE_LINUX="…"\n',
                "vm.swappiness = …\n",
                "vm…= 1\nvm.x=1\n",
                "[sysctl]\n…\nvm.swappiness=1\n",
                "[net]\nring=rx …\n",
                "[bootloader]\ncmdline=…\n",
                "| a | b |\n|…\n",
                "| a | … |\n",
                "…: x\n",
                "a b\n…\n",
                "[…]\nvm.x=1\n",
            ),
            (
                ('{"Attributes": {"ProcTurboMode": "…"}}', '\\"'),
                ('quiet a="…', '"'),
                ("…", "{#"),
                ("…", "{% if x %}\n"),
                ("…x\n", "if;"),
                ("a: b\n…", "---\n"),
                ("A=1\n…", "A=$B\nB=$A\n"),
                ("…", "blacklist a b\n"),
                ("…", 'ACTION=="a"  '),
                ("for a in /sys/a/…", "b"),
                ("  sysctls:\n…", "  image: a\n"),
                ("sysctl -w x=1 …", "a."),
                ("sysctl …", "-sysctl "),
            ),
        )
        for form in FORMS_OF_SETTINGS
    },
    "audit": Reader(
        _audited,
        (),
        (
            ("…", "nosmt "),
            ("…", "x@ "),
            ("…", "hugepagesz=1G "),
            ("…", "isolcpus=@ "),
            ("…", "vm.swappiness = @\n"),
            ("…", "vm.x@ = 1\n"),
            ("…", "vm/x = 1\n"),
            ("[sysctl]\n…", "x@=1\n"),
            ("…", "[s@]\nenabled=no\n"),
            ("[net]\n…", "ring=rx 1\n"),
            ("…", "| a@ | b |\n"),
            ('{…"a": 1}', '"a@": 1, '),
            ("…", "C States: Disabled\n"),
            ("…", "Logical Processor (x@): Disabled\n"),
            ("…", "intel_pstate=x@ "),
            ("…", "mitigations=off "),
            ("…", "intel_pstat "),
            ("[bootloader]\n…", "cmdline=+nosmt\n"),
        ),
        is_whole=True,
    ),
    "inventory": Reader(
        _in_file(_inventory, "hosts.csv"),
        (
            "…",
            "host,model\n…",
            "host,…,model\na,b,c",
            'host,model\na,"…',
            "host;model\na;…\n",
            "host,model\na…,b\n",
            "host,role\na,…",
        ),
        (
            ("host,model\n…", "c@,x\n"),
            ("host,model\n…", "c,x@\n"),
            ("host,model\n…", "c@,x@\n"),
            ("host,model\n…", "C@,x@\nc@,y\n"),
            ("host,…,model", "m@,"),
            ("host,model\n…", "a\n"),
            ("host,model\n…", "127.@,x\n"),
        ),
    ),
    "inventory in json": Reader(
        _in_file(_inventory, "hosts.json"),
        ('{"_meta": {"hostvars": {}}, "a": {"hosts": ["…"]}}', '{"_meta": {…}}', '[{"certname": "…"}]'),
        (
            ('{…"_meta": {"hostvars": {}}}', '"g@": {"hosts": ["h@"], "children": ["g"]}, '),
            ('{"_meta": {"hostvars": {…"h": {}}}}', '"h@": {"model": "x@"}, '),
            ('[…{"certname": "x"}]', '{"certname": "c@", "facts": {"a": 1}}, '),
            ('[…{"certname": "x"}]', '{"certname": "c", "name": "n@", "value": 1}, '),
            ('[…{"certname": "x"}]', '{"certname": "c", "facts": {"n@": 1}}, '),
            ('{"_meta": {"hostvars": {"h": {"model": …1]}}}}', "["),
            ('{"_meta": {"hostvars": {"h": {"model": [… 1]}}}}', '"@",'),
            ('{"_meta": {"hostvars": {}}, "a": {"hosts": [… "h"]}}', '"h@", '),
            ('{"_meta": {"hostvars": {}}, "a": {"children": [… "h"]}}', '"g@", '),
        ),
    ),
    "dmidecode": Reader(
        _captures("dmidecode"),
        (
            "Handle 0x1\n…",
            "…",
            "Handle 0x1\nProcessor Information\n\tVersion: …",
            "Handle 0x1\nProcessor Information…\n\tVersion: x",
        ),
        (
            ("…", "\n"),
            ("Handle 0x1\nProcessor Information\n\tVersion: …", "["),
            ("Handle 0x1\n…", "Processor Information\n\tVersion: x@\n\n"),
            ("Handle 0x1\nProcessor Information\n…", "\tV@: x\n"),
            ("Handle 0x1\nSystem Information\n…", "\n \t"),
        ),
    ),
    "os-release": Reader(
        _captures("os-release"),
        ("ID=debian\n…", 'ID="…"', "…\nID=x", "A…=1\nID=1"),
        (("ID=debian\n…", "A@=x\n"), ("ID=debian\n…", "A_=x\n")),
    ),
    "lscpu": Reader(
        _captures("lscpu"),
        ('{"lscpu": […]}',),
        (
            ('{"lscpu": […{}]}', '{"field": "f@:", "data": "x"}, '),
            ('{"lscpu": [{"field": "Model name…:", "data": "x"}]}', ":"),
        ),
    ),
    "table of facts": Reader(
        _in_file(_facts, "facts.toml"),
        ("…", '[facts]\nplatform = ["…"]\n', "[hosts]\nnames = […]\n", "[values.platform]\n…"),
        (
            ("[values.platform]\n…", '"x@" = ""\n'),
            ('[facts]\nplatform = [… "x"]\n', '"a@", '),
            ("[facts]\n…", "x@ = []\n"),
        ),
    ),
    "registry": Reader(
        _in_file(read_registry, "registry.json"),
        ('{"RegistryEntries": {"Attributes": […]}}',),
        (
            (
                '{"RegistryEntries": {"Attributes": [{"AttributeName": "a", "Type": "String", "MenuPath": "…"}], "Menus": []}}',
                "x/",
            ),
            (
                '{"RegistryEntries": {"Attributes": [{"AttributeName": "a", "Type": "String", "MenuPath": "…"}], "Menus": []}}',
                "/",
            ),
            (
                '{"RegistryEntries": {"Attributes": […{"AttributeName": "a", "Type": "String"}]}}',
                '{"AttributeName": "a@", "Type": "String"}, ',
            ),
            (
                '{"RegistryEntries": {"Attributes": [{"AttributeName": "a", "Type": "Enumeration", "Value": […{"ValueName": "x"}]}]}}',
                '{"ValueName": "x@"}, ',
            ),
            (
                '{"RegistryEntries": {"Attributes": [], "Dependencies": [{"DependencyFor": "a", "Type": "Map", "Dependency": {"MapFrom": […{"MapFromAttribute": "a", "MapFromProperty": "CurrentValue", "MapFromCondition": "EQU", "MapFromValue": "x"}], "MapToAttribute": "b", "MapToProperty": "GrayOut", "MapToValue": true}}]}}',
                '{"MapFromAttribute": "a", "MapFromProperty": "CurrentValue", "MapFromCondition": "EQU", "MapFromValue": "x", "MapTerms": "OR,AND"},',
            ),
        ),
    ),
    "current values": Reader(
        _in_file(read_current, "Bios.json"),
        ('{"Attributes": {"a": "…"}}',),
        (('{"Attributes": {… "a": 1}}', '"a@": 1, '), ('{"Attributes": {… "a": 1}}', '"a@": [], ')),
    ),
    "manifest": Reader(
        _in_file(lambda path: manifest_of(os.path.dirname(path)), "manifest.json"),
        (),
        (
            (
                '{"schema": "setpoint.bundle/1", "targets": [], "files": [… {}]}',
                '{"path": "x", "sha256": "y"}, ',
            ),
        ),
    ),
    "record": Reader(
        _in_file(recorded, "record.json"),
        (),
        (
            (
                '{"schema": "setpoint.kb-exercised/1", "rules": [… "x"], "constraints": [], "hazards": []}',
                '"x@", ',
            ),
        ),
    ),
    "json": Reader(
        _planned, ("…", '{"a": "…"}', '{"a": …'), (("…", '{"a":'), ("…", "["), ("{…}", '"a@": [1], '))
    ),
}

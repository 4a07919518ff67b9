"""The pins of sources: what they can say, what is wrong with one, and what a source takes from them."""

import pytest

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.model import Pin, Source
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for
from setpoint.compiler.render.markdown import source_line
from setpoint.compiler.render.source_text import source_text
from support.plans import plan_of_text
from support.together import refusals

HOST = "https://git.example/lab"

SOURCE = 'source {name} {{ title "Bench notes"; publisher "Example Ltd"; {fields} }}'
POLICY = f"""
{SOURCE.replace("{name}", "notes")}
rule quiet of notes at "notes.md" {{{{ when goal latency, cpu westmere; use turbo off; because "the fans"; }}}}
goal latency;
cpu westmere;
"""


def source(fields: str) -> Source:
    """The source with these fields."""
    return knowledge_for(program_of_text(POLICY.format(fields=fields))).sources["notes"]


@pytest.mark.parametrize(
    "pin",
    [
        f'pin "{HOST}" at 1a2b3c4;',
        f'pin "{HOST}" at 1234567 of 2027-01-14;',
        f'pin "{HOST}/tools.git" at 1e23456 of 2027-01-14 "notes.md";',
        f'pin "{HOST}" at {"0a" * 20} "a file, with spaces.md", "docs/.hidden", "docs/:(top)x", "-x", "...";',
        f'pin "https://git.example:8443/~lab/a_b+c" at {"0a" * 32} "docs";',
    ],
)
def test_pins_are_read(pin: str) -> None:
    assert len(source(pin).pins) == 1


WRONG = [
    (
        'pin "http://git.example/lab" at 1a2b3c4;',
        "`http://git.example/lab` is not the address of a repository",
    ),
    ('pin "ssh://git.example/lab" at 1a2b3c4;', "`ssh://git.example/lab` is not the address"),
    ('pin "git@git.example:lab" at 1a2b3c4;', "`git@git.example:lab` is not the address"),
    ('pin "file:///etc" at 1a2b3c4;', "`file:///etc` is not the address"),
    ('pin "ext::sh -c reboot" at 1a2b3c4;', "`ext::sh -c reboot` is not the address"),
    ('pin "--upload-pack=reboot" at 1a2b3c4;', "`--upload-pack=reboot` is not the address"),
    ('pin "https://me:secret@git.example/lab" at 1a2b3c4;', "is not the address of a repository"),
    ('pin "https://-x.example/lab" at 1a2b3c4;', "`https://-x.example/lab` is not the address"),
    ('pin "https://git.example/lab?x=1" at 1a2b3c4;', "is not the address of a repository"),
    ('pin "https://git.example/../lab" at 1a2b3c4;', "is not the address of a repository"),
    ('pin "https://git.example/$(reboot)" at 1a2b3c4;', "is not the address of a repository"),
    ('pin "https://git.example" at 1a2b3c4;', "`https://git.example` is not the address"),
    (f'pin "{HOST}" at main;', "`main` is not a commit"),
    (f'pin "{HOST}" at v2.10;', "`v2.10` is not a commit"),
    (f'pin "{HOST}" at 1a2b3c;', "`1a2b3c` is not a commit"),
    (f'pin "{HOST}" at 1A2B3C4;', "`1A2B3C4` is not a commit"),
    (f'pin "{HOST}" at {"0a" * 33};', "is not a commit"),
    (f'pin "{HOST}" at 1a2b3c4 "/etc/passwd";', "`/etc/passwd` is not the path of a file"),
    (f'pin "{HOST}" at 1a2b3c4 "notes.md", "../x";', "`../x` is not the path of a file"),
    (f'pin "{HOST}" at 1a2b3c4 "a/./x";', "`a/./x` is not the path of a file"),
    (f'pin "{HOST}" at 1a2b3c4 "a//x";', "`a//x` is not the path of a file"),
    (f'pin "{HOST}" at 1a2b3c4 "docs/";', "`docs/` is not the path of a file"),
    (f'pin "{HOST}" at 1a2b3c4 "";', "`` is not the path of a file"),
    (f'pin "{HOST}" at 1a2b3c4 "a\\b";', "`a\\b` is not the path of a file"),
]


@pytest.fixture(scope="module")
def refused() -> dict[str, tuple[Diagnostic, ...]]:
    """What is found in a source with each of these pins."""
    sources = {
        pin: SOURCE.format(name=f"notes-{number}", fields=pin) for number, (pin, _) in enumerate(WRONG)
    }
    found = refusals(sources.values())
    return {pin: found[text] for pin, text in sources.items()}


@pytest.mark.parametrize(("pin", "message"), WRONG)
def test_pins_that_cannot_be_looked_up_are_refused(
    refused: dict[str, tuple[Diagnostic, ...]], pin: str, message: str
) -> None:
    assert [found.code for found in refused[pin]] == ["K22"]
    assert message in refused[pin][0].message


def test_each_fault_of_a_pin_is_reported() -> None:
    with pytest.raises(SetpointError) as refused:
        plan_of_text(POLICY.format(fields='pin "x" at y "/z";'))
    assert [found.code for found in refused.value.diagnostics] == ["K22"] * 3


DATED, LATER, UNDATED = (
    f'pin "{HOST}" at 1a2b3c4 of 2027-01-14;',
    f'pin "{HOST}" at 1a2b3c5 of 2027-02-01;',
    f'pin "{HOST}" at 1a2b3c6;',
)


@pytest.mark.parametrize(
    ("fields", "date"),
    [
        ("", ""),
        (DATED, "2027-01-14"),
        (LATER + DATED, "2027-02-01"),
        (LATER + UNDATED, ""),
        (f"date 2026-12-24; {LATER}", "2026-12-24"),
    ],
)
def test_a_source_without_a_date_is_of_the_day_of_its_latest_pin(fields: str, date: str) -> None:
    assert source(fields).date == date


@pytest.mark.parametrize(
    ("fields", "url"),
    [
        ("", ""),
        (DATED + LATER, HOST),
        (f'{DATED} pin "{HOST}/two" at 1a2b3c4;', ""),
        (f'url "https://lab.example"; {DATED}', "https://lab.example"),
    ],
)
def test_a_source_without_an_address_is_at_the_repository_of_its_pins(fields: str, url: str) -> None:
    assert source(fields).url == url


def test_plans_and_pages_have_the_date_of_a_pin() -> None:
    text = POLICY.format(fields=f'pin "{HOST}" at 1a2b3c4 of 2027-01-14 "notes.md", "runs";')
    (reference,) = (cited for cited in plan_of_text(text).sources if cited.name == "notes")
    assert (reference.date, reference.url) == ("2027-01-14", HOST)
    assert source_line(reference) == f"- `notes`: *Bench notes*, Example Ltd, 2027-01-14, <{HOST}>\n"
    shown = source_text(knowledge_for(program_of_text(text)), (), "notes", 140)
    assert f"pin        {HOST} at 1a2b3c4 of 2027-01-14: notes.md, runs\n" in shown


def test_a_pin_in_words() -> None:
    assert Pin(HOST, "1a2b3c4", "", ()).text == f"{HOST} at 1a2b3c4"

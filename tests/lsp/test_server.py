"""The language server as an editor meets it: over the protocol, in a process of its own. `|` marks the cursor."""

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from setpoint.compiler.knowledge.model import STRENGTHS
from support.editor import Editor

SERVER = "goal latency; cpu westmere; workload comm-bound;\n"


# -------------------------------------------------------------------------------------- findings


def errors(found: list[types.Diagnostic]) -> list[types.Diagnostic]:
    return [each for each in found if each.severity == types.DiagnosticSeverity.Error]


def test_findings_come_while_one_types_and_go_when_they_are_mended(editor: Editor) -> None:
    (found,) = errors(editor.writes(SERVER + 'set trubo off because "a slip";\n', "typed.tune"))
    assert (found.code, found.message.split("\n")) == (
        "E0201",
        ["unknown setting `trubo`", "help: did you mean `turbo`?"],
    )
    assert found.range == types.Range(types.Position(1, 4), types.Position(1, 9))
    assert errors(editor.writes(SERVER + 'set turbo off because "PERF-212";\n', "typed.tune")) == []


def test_columns_are_those_of_the_protocol(editor: Editor) -> None:
    """A character beyond the basic plane counts as two there."""
    found = editor.writes(SERVER + 'set smt off because "🐇"; set trubo off because "a slip";\n')
    (wrong,) = errors(found)
    assert wrong.range.start == types.Position(1, len('set smt off because "..."; set ') - 1)


def test_another_place_that_contributes_is_named(editor: Editor) -> None:
    (twice,) = errors(editor.writes("goal latency;\ngoal balanced;\ncpu westmere;\n"))
    assert twice.code == "E0203"
    assert twice.related_information
    assert twice.related_information[0].location.range.start == types.Position(0, 0)


def test_what_is_not_saved_counts_for_files_that_include_it(editor: Editor) -> None:
    (editor.folder / "common.tune").write_text("goal trash;\n", encoding="utf-8")
    (wrong,) = editor.writes('cpu westmere; include "common.tune";\n')
    assert wrong.message.split("\n")[0] == "common.tune: `goal` has no value `trash`"
    assert wrong.range == types.Range(types.Position(0, 22), types.Position(0, 35))  # the name of the file
    assert wrong.related_information
    assert wrong.related_information[0].location.uri == editor.uri("common.tune")
    editor.writes("goal latency;\n", "common.tune")
    found = editor.writes('include "common.tune";\ncpu westmere;\nset turbo off because "x";\n')
    assert [each.code for each in found] == ["W0303", "W0401", "W0302"]


def test_a_change_is_seen_in_open_files_that_include_it(editor: Editor) -> None:
    editor.writes("goal latency;\n", "base.tune")
    assert errors(editor.writes('include "base.tune";\ncpu westmere;\n', "above.tune")) == []
    editor.published.clear()
    editor.writes("os rhel-9;\n", "base.tune")
    (lacking,) = editor.findings("above.tune", 1)
    assert (lacking.code, lacking.message.split("\n")[0]) == (
        "E0205",
        "base.tune: policy `above` has no goal",
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "set",
        'set turbo off because "',
        "policy {",
        "}}}}",
        "\x00\ud7ff",
        "for host x { set ",
        '"' * 99,
        "for trash x { }",
        "policy a extends a { }",
    ],
)
def test_no_text_ends_the_server(editor: Editor, text: str) -> None:
    document, _, _ = editor.at_cursor(text)
    ask = editor.requests
    for line, character in ((0, 0), (0, len(text)), (9, 9)):
        place = types.Position(line, character)
        editor.answer(ask.text_document_hover_async(types.HoverParams(document, place)))
        editor.answer(ask.text_document_completion_async(types.CompletionParams(document, place)))
        editor.answer(ask.text_document_definition_async(types.DefinitionParams(document, place)))
        context = types.ReferenceContext(include_declaration=True)
        editor.answer(ask.text_document_references_async(types.ReferenceParams(context, document, place)))
    whole = types.Range(types.Position(0, 0), types.Position(9, 9))
    editor.answer(ask.text_document_document_symbol_async(types.DocumentSymbolParams(document)))
    editor.answer(ask.text_document_inlay_hint_async(types.InlayHintParams(document, whole)))
    editor.answer(ask.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document)))
    assert errors(editor.writes(SERVER)) == []


# ----------------------------------------------------------------------------------------- hover


def hovered(editor: Editor, text: str) -> str:
    document, place, _ = editor.at_cursor(text)
    found = editor.answer(editor.requests.text_document_hover_async(types.HoverParams(document, place)))
    if found is None:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_a_setting_shows_its_value_and_who_says_so(editor: Editor) -> None:
    shown = hovered(editor, SERVER + 'set tu|rbo off because "PERF-212";\n')
    assert "turbo = off    Turbo Mode, firmware, decided " in shown
    assert "\n  wins  off  set     set: PERF-212\n" in shown
    assert "dell-11g-hpc, Table 6: the policy sets it" in shown


def test_a_setting_shows_the_value_of_the_group_that_it_stands_in(editor: Editor) -> None:
    groups = 'for group calm { set turbo off because "noise"; }\nfor group fast { set tu|rbo on because "PERF-3"; }\n'
    shown = hovered(editor, SERVER + groups)
    assert "turbo = on " in shown
    assert "turbo = off " not in shown


def test_every_other_name_shows_what_it_is(editor: Editor) -> None:
    assert "Bound by communication between nodes" in hovered(editor, "goal latency; workload comm-bo|und;")
    assert hovered(editor, "goal latency; # a com|ment\n") == ""


# ------------------------------------------------------------------------------------ completion


def completed(editor: Editor, text: str) -> list[str]:
    document, place, _ = editor.at_cursor(text)
    params = types.CompletionParams(document, place)
    found = editor.answer(editor.requests.text_document_completion_async(params))
    assert isinstance(found, list)
    assert found == sorted(found, key=lambda item: item.sort_text or item.label), "clients sort them so"
    return [item.label for item in found]


LESSON = 'rule quiet of lab at "Run 1" { '
"""A block of knowledge, in which a place is."""

CASES = [
    ("goal |", ["balanced", "density", "efficiency", "latency", "performance", "throughput"]),
    (SERVER + "set turbo |", ["off", "on"]),
    (SERVER + 'set turbo | because "x";', ["off", "on"]),
    (SERVER + "set turbo off |", ["because"]),
    (SERVER + 'set turbo off because "noise of |";', []),
    (SERVER + "# set turbo |", []),
    ("policy web { goal latency; cpu westmere; }\npolicy shop extends |", ["web"]),
    ("for group front { goal latency; }\nfor host web1 in |", ["front"]),
    ("for |", ["group", "host"]),
    ("manage |", ["all"]),
    (SERVER + "expect hazard not |", ["c-state-idle-power"]),
    (SERVER + "expect smt off, turbo |", ["off", "on"]),
    (SERVER + "expect turbo on |", ["because", "from", "under"]),
    (SERVER + "expect turbo on, smt not |", ["off", "on"]),
    (LESSON + "when |", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text.split("\n")[-1] for text, _ in CASES])
def test_what_can_stand_there_is_proposed(editor: Editor, text: str, expected: list[str]) -> None:
    assert completed(editor, text) == expected


def test_fields_and_blocks_of_knowledge_are_proposed(editor: Editor) -> None:
    in_a_rule = completed(editor, LESSON + "|")
    assert in_a_rule[:3] == ["because", "use", "when"]
    assert "goal" not in in_a_rule
    assert {"implies", "reported"} <= set(completed(editor, LESSON + "}\ncpu x { |"))
    assert "hazard" in completed(editor, LESSON + "}\n|")
    assert "hazard" not in completed(editor, SERVER + "|")


def test_statements_are_proposed_where_one_begins(editor: Editor) -> None:
    assert {"set", "accept", "os"} <= set(completed(editor, SERVER + "for host c1 { |}"))


def test_facts_are_proposed_that_the_block_does_not_state(editor: Editor) -> None:
    stated = {"goal", "cpu"}
    assert stated & set(completed(editor, SERVER + "|")) == set()
    assert stated & set(completed(editor, f"|\n{SERVER}")) == set()
    assert (
        stated & set(completed(editor, SERVER + "for host c1 { | }")) == stated
    )  # where another value can stand
    assert "cpu" in completed(editor, SERVER.replace("cpu", "c|pu"))
    assert stated & set(completed(editor, "# nothing yet\n|")) == stated


def test_values_of_facts_are_proposed_that_go_with_the_others(editor: Editor) -> None:
    """Also while the policy has no plan, since it states no goal yet."""
    on_r750 = completed(editor, "platform R750;\ncpu |")
    assert "xeon-gold-6338" in on_r750
    assert "westmere" not in on_r750
    assert "westmere" in completed(editor, "os rhel-9;\ncpu |")
    assert "r750" in completed(editor, "cpu Xeon Gold 6338;\nplatform |")
    assert "r720" not in completed(editor, "cpu Xeon Gold 6338;\nplatform |")
    assert "westmere" in completed(
        editor, "platform r750;\nos rhel-9;\nvendor hpe;\ncpu |"
    )  # nothing goes with both


def test_strengths_are_proposed_the_weakest_included(editor: Editor) -> None:
    assert completed(editor, SERVER + "require |") == ["strength"]
    assert set(completed(editor, SERVER + "require strength |")) == set(STRENGTHS)
    assert completed(editor, SERVER + "require strength vendor |") == ["because"]


def test_only_settings_and_values_of_this_server_are_proposed(editor: Editor) -> None:
    on_another = completed(editor, "goal latency; platform c6420;\nset |")
    here = completed(editor, SERVER + "set |")
    assert "sub-numa-cluster" in on_another
    assert "sub-numa-cluster" not in here
    assert "turbo" in here


def test_hazards_are_proposed_to_waive_where_they_stand(editor: Editor) -> None:
    text = SERVER + 'set c-states on because "asked for";\naccept |'
    assert completed(editor, text) == ["advice", "c-states-vs-latency", "difference", "omission", "override"]


# ------------------------------------------------------------------------- definition, references


def places(found: object) -> list[tuple[str, int, int]]:
    assert isinstance(found, list | tuple)
    return [
        (each.uri.rpartition("/")[2], each.range.start.line, each.range.start.character) for each in found
    ]


def test_a_name_leads_to_its_declaration_in_the_library(editor: Editor) -> None:
    document, place, _ = editor.at_cursor(SERVER + 'set tur|bo off because "x";\n')
    params = types.DefinitionParams(document, place)
    found = editor.answer(editor.requests.text_document_definition_async(params))
    assert isinstance(found, list)
    (at,) = found
    assert isinstance(at, types.Location)
    lines = Path(at.uri.removeprefix("file://")).read_text(encoding="utf-8").split("\n")
    assert lines[at.range.start.line].startswith("setting turbo ")


def referred(editor: Editor, text: str, name: str = "") -> list[tuple[str, int, int]]:
    document, place, _ = editor.at_cursor(text, name)
    params = types.ReferenceParams(types.ReferenceContext(include_declaration=True), document, place)
    return places(editor.answer(editor.requests.text_document_references_async(params)))


def test_a_group_is_found_wherever_it_is_named_and_nothing_else_of_that_name(editor: Editor) -> None:
    text = (
        "for group la|tency { goal latency; cpu westmere; }\n"  # the goal is another thing
        "for host c1 in latency { os rhel-9; }\n"
    )
    assert referred(editor, text, "groups.tune") == [("groups.tune", 0, 10), ("groups.tune", 1, 15)]


def test_a_name_is_found_in_files_that_include_it_and_in_the_library(editor: Editor) -> None:
    (editor.folder / "all.tune").write_text(
        'include "lab.tune";\ngoal latency;\ncpu westmere;\naccept advice of lab because "ours";\n',
        encoding="utf-8",
    )
    lab = 'source l|ab { title "Our laboratory"; publisher "Us"; date 2026-05-04; }\n'
    assert referred(editor, lab, "lab.tune") == [("lab.tune", 0, 7), ("all.tune", 3, 17)]
    used = referred(editor, SERVER + 'set tur|bo off because "x";\n', "uses.tune")
    assert used[0] == ("uses.tune", 1, 4)
    assert {name for name, _, _ in used} > {"uses.tune", "dell-11g-hpc.tune"}


# ------------------------------------------------------------------------------------- the outline


def test_an_outline_has_policies_with_their_groups(editor: Editor) -> None:
    document, _, _ = editor.at_cursor(
        "policy web {\n  goal latency; cpu westmere;\n  for group front { os rhel-9; }\n}\n"
    )
    found = editor.answer(
        editor.requests.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    )
    assert found
    (web,) = found
    assert isinstance(web, types.DocumentSymbol)
    assert (web.name, web.detail, [each.name for each in web.children or ()]) == ("web", "policy", ["front"])


def test_a_name_is_found_in_the_workspace_and_in_the_library(editor: Editor) -> None:
    (editor.folder / "saved.tune").write_text(
        "policy turbo-tests { goal latency; cpu westmere; }\n", encoding="utf-8"
    )
    found = editor.answer(editor.requests.workspace_symbol_async(types.WorkspaceSymbolParams("turbo")))
    assert found
    named = {(each.name, each.container_name) for each in found}
    assert {("turbo-tests", "policy"), ("turbo", "setting")} <= named


def test_a_statement_shows_what_it_overrules(editor: Editor) -> None:
    document, _, _ = editor.at_cursor(SERVER + 'set turbo off because "x"; set smt off because "y";\n')
    whole = types.Range(types.Position(0, 0), types.Position(9, 0))
    found = editor.answer(
        editor.requests.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    )
    assert [(each.label, each.position) for each in found or ()] == [
        ("instead of on (dell-11g-hpc)", types.Position(1, len("set turbo off")))
    ]


def test_words_are_coloured_by_what_they_mean(editor: Editor) -> None:
    document, _, _ = editor.at_cursor('cpu westmere;\nset smt off because "🐇"; accept smt-x because "y";')
    found = editor.answer(
        editor.requests.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    )
    assert found
    kinds = ("keyword", "string", "number", "variable", "property", "enumMember", "event", "class")
    tokens = [tuple(found.data[n : n + 5]) for n in range(0, len(found.data), 5)]
    assert [(line, column, length, kinds[kind]) for line, column, length, kind, _ in tokens] == [
        (0, 0, 3, "property"),  # cpu
        (0, 4, 8, "enumMember"),  # westmere
        (1, 0, 3, "keyword"),  # set, in the next line
        (0, 4, 3, "variable"),  # smt
        (0, 4, 3, "enumMember"),  # off
        (0, 4, 7, "keyword"),  # because
        (0, 8, 4, "string"),  # with a character that counts as two
        (0, 6, 6, "keyword"),  # accept
        (0, 13, 7, "keyword"),  # because: there is nothing called smt-x
        (0, 8, 3, "string"),
    ]


# --------------------------------------------------------------------------------------- changes


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """A text after edits, as an editor makes them. Texts of these tests have no character that counts as two."""
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines) + 1)]
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        start = starts[edit.range.start.line] + edit.range.start.character
        end = starts[edit.range.end.line] + edit.range.end.character
        text = text[:start] + edit.new_text + text[end:]
    return text


def offered(editor: Editor, text: str) -> dict[str, str]:
    """What can be done about the findings at the cursor: the title of each action, and the text after it."""
    document, place, found = editor.at_cursor(text)
    here = types.Range(place, place)
    params = types.CodeActionParams(document, here, types.CodeActionContext(found))
    actions = editor.answer(editor.requests.text_document_code_action_async(params))
    result = {}
    for action in actions or ():
        assert isinstance(action, types.CodeAction)
        assert action.edit
        assert action.edit.changes
        result[action.title] = applied(text.replace("|", ""), list(action.edit.changes[document.uri]))
    return result


def test_a_conflict_is_repaired_by_an_action(editor: Editor) -> None:
    statement = 'set c-states on because "asked for";'
    assert offered(editor, f'{SERVER}set c-|states on because "asked for";\n') == {
        "drop `set c-states on`": SERVER,
        "`set c-states off` instead of on": SERVER + 'set c-states off because "";\n',
        'waive it: `accept c-states-vs-latency because "";`': (
            f'{SERVER}{statement}\naccept c-states-vs-latency because "";\n'
        ),
        'waive it: `accept override of c-states because "";`': (
            f'{SERVER}{statement}\naccept override of c-states because "";\n'
        ),
    }


def test_the_name_that_was_meant_is_written_by_an_action(editor: Editor) -> None:
    assert offered(editor, SERVER + 'set tru|bo off because "x";\n') == {
        "write `turbo` for `trubo`": SERVER + 'set turbo off because "x";\n'
    }


def test_a_waiver_stands_in_the_block_of_what_it_waives(editor: Editor) -> None:
    text = SERVER + 'for group a {\n    set turb|o off because "x"\n}\n'
    assert offered(editor, text) == {
        'waive it: `accept override of turbo because "";`': SERVER
        + 'for group a {\n    set turbo off because "x";\n    accept override of turbo because "";\n}\n'
    }


def test_a_file_gets_its_canonical_form(editor: Editor) -> None:
    text = "goal latency;   cpu   westmere;"
    document, _, _ = editor.at_cursor(text)
    params = types.DocumentFormattingParams(document, types.FormattingOptions(tab_size=4, insert_spaces=True))
    found = editor.answer(editor.requests.text_document_formatting_async(params))
    assert applied(text, list(found or ())) == "goal latency;\ncpu westmere;\n"


def rename(editor: Editor, text: str, name: str) -> str:
    document, place, _ = editor.at_cursor(text)
    params = types.RenameParams(document, place, name)
    edit = editor.answer(editor.requests.text_document_rename_async(params))
    assert edit
    assert edit.changes
    return applied(text.replace("|", ""), list(edit.changes[document.uri]))


GROUPS = "for group fr|ont { goal latency; cpu westmere; }\nfor host front in front { os rhel-9; }\n"


def test_a_group_gets_another_name_wherever_it_is_named(editor: Editor) -> None:
    assert rename(editor, GROUPS, "web") == (
        "for group web { goal latency; cpu westmere; }\nfor host front in web { os rhel-9; }\n"
    )


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        (SERVER + 'set tur|bo off because "x";', "boost", "only what the policy or the site's own knowledge"),
        (GROUPS, "two words", "`two words` is not a name"),
        (GROUPS, "policy", "`policy` is not a name"),
        (GROUPS + "for group web { os debian-12; }", "web", "`web` is the name of something else"),
    ],
)
def test_what_cannot_be_renamed_says_why(editor: Editor, text: str, name: str, reason: str) -> None:
    with pytest.raises(JsonRpcException, match=reason):
        rename(editor, text, name)

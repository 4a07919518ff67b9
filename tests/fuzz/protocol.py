"""Speaks to the language server as no editor would, and edits texts meanwhile as all of them do.

Each request is answered exactly once, by a result or by an error of the protocol; what is no request is never answered;
and each open document has the text that the model of the specification has (`support.text_model`).
"""

import contextlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

from fuzz import corpus, spoil
from fuzz.property import DefectError
from support.text_model import TextModel
from support.wire import Message, Wire, framed

MESSAGES = 60
"""How many messages a session has."""

ENDS = ("\n", "\r\n", "\r")
ODD = (
    *("\f", "\v", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\0", "\t", "\ufeff"),  # no ends of lines
    *("🐇", "\U0010ffff", "e\u0301", "👩‍🚀", "\ud83d", "\udc07", "漢"),
)  # fmt: skip
WORDS = ("# see", "set turbo on;", 'set smt off because "x";', "goal latency;", "cpu westmere;", "{", "}", '"', " ", "for group g {", "include",
         "expect turbo on;", "policy web {")  # fmt: skip

NUMBERS: tuple[Any, ...] = (-1, 2**31, 2**63, 1e300, 0.5, "0", None, True, [], {})
"""What is no number of a line or of a character."""

MOST_LEVELS = 900
"""How deep JSON may be for any thread to read it."""

INTERNAL = -32603
"""The code of an answer to a request that the server could not handle: a defect."""

HEADERS = (
    "Content-Length: {}\r\n\r\n", "content-length: {}\r\n\r\n", "CONTENT-LENGTH:{}\r\n\r\n", "Content-Length: {}\n\n", "Content-Length: \t{} \r\n\r\n",
    "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: {}\r\n\r\n", "Content-Length: {}\r\nX-Y: z\r\n\r\n", "\r\n\r\nContent-Length: {}\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", "Content-Length: 12x\r\nContent-Length: {}\r\n\r\n", "\0\xff\nContent-Length: {}\r\n\r\n",
)  # fmt: skip
"""Headers that any reader understands who passes over what is none."""


def once(random: Random, folder: Path) -> None:
    """One session: open, edit, ask, cancel, and send what is broken."""
    converse(random, folder, MESSAGES)


def converse(random: Random, folder: Path, messages: int) -> None:
    """A session of so many messages. Raises DefectError."""
    with contextlib.redirect_stderr(io.StringIO()):  # where the server says what it ignores
        session = Session(random, folder)
        try:
            for _ in range(messages):
                session.step()
            session.check()
        finally:
            session.wire.close()


class Session:
    """An editor that has some documents open, with what it expects of the server."""

    def __init__(self, random: Random, folder: Path) -> None:
        self.random = random
        self.wire = Wire()
        self.expected: Counter[str] = Counter()
        root = folder.as_uri()
        self.texts: dict[str, TextModel | None] = dict.fromkeys(
            (f"{root}/web.tune", f"{root}/{quote('a b é.tune')}", "untitled:Untitled-1")
        )
        self.wild = f"{root}/wild.tune"
        self._number = 0
        self.send(
            self.request("initialize", {"capabilities": {}, "rootUri": root, "processId": None})
            | {"id": "first"}
        )
        for uri in self.texts:
            self.open(uri)

    def step(self) -> None:
        """Send something."""
        way = spoil.pick(
            self.random,
            (8, "edit"), (1, "whole"), (1, "open"), (1, "close"), (1, "broken change"), (5, "ask"), (3, "ask in vain"), (2, "note in vain"),
            (2, "cancel"), (1, "reply"), (1, "no message"), (1, "no frame"), (1, "wait"),
        )  # fmt: skip
        uri = self.random.choice(list(self.texts))
        match way:
            case "edit" | "whole":
                self.change(uri, way == "whole")
            case "open":
                self.open(uri)
            case "close":
                self.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
                self.texts[uri] = None
            case "broken change":
                self.change_badly(uri)
            case "ask":
                self.send(self.question(uri))
            case "ask in vain":
                self.damaged(self.question(self.random.choice((uri, self.wild))))
            case "note in vain":
                self.damaged(self.notification())
            case "cancel":
                self.cancel()
            case "reply":
                self.send(
                    {
                        "id": self.identifier(),
                        self.random.choice(("result", "error")): spoil.leaf(self.random),
                    }
                )
            case "no message":
                self.no_message()
            case "wait":
                self.wire.until_answered(self.expected)
            case _:
                self.no_frame()

    def check(self) -> None:
        """Wait for all answers, and compare. Raises DefectError."""
        end = {"id": "last", "method": "workspace/symbol", "params": {"query": "turbo"}}
        self.send(end)
        self.wire.until_answered(self.expected)
        for uri, model in self.texts.items():
            text = None if model is None else model.text
            if self.wire.text(uri) != text:
                raise DefectError(f"{uri} is {self.wire.text(uri)!r}, and should be {text!r}")
        self.send({"id": "shutdown", "method": "shutdown"})
        for _ in range(2):
            self.send(self.question(self.wild))
        self.wire.until_answered(self.expected)
        self.wire.tell({"method": "exit"})
        self.wire.close()
        if self.wire.answers != self.expected:
            raise DefectError(
                f"answered too often: {self.wire.answers - self.expected}, or not: {self.expected - self.wire.answers}"
            )
        if not next(each for each in self.wire.received if each.get("id") == "last").get("result"):
            raise DefectError("no result of the last request")
        _check_messages(self.wire.received)

    # ------------------------------------------------------------------------------- documents

    def open(self, uri: str) -> None:
        """Open a document, perhaps once more."""
        text = self.text(self.random.choice((0, 3, 30)))
        item = {"uri": uri, "languageId": "tune", "version": 1, "text": text}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
        self.texts[uri] = TextModel(text)

    def change(self, uri: str, is_whole: bool = False) -> None:
        """Change a document, in the model as well if it is open."""
        model = self.texts[uri]
        changes = []
        for _ in range(1 if is_whole else self.random.choice((1, 1, 1, 2, 5))):
            change: dict[str, Any] = {"text": self.text(self.random.choice((0, 1, 3)))}
            if not is_whole:
                change["range"] = self.range(model)
            if self.random.random() < 0.2:
                change["rangeLength"] = self.random.choice((0, 1, 2**31 - 1))
            if model:
                model.change(change)
            changes.append(change)
        self.send(self.changed(uri, changes))

    def change_badly(self, uri: str) -> None:
        """Change a document by what is no change: its text is not known any more."""
        good = {"range": self.range(self.texts[uri]), "text": "x"}
        bad: dict[str, Any] = deepcopy(good)
        match self.random.randrange(4):
            case 0:
                bad["range"][self.random.choice(("start", "end"))][
                    self.random.choice(("line", "character"))
                ] = self.random.choice(NUMBERS)
            case 1:
                del bad["range"]["end"]
            case 2:
                bad["text"] = self.random.choice([None, 1, ["x"]])
            case _:
                bad["range"] = self.random.choice(["all", [], 0])
        self.send(self.changed(uri, [good, bad] if self.random.random() < 0.5 else [bad, good]))
        self.texts[uri] = None

    def changed(self, uri: str, changes: list[dict[str, Any]]) -> Message:
        self._number += 1
        return {
            "method": "textDocument/didChange",
            "params": {"textDocument": {"uri": uri, "version": self._number}, "contentChanges": changes},
        }

    def text(self, pieces: int) -> str:
        """A text of words, ends of lines, and characters that some take for such."""
        if self.random.random() < 0.05:
            return self.random.choice(corpus.policies())
        ways = (WORDS, ENDS, ODD, spoil.ODD[:30])
        return "".join(self.random.choice(self.random.choice(ways)) for _ in range(pieces))

    def range(self, model: TextModel | None) -> dict[str, dict[str, int]]:
        """A range of a text, with positions behind the ends of lines and of the text, and with its ends in any
        order."""
        lines = model.lines if model else [(0, 0)]
        ends = {}
        for name in ("start", "end"):
            line = self.random.randrange(len(lines) + 2)
            length = lines[line][1] - lines[line][0] if line < len(lines) else 3
            ends[name] = {"line": line, "character": self.random.randrange(length + 3)}
            if self.random.random() < 0.05:
                ends[name][self.random.choice(("line", "character"))] = 2**31 - 1
        return ends

    # -------------------------------------------------------------------------------- requests

    def question(self, uri: str) -> Message:
        """A request, of some kind that the server has."""
        position = self.range(self.texts.get(uri))["start"]
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        document = {"textDocument": {"uri": uri}}
        here = {**document, "position": position}
        method, params = self.random.choice(
            (
                ("textDocument/hover", here),
                ("textDocument/completion", here),
                ("textDocument/definition", here),
                ("textDocument/references", {**here, "context": {"includeDeclaration": True}}),
                ("textDocument/rename", {**here, "newName": "x"}),
                ("textDocument/formatting", {**document, "options": {"tabSize": 4, "insertSpaces": True}}),
                ("textDocument/codeAction", {**document, "range": whole, "context": {"diagnostics": []}}),
                ("textDocument/documentSymbol", document),
                ("textDocument/inlayHint", {**document, "range": whole}),
                ("textDocument/semanticTokens/full", document),
                ("textDocument/codeLens", document),
                ("codeLens/resolve", {"range": whole, "data": [uri, "policy web"]}),
                (
                    "workspace/executeCommand",
                    {"command": "setpoint.showChanges", "arguments": [uri, "policy web"]},
                ),
                ("textDocument/typeHierarchy", here),
                ("$/unknown", None),
                ("notebookDocument/hover", document),
                ("initialize", {"capabilities": {}}),
            )
        )
        return self.request(method, params)

    def request(self, method: str, params: Any) -> Message:
        self._number += 1
        identifier = self.random.choice((self._number, f"n{self._number}"))
        return {"id": identifier, "method": method, "params": params}

    def notification(self) -> Message:
        """A notification about a document whose text nobody compares."""
        document = {"textDocument": {"uri": self.wild}}
        item = {"uri": self.wild, "languageId": "tune", "version": 1, "text": self.text(5)}
        change = {"range": self.range(None), "text": self.text(1)}
        return self.random.choice(
            (
                {"method": "textDocument/didOpen", "params": {"textDocument": item}},
                self.changed(self.wild, [change, change]),
                {"method": "textDocument/didSave", "params": document},
                {"method": "textDocument/didClose", "params": document},
                {"method": "notebookDocument/didOpen", "params": document},
                {"method": "initialized", "params": {}},
                {"method": "$/setTrace", "params": {"value": "off"}},
                {
                    "method": "workspace/didChangeWorkspaceFolders",
                    "params": {"event": {"added": [], "removed": []}},
                },
                {"method": "window/workDoneProgress/cancel", "params": {"token": 1}},
            )
        )

    def cancel(self) -> None:
        """Cancel a request: one that was just made, one that was answered, or none."""
        if self.random.random() < 0.5:
            asked = self.question(self.random.choice(list(self.texts)))
            self.send(asked)
            identifier = asked["id"]
        else:
            identifier = self.identifier()
        note = {"method": "$/cancelRequest", "params": {"id": identifier}}
        if self.random.random() < 0.2:
            note["params"] = spoil.leaf(self.random)
        self.send(note)

    def identifier(self) -> int | str:
        """The identifier of some request, perhaps of none."""
        number = self.random.randrange(self._number + 2)
        return self.random.choice((number, f"n{number}"))

    # ------------------------------------------------------------------------- what is broken

    def damaged(self, message: Message) -> None:
        """Send a message with some part replaced, as data or as bytes."""
        self.send_body(spoil.json_text(self.random, {"jsonrpc": "2.0", **message}))

    def no_message(self) -> None:
        """Send JSON that is no message: a batch, a number, another version."""
        asked = {"jsonrpc": "2.0", **self.question(self.wild)}
        told = {"jsonrpc": "2.0", "method": "initialized", "params": {}}
        body: Any = self.random.choice(
            ([asked, told], [], 1, None, "x", {}, {**asked, "jsonrpc": "1.0"}, {**told, "id": None}, {**asked, "id": 1.5},
             {**asked, "id": [1]}, {**asked, "method": 1}, {**told, "method": None}, {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}},
             {**asked, "id": True}, {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "id": 1})
        )  # fmt: skip
        self.send_body(json.dumps(body).encode())

    def no_frame(self) -> None:
        """Send a message whose header has another length, and what belongs to none."""
        body = json.dumps({"jsonrpc": "2.0", **self.question(self.wild)}).encode()
        if self.random.random() < 0.5:
            self.wire.send(b"Content-Length: %d\r\n\r\n" % (len(body) - 3) + body)
        else:
            self.wire.send(b"Content-Length: %d\r\n\r\n" % (len(body) + 3) + body + b"xyz")
        self.expected["null"] += 1
        junk = (b"", b"\r\n\r\n", b"Content-Length: -5\r\n\r\n", b"Content-Length: 999999999\r\n\r\n", b"{}\n", b"\xff" * 99_999 + b"\n")  # fmt: skip
        self.wire.send(self.random.choice(junk))

    def send(self, message: Message) -> None:
        """Send a message in the protocol's form."""
        is_ascii = self.random.random() < 0.7
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=is_ascii)
        self.send_body(body.encode(errors="surrogatepass"))

    def send_body(self, body: bytes) -> None:
        """Send a body, and expect the answer that it has to get; not one that Python can read in some threads only."""
        if MOST_LEVELS < _levels(body) < 10 * MOST_LEVELS:
            return
        header = self.random.choice(HEADERS).format(len(body)).encode("latin-1")
        self.wire.send(framed(body) if self.random.random() < 0.5 else header + body)
        self.expected.update(answered(body))


def answered(body: bytes) -> Iterable[str]:
    """The identifier by which a body is answered, as JSON has it, if it is: JSON-RPC 2.0."""
    if not body:
        return ()
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return ("null",)
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return ("null",)
    identifier = message.get("id")
    is_identifier = isinstance(identifier, int | str) and not isinstance(identifier, bool)
    if "method" not in message:  # an answer, even if it says nothing
        return () if is_identifier or not message.keys().isdisjoint(("result", "error")) else ("null",)
    if "id" not in message:
        return () if isinstance(message["method"], str) else ("null",)
    return (json.dumps(identifier) if is_identifier else "null",)


def _levels(body: bytes) -> int:
    """How deep JSON is nested, or deeper, if it has brackets in texts."""
    deepest = level = 0
    for sign in re.findall(rb"[\[\]{}]", body):
        level += 1 if sign in b"[{" else -1
        deepest = max(deepest, level)
    return deepest


def _check_messages(messages: list[Message]) -> None:
    """What the server says has a form, and tells of no defect. Raises DefectError."""
    for each in messages:
        error = each.get("error", {})
        is_answer = "method" not in each
        if each["jsonrpc"] != "2.0" or (is_answer and ("result" in each) == ("error" in each)):
            raise DefectError(f"no message: {each}")
        if error.get("code") == INTERNAL or (
            each.get("method") == "window/showMessage" and each["params"]["type"] == 1
        ):
            raise DefectError(f"a defect: {each}")

"""Messages as they come, before anything answers them: what is read of a stream, what has a form of the protocol, what
the texts are.

An editor is a program of somebody else. Whatever it sends, each request is answered, by a result or by the error that
the protocol has for it, and what is no request never is. Nothing is guessed: a message that is broken changes nothing,
except that a document is forgotten whose change cannot be read, since later changes would be made to another text than
the editor's.

pygls reads the stream, knows the forms and calls what answers. Here is what it leaves open: it reads lines as Python
does and not as editors do, takes texts for numbers, and leaves requests unanswered that have no form.
"""

import logging
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from contextvars import copy_context
from typing import Any
from urllib.parse import unquote

from cattrs import Converter, transform_error
from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

from setpoint.compiler.lsp.addresses import can_be_opened
from setpoint.compiler.lsp.positions import replaced

logger = logging.getLogger(__name__)

Message = dict[str, Any]
"""A message as JSON has it."""

UNASKED = ("notebookDocument/", "window/workDoneProgress/")
"""How the methods begin that pygls answers unasked: for documents, and for progress, that this server never says it
has."""

ADDRESSES = ("uri", "rootUri")
"""The fields that have the address of a document or a folder."""

NO_MESSAGE = JsonRpcInvalidRequest("no message of JSON-RPC 2.0")


def strict_converter() -> Converter:
    """The forms of the protocol, in which texts and numbers stay apart: cattrs would convert them."""
    converter = get_converter()
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(int, _whole_number)
    converter.register_structure_hook(bool, lambda data, _: bool(data))
    return converter


def _text(data: Any, _: type) -> str:
    if isinstance(data, str):
        return data
    raise ValueError("not a text")


def _whole_number(data: Any, _: type) -> int:
    if isinstance(data, int | float) and not isinstance(data, bool) and data == int(data):
        return int(data)
    raise ValueError("not a whole number")


class Protocol(LanguageServerProtocol):
    """The messages of one editor."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Agree on UTF-16, whatever the editor would rather have: each has it."""
        if params.capabilities.general:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel what is under way. pygls would do it in a loop over what is forgotten as it is cancelled."""
        for identifier, future in [*self._request_futures.items()]:
            if identifier != self.msg_id:
                future.cancel()
        yield from super().lsp_shutdown(*args)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Generator[Any, Any, Any]:
        """Carry out a command. pygls would call one without arguments whatever it needs."""
        params.arguments = params.arguments or []
        return (yield from super().lsp_workspace__execute_command(params))

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: types.DidChangeTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Change a text by our model of lines; pygls then calls what follows changes."""
        before = self.workspace.get_text_document(params.text_document.uri)
        text = before.source
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                text = replaced(text, change.range, change.text)
            else:
                text = change.text
        version = params.text_document.version
        self.workspace.put_text_document(
            types.TextDocumentItem(before.uri, before.language_id or "", version, text)
        )
        changed = types.DidChangeTextDocumentParams(params.text_document, [])
        yield from super().lsp_text_document__did_change(changed)

    def structure_message(self, data: Any) -> Any:
        """JSON as it is: pygls would make messages of objects within others."""
        return data

    def handle_message(self, message: Any) -> None:
        """Handle what was read: a message, or any other JSON."""
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            self.refuse(None, NO_MESSAGE)
            return
        identifier, method = message.get("id"), message.get("method")
        if "method" not in message and (_is_identifier(identifier) or {"result", "error"} & message.keys()):
            self._accept(identifier, message)
        elif "id" in message and not _is_identifier(identifier):
            self.refuse(None, NO_MESSAGE)
        elif not isinstance(method, str):
            self.refuse(identifier, NO_MESSAGE)
        elif "id" in message:
            self._answer(identifier, method, message)
        elif method == types.CANCEL_REQUEST:
            self._cancel(message.get("params"))
        else:
            self._note(method, message)

    def refuse(self, identifier: Any, error: JsonRpcException) -> None:
        """Answer a request by an error; None is for what has no identifier."""
        told = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": self.VERSION, "id": identifier, "error": told})

    def _accept(self, identifier: Any, message: Message) -> None:
        """Accept the editor's answer to a request of the server, and to nothing else."""
        if _is_identifier(identifier) and identifier in self._result_types:
            del self._result_types[identifier]
            self._request_futures.pop(identifier).set_result(message.get("result"))

    def _answer(self, identifier: Any, method: str, message: Message) -> None:
        """Answer a request: by nothing, if it is about a document that is not open."""
        try:
            params = self._params(method, message)
        except JsonRpcException as error:
            self.refuse(identifier, error)
            return
        if self._is_open(params):
            copy_context().run(self._handle_request, identifier, method, params)
        else:
            self._send_response(identifier, None)

    def _cancel(self, params: Any) -> None:
        """Cancel a request that is under way."""
        identifier = params.get("id") if isinstance(params, dict) else None
        if _is_identifier(identifier) and identifier in self._request_futures:
            self._handle_cancel_notification(identifier)

    def _note(self, method: str, message: Message) -> None:
        """Do what a notification says. One that is unknown, or about a document that is not open, says nothing."""
        try:
            params = self._params(method, message)
        except JsonRpcMethodNotFound:
            return
        except JsonRpcException as error:
            logger.warning("ignored %r: %r", method, error.message)
            if method == types.TEXT_DOCUMENT_DID_CHANGE:
                self._forget(message)
            return
        if self._is_open(params):
            copy_context().run(self._handle_notification, method, params)

    def _params(self, method: str, message: Message) -> Any:
        """What a message says, in the protocol's form. Raises JsonRpcException, by which it is to be refused."""
        is_first = method == types.INITIALIZE
        if method != types.EXIT:
            if self._workspace is None and not is_first:
                raise JsonRpcServerNotInitialized(f"`{method}` is sent before `{types.INITIALIZE}`")
            if self._shutdown or (self._workspace is not None and is_first):
                raise JsonRpcInvalidRequest(f"`{method}` is sent too late")
        if method.startswith(UNASKED):
            raise JsonRpcMethodNotFound.of(method)
        self._get_handler(method)
        if bad := next((address for address in _addresses(message) if not can_be_opened(address)), None):
            raise JsonRpcInvalidParams(f"no document can have the address {bad!r}")
        try:
            return self._converter.structure(message, types.METHOD_TO_TYPES[method][0]).params
        except Exception as error:  # of any class: each form has its own checks
            raise JsonRpcInvalidParams("; ".join(transform_error(error, "message"))) from error

    def _is_open(self, params: Any) -> bool:
        """Whether the document that something is about is open, if it is about one that is named."""
        named = getattr(params, "text_document", None)
        if not isinstance(named, types.TextDocumentIdentifier | types.VersionedTextDocumentIdentifier):
            return True
        return unquote(named.uri) in self.workspace.text_documents

    def _forget(self, message: Message) -> None:
        """Forget a document whose text is no longer known, and tell the user."""
        try:
            uri = message["params"]["textDocument"]["uri"]
            name = self.workspace.text_documents[unquote(uri)].filename
        except (LookupError, TypeError, AttributeError):
            return  # nobody knows which, if it is one
        closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        self._handle_notification(types.TEXT_DOCUMENT_DID_CLOSE, closed)
        told = f"a change of {name} was sent in no form of the protocol: close the file and open it again"
        self.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(types.MessageType.Warning, told))

    def _execute_handler(self, msg_id: Any, *args: Any, **kwargs: Any) -> None:
        super()._execute_handler(msg_id, *args, **kwargs)
        if future := self._request_futures.get(msg_id):  # pygls keeps those of notifications for good
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    def _run_generator(self, future: "Future[Any] | None", *, gen: Any, result_future: "Future[Any]") -> None:
        if future is not None and future.cancelled():  # pygls would wait for its result for good
            result_future.cancel()
        else:
            super()._run_generator(future, gen=gen, result_future=result_future)

    def _send_handler_result(self, future: "Future[Any]", *, msg_id: Any) -> None:
        error = None if future.cancelled() else future.exception()
        if isinstance(
            error, JsonRpcException
        ):  # what a user asked for in vain is no defect, and leaves no traceback
            self._request_futures.pop(msg_id, None)
            self.refuse(msg_id, error)
        else:
            super()._send_handler_result(future, msg_id=msg_id)


def _is_identifier(data: Any) -> bool:
    return isinstance(data, str | int) and not isinstance(data, bool)


def _addresses(message: Any) -> Iterator[str]:
    """The addresses of documents and folders in a message, however deeply it is nested."""
    waiting = [message]
    while waiting:
        data = waiting.pop()
        if isinstance(data, dict):
            yield from (
                address for key, address in data.items() if key in ADDRESSES and isinstance(address, str)
            )
            waiting += data.values()
        elif isinstance(data, list):
            waiting += data

"""`setpoint twin`: a controller to rehearse with, from a capture of one or from a registry."""

import os
import re
import secrets
import subprocess
import sys
import tempfile
from contextlib import ExitStack, nullcontext
from pathlib import Path
from shutil import which
from threading import Event
from typing import Any

from setpoint.compiler.captures.document import capture_of, is_capture
from setpoint.compiler.cli import OK
from setpoint.compiler.cli.arguments import Options, argument
from setpoint.compiler.cli.common import no_such, verb
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.language.program import read
from setpoint.compiler.twin.controller import NO_FILE, Twin
from setpoint.compiler.twin.dialects import ControllerDialect, dialects
from setpoint.compiler.twin.machine import Machine, Setup
from setpoint.compiler.twin.service import running
from setpoint.compiler.twin.source import SourceError, setup_of_documents, setup_of_registry

USER, PASSWORD = "SETPOINT_REDFISH_USER", "SETPOINT_REDFISH_PASSWORD"
"""The variables of the environment with the account, which are those of `setpoint capture --redfish`."""

RESTART = "2"
"""How many seconds a restart takes unless stated otherwise. Servers take minutes; a rehearsal need not."""

MADE_BY = "req -x509 -newkey rsa:2048 -nodes"
"""The words of openssl's command that makes a certificate with its key."""

DAYS = "30"
"""How long a certificate is valid that is made."""

MOST_SECONDS = 3600.0


@verb(
    "twin",
    "Serve a controller to rehearse a roll-out with: a Redfish service whose BIOS obeys a registry, until it is interrupted. It takes and "
    "refuses values, makes jobs and tasks and restarts as the services of that maker are documented to. Under /twin, values are "
    "changed by hand and faults are ordered.",
    "twin captures/bmc1.json --port 8443 -o twins",
    {
        "file FILE": "a capture of a controller, or a registry of BIOS attributes",
        "--current FILE": "with a registry: the current values, from a Bios resource (default: those that the registry has)",
        "--sockets NUMBER": argument(
            "with a registry: the processors of the server (default: 2)", default=""
        ),
        "--processor NUMBERS": argument(
            "with a registry: the processors, as `GenuineIntel 6 85 7`: vendor, family, model and stepping of /proc/cpuinfo (default: none "
            "is shown)",
            default="",
        ),
        "--model NAME": argument(
            "with a registry: the product name of the server (default: that of the registry)", default=""
        ),
        "--controller NAME": f"what it behaves like (default: found in the file): {', '.join(dialects())}",
        "--listen ADDRESS": argument("where it listens (default: 127.0.0.1)", default="127.0.0.1"),
        "--port NUMBER": argument("the port (default: one that is free)", default="0"),
        "-o DIR": argument(
            "keep certificate.pem and key.pem in this folder, or use those that are there (default: made by openssl, and removed at the end)",
            dest="out",
        ),
        "--plain-http": "serve without TLS",
        "--restart SECONDS": argument(f"how long a restart takes (default: {RESTART})", default=RESTART),
    },
)
def run(options: Options) -> int:
    """Serve until a signal ends it."""
    if options.controller and options.controller not in dialects():
        return no_such("unknown kind of controller", options.controller, dialects())
    port, seconds = _number(options.port, 65535), _number(options.restart, MOST_SECONDS)
    if port is None or seconds is None or port != int(port):
        options.error("--port and --restart are numbers: a port up to 65535, seconds up to 3600")
    if options.sockets and _number(options.sockets, 64) not in range(1, 65):
        options.error("--sockets is a number from 1 to 64")
    if options.processor and _processor(options.processor) is None:
        options.error("--processor is a vendor of CPUID and three numbers, such as `GenuineIntel 6 85 7`")
    setup = _setup(options, dialects().get(options.controller))._replace(seconds=max(seconds, 0.001))
    user = os.environ.get(USER) or "twin"
    password = os.environ.get(PASSWORD) or secrets.token_urlsafe(12)
    with ExitStack() as stack:
        folder = stack.enter_context(
            nullcontext(options.out) if options.out else tempfile.TemporaryDirectory()
        )
        certificate, key = (
            (NO_FILE, NO_FILE) if options.plain_http else _certificate(Path(folder), options.listen)
        )
        twin = stack.enter_context(
            running(Twin(Machine(setup), user, password, certificate), key, options.listen, int(port))
        )
        _say(twin, "" if os.environ.get(PASSWORD) else password)
        Event().wait()
    return OK


def _say(twin: Twin, password: str) -> None:
    """Where the twin is, and how to be let in."""
    scheme, dialect = ("https" if twin.ca.name else "http"), twin.machine.dialect
    lines = [f"{dialect.title}, {len(twin.machine.current)} attributes: {scheme}://{twin.address}"]
    lines += [f"certificate: {twin.ca}"] if twin.ca.name else []
    lines += [f"user: {twin.user}", *([f"password: {password}"] if password else [])]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _processor(text: str) -> tuple[str, int, int, int] | None:
    """Vendor, family, model and stepping; None if the text is not these."""
    match = re.fullmatch(r"([A-Za-z]{12}) ([0-9]{1,3}) ([0-9]{1,3}) ([0-9]{1,2})", text)
    if not match:
        return None
    family, model, stepping = map(int, match.groups()[1:])
    return (match[1], family, model, stepping) if max(family, model) < 256 and stepping < 16 else None


def _number(text: str, most: float) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number <= most else None


# --------------------------------------------------------------------------------------------------- what it serves


def _setup(options: Options, dialect: ControllerDialect | None) -> Setup:
    """The server in a file. Raises SetpointError (E0609, E0619, E0630)."""
    from setpoint.compiler.registries.read import read_current, registry_of  # they load pydantic

    path = options.file
    data = _json(path)
    try:
        if is_capture(data):
            controller = capture_of(data, path).controller
            if controller is None:
                raise SourceError(
                    "it is a capture of a host alone; `setpoint capture --redfish` reads a controller"
                )
            for name, document in controller.read.items():
                if isinstance(document, dict) and "RegistryEntries" in document:
                    registry_of(document, f"{path} › {name}")
            return setup_of_documents(controller.read, dialect)
        registry_of(data, path)
        current = read_current(options.current) if options.current else {}
        setup = setup_of_registry(data, current, dialect)
        stated = {
            "Model": options.model,
            "ProcessorSummary": {"Count": int(float(options.sockets))} if options.sockets else None,
        }
        return setup._replace(
            system={**setup.system, **{name: it for name, it in stated.items() if it}},
            processor=_processor(options.processor),
        )
    except SourceError as error:
        raise _no_twin(path, str(error)) from None
    except (AttributeError, KeyError, TypeError, IndexError) as error:
        raise _no_twin(path, f"a document in it is not as its schema describes it ({error})") from None


def _json(path: str) -> Any:
    try:
        return parse_json(read(path))
    except ValueError as error:
        raise _no_twin(path, f"it is not JSON: {error}") from None


def _no_twin(path: str, why: str) -> SetpointError:
    help_ = "a capture by `setpoint capture --redfish`, or the registry that a Redfish service has in /redfish/v1/Registries, can be served"
    return SetpointError.of(
        "E0630", f"`{path}` cannot be served as a twin: {why[:300]}", help=(help_,), subject=path
    )


# ------------------------------------------------------------------------------------------------------ certificate


def _certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """The certificate in a folder and its key, made if they are not there. Raises SetpointError (E0631)."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    if certificate.exists() and key.exists():
        return certificate, key
    openssl = which("openssl")
    if openssl is None:
        raise _no_certificate("openssl, which makes one, is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    is_address = host.replace(".", "").isdigit() or ":" in host
    name = f"subjectAltName={'IP' if is_address else 'DNS'}:{host}"
    command = [openssl, *MADE_BY.split(), "-days", DAYS, "-subj", f"/CN={host}", "-addext", name]
    command += ["-keyout", str(key), "-out", str(certificate)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=False)
    if done.returncode:
        raise _no_certificate(done.stderr.strip().rpartition("\n")[2][:200])
    return certificate, key


def _no_certificate(why: str) -> SetpointError:
    help_ = "put certificate.pem and key.pem into a folder and name it by -o, or use --plain-http"
    return SetpointError.of("E0631", f"a twin has no certificate: {why}", help=(help_,))

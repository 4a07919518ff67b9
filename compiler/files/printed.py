"""Read what a program prints: all of it, unless it takes too long or prints too much. Then the program is stopped.

Whoever starts it decides what that means: an error about git, or a host of which there is no capture.
"""

import subprocess
import threading

from setpoint.compiler.record import NamedTuple

PIECE = 1 << 16
"""How many bytes are read at a time."""


class Printed(NamedTuple):
    """The output of a program, and whether the program was stopped: after too much time, or too much output."""

    content: bytes
    is_late: bool
    is_too_much: bool


def printed(process: "subprocess.Popen[bytes]", seconds: float, most: int) -> Printed:
    """What a process prints until it ends, within some seconds, and not much more than `most` bytes."""
    assert process.stdout is not None
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    out = bytearray()
    try:
        while len(out) <= most and (piece := process.stdout.read(PIECE)):
            out += piece
    except BaseException:
        process.kill()  # whoever stops this command does not wait for the program to end
        raise
    finally:
        timer.cancel()
        if len(out) > most:
            process.kill()
        process.stdout.close()
        process.wait()
    return Printed(bytes(out), late.is_set(), len(out) > most)

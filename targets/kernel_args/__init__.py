"""Kernel arguments: the boot layer as words on Linux's command line.

There is no one place for that line. grub.conf had it on each `kernel` line; grubby edits whatever the
release uses; Debian assembles it from /etc/default/grub and a folder of drop-ins; an image that bootc
deploys carries it in kargs.d. So a plan gets the forms that its OS can use (`spelling.toml`), all
made from one model.

Taking back is half of the work. A setting that goes back to the kernel's default has no argument to
add, and yet the old one is still in the boot loader's files; so every value says what must be gone
as well as what must be there, and every form that can, removes it.

What the kernel makes of an argument it rarely says: of a misspelt module parameter nothing, of a bad
value often nothing. The scripts therefore verify in two ways: the words of /proc/cmdline, of which
the last of a name counts, and the parameters as the kernel holds them in /sys. Neither script
restarts a server.

Not used is tuned's [bootloader]: two owners of one line is one too many.
"""

from setpoint.targets._kernel.lower import lower, unsupported_reason
from setpoint.targets._shared.target import PlanTarget
from setpoint.targets.kernel_args.emit import artifacts, procedure

TARGET = PlanTarget(
    "kernel-args", "Kernel boot arguments", ("boot",), unsupported_reason, lower, artifacts, procedure
)

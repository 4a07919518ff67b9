"""What the compiler has to say, as data (`model`); how it is shown is the business of `render`."""

from setpoint.compiler.diagnostics.model import Diagnostic, Diagnostics, Label, SetpointError

__all__ = ["Diagnostic", "Diagnostics", "Label", "SetpointError"]

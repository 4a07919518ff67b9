"""The compiler's findings as data (`model`); `render` presents them."""

from setpoint.compiler.diagnostics.model import Diagnostic, Diagnostics, Label, SetpointError

__all__ = ["Diagnostic", "Diagnostics", "Label", "SetpointError"]

"""What type checkers read of `typing`, for the modules that every plan loads.

To import `typing` takes four milliseconds, a fifth of what a plan takes for its own modules, and no plan does anything
with it. For type checkers, which take `TYPE_CHECKING` for true, these names are those of `typing`. When a program runs
they stand in annotations that nobody reads. Modules that do read annotations, or that no plan loads, import `typing`.
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any as Any
    from typing import ClassVar as ClassVar
    from typing import NoReturn as NoReturn
    from typing import Protocol as Protocol
    from typing import Self as Self
    from typing import TypeVar as TypeVar
    from typing import dataclass_transform as dataclass_transform
else:
    Any = NoReturn = Protocol = Self = object

    class ClassVar:
        """Belongs to a class."""

        __class_getitem__ = classmethod(lambda cls, of: of)

    def TypeVar(name, **bounds):  # noqa: N802 - as it is called there
        """Stands for some type."""
        return object

    def dataclass_transform(**says):
        """Leave a class as it is."""
        return lambda cls: cls

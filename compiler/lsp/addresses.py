"""Addresses of documents, and the names that the compiler has for them.

A file's name is its path. What is no file, such as a text that was never saved (`untitled:Untitled-1`), has its address
for a name.
"""

import os
import re

from pygls.uris import from_fs_path, to_fs_path

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""The beginning of an address, which is longer than the letter of a drive."""


def path_of_address(address: str) -> str:
    """The name of a document."""
    return to_fs_path(address) or address


def address_of_path(path: str) -> str:
    """The address of a document by its name."""
    return path if is_address(path) else from_fs_path(path) or path


def is_address(path: str) -> bool:
    """Whether a name is that of a document which is no file."""
    return SCHEME.match(path) is not None


def can_be_opened(address: str) -> bool:
    """Whether an address can be that of a document: it has a name that the system could have for a file."""
    try:
        path = path_of_address(address)
        return bool(os.fsencode(path)) and "\0" not in path
    except ValueError:
        return False

"""Where the original of a document is, by the five rules of the contract."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Union

from ._generated.models import FileHints


@dataclass(frozen=True)
class WebOriginal:
    """Open this address."""

    url: str
    kind: Literal["url"] = "url"


@dataclass(frozen=True)
class FileOriginal:
    """Open this file of the machine."""

    path: str
    kind: Literal["file"] = "file"


@dataclass(frozen=True)
class CloudOriginal:
    """It stays with its provider, at this address where one is known."""

    url: str | None
    kind: Literal["cloud"] = "cloud"


@dataclass(frozen=True)
class UnknownOriginal:
    """The machine has no root for it: set this variable to the folder; None where none is named."""

    variable: str | None
    kind: Literal["unknown"] = "unknown"


Original = Union[WebOriginal, FileOriginal, CloudOriginal, UnknownOriginal]
"""How an original is opened; `kind` tells which."""


def _within(root: str, relative: str) -> str | None:
    """Joins a root of this machine and a relative path; None where the path would leave the root."""
    steps = [step for step in re.split(r"[\\/]", relative) if step not in ("", ".")]
    if ".." in steps:
        return None
    separator = "\\" if re.match(r"[A-Za-z]:\\|\\\\", root) else "/"
    return separator.join([root.rstrip("\\/"), *steps])


def original_of(fs: FileHints, environment: Mapping[str, str] = os.environ) -> Original:
    """Resolves an original by the five rules of the contract, in their order; it never guesses a root."""
    if fs["is_cloud_only"]:
        source = fs.get("source_url")
        return CloudOriginal(source if isinstance(source, str) else None)
    if fs["is_public_url"] or fs["origin"] == "PUBLIC":
        return WebOriginal(fs["path"])
    if fs["is_absolute"]:
        return FileOriginal(fs["path"])
    variable = fs["home_var"] or None
    root = environment.get(variable) if variable is not None else None
    path = _within(root, fs["relative_path"]) if root else None
    return UnknownOriginal(variable) if path is None else FileOriginal(path)

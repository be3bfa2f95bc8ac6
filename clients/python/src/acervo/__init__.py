"""Client of the Acervo API: search an organisation's own documents, with citations."""

from ._generated import models
from .async_client import AsyncAcervoClient
from .client import AcervoClient
from .errors import (
    AcervoError,
    Conflict,
    ConnectionFailed,
    ContextConflict,
    Forbidden,
    InternalFailure,
    InvalidContext,
    InvalidRequest,
    NotFound,
    QuotaExceeded,
    RateLimited,
    Unauthorized,
    UnexpectedAnswer,
    ValidationFailed,
)
from .originals import CloudOriginal, FileOriginal, Original, UnknownOriginal, WebOriginal, original_of

__all__ = [
    "AcervoClient",
    "AcervoError",
    "AsyncAcervoClient",
    "CloudOriginal",
    "Conflict",
    "ConnectionFailed",
    "ContextConflict",
    "FileOriginal",
    "Forbidden",
    "InternalFailure",
    "InvalidContext",
    "InvalidRequest",
    "NotFound",
    "Original",
    "QuotaExceeded",
    "RateLimited",
    "Unauthorized",
    "UnexpectedAnswer",
    "UnknownOriginal",
    "ValidationFailed",
    "WebOriginal",
    "models",
    "original_of",
]

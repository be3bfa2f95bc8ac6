"""Errors of requests: a class for each code of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class AcervoError(Exception):
    """A request that failed. Its class follows from its code."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        details: Mapping[str, Any] | None = None,
        request_id: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """A code of the API, CONNECTION_FAILED or UNEXPECTED_ANSWER."""
        self.status = status
        """HTTP status; 0 where no answer arrived."""
        self.details: dict[str, Any] = dict(details or {})
        """Declared names and counts; usually empty."""
        self.request_id = request_id
        """Names the request in the logs of the service; empty where no answer arrived."""


class InvalidRequest(AcervoError):
    """400: the request has the right shape and no meaning."""


class InvalidContext(AcervoError):
    """400: the request needs an active entity."""


class Unauthorized(AcervoError):
    """401: the key is absent, wrong or revoked."""


class QuotaExceeded(AcervoError):
    """402: the quota of the plan is used up."""


class Forbidden(AcervoError):
    """403: the role of the key does not reach the route."""


class NotFound(AcervoError):
    """404: absent or invisible."""


class Conflict(AcervoError):
    """409: the state of the resource refuses the request."""


class ContextConflict(AcervoError):
    """409: the saved area is no longer permitted; set or release the focus."""


class ValidationFailed(AcervoError):
    """422: a field is missing, unknown or out of bounds; `details` names it."""


class RateLimited(AcervoError):
    """429, after all retries."""


class InternalFailure(AcervoError):
    """500, or 503 after all retries."""


class ConnectionFailed(AcervoError):
    """No answer arrived."""


class UnexpectedAnswer(AcervoError):
    """An answer that the API does not give: of a proxy, or of another service at this address."""


_CLASSES: dict[str, type[AcervoError]] = {
    "INVALID_REQUEST": InvalidRequest,
    "INVALID_CONTEXT": InvalidContext,
    "UNAUTHORIZED": Unauthorized,
    "QUOTA_EXCEEDED": QuotaExceeded,
    "FORBIDDEN": Forbidden,
    "NOT_FOUND": NotFound,
    "CONFLICT": Conflict,
    "CONTEXT_CONFLICT": ContextConflict,
    "VALIDATION_ERROR": ValidationFailed,
    "RATE_LIMITED": RateLimited,
    "INTERNAL_ERROR": InternalFailure,
    "PUBLIC_CODE_MAPPING_MISSING": InternalFailure,
    "PUBLIC_FIELD_MAPPING_MISSING": InternalFailure,
}


def error_of(status: int, body: object) -> AcervoError:
    """The error of an answer. A code that is newer than this client keeps its name and has the base class."""
    if not isinstance(body, dict) or not {"code", "message", "request_id"} <= body.keys():
        message = f"The answer has status {status} and no error of the API: check the address."
        return UnexpectedAnswer(message, code="UNEXPECTED_ANSWER", status=status)
    code = str(body["code"])
    return _CLASSES.get(code, AcervoError)(
        str(body["message"]),
        code=code,
        status=status,
        details=body.get("details"),
        request_id=str(body["request_id"]),
    )

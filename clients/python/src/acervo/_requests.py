"""What the two clients have in common: how a request is built, and what its answer means."""

from __future__ import annotations

import json
import random
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx

from ._generated.routes import ROUTES, Route
from .errors import AcervoError, ConnectionFailed, UnexpectedAnswer, error_of

LONGEST_PAUSE = 30.0
FIRST_PAUSE = 0.25
RETRIED = (429, 503)


@dataclass(frozen=True)
class Request:
    """A request, the same for all of its tries."""

    route: Route
    url: str
    headers: dict[str, str]
    content: bytes | None

    @property
    def may_repeat_unanswered(self) -> bool:
        """A read has no effect, and a keyed write has one effect however often it arrives."""
        return self.route.method == "GET" or self.route.is_keyed


@dataclass(frozen=True)
class Failure:
    """A try that failed."""

    error: AcervoError
    retry_after: str | None
    may_repeat: bool


def _text_of(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(_text_of(each) for each in value)
    return str(value)


def _address_of(base_url: str, route: Route, fields: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """The address, and the fields that are left for the body.

    A field that the route does not know is sent too, and refused by the service.
    """
    in_path = set(re.findall(r"\{(\w+)\}", route.path))
    missing = sorted(in_path - fields.keys())
    if missing:
        raise TypeError(f"Missing for the path {route.path}: {', '.join(missing)}")
    path = re.sub(r"\{(\w+)\}", lambda match: quote(_text_of(fields[match[1]]), safe=""), route.path)
    rest = {name: value for name, value in fields.items() if name not in in_path}
    queried = {name: _text_of(value) for name, value in rest.items() if not route.has_body or name in route.query}
    search = f"?{urlencode(queried)}" if queried else ""
    return f"{base_url.rstrip('/')}{path}{search}", {k: v for k, v in rest.items() if k not in queried}


def request_of(
    base_url: str,
    key: str,
    operation: str,
    fields: Mapping[str, object],
    request_id: str | None,
    idempotency_key: str | None,
) -> Request:
    """The request of an operation: fields of path, query and body from one flat input."""
    route = ROUTES[operation]
    url, rest = _address_of(base_url, route, fields)
    headers = {"accept": "application/json"}
    if key != "":
        headers["authorization"] = f"Bearer {key}"
    if route.has_body:
        headers["content-type"] = "application/json"
    if route.is_keyed:
        headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
    if request_id is not None:
        headers["x-request-id"] = request_id
    return Request(route, url, headers, json.dumps(rest, allow_nan=False).encode() if route.has_body else None)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def outcome_of(response: httpx.Response) -> Any | Failure:
    """The answer, or what failed."""
    status = response.status_code
    body = _parsed(response.text)
    if response.is_success and body is not None:
        return body
    error: AcervoError
    if response.is_success:
        error = UnexpectedAnswer("The answer is not JSON: check the address.", code="UNEXPECTED_ANSWER", status=status)
    else:
        error = error_of(status, body)
    return Failure(error, response.headers.get("retry-after"), status in RETRIED)


def unanswered(request: Request, cause: httpx.RequestError) -> Failure:
    """A try without an answer."""
    address = urlsplit(request.url)
    message = f"No answer from {address.scheme}://{address.netloc}: check the address, and that the service runs."
    error = ConnectionFailed(message, code="CONNECTION_FAILED")
    error.__cause__ = cause
    return Failure(error, None, request.may_repeat_unanswered)


def pause_of(turn: int, retry_after: str | None, chance: Callable[[], float] = random.random) -> float:
    """Seconds until the next try: what the service says, else a random part of a time that doubles."""
    if retry_after is not None and re.fullmatch(r"\d+", retry_after):
        return min(LONGEST_PAUSE, float(retry_after)) + chance() * FIRST_PAUSE
    return chance() * min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**turn)

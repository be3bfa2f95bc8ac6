"""The API of one service under one key, for programs that wait."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

import httpx
from typing_extensions import Self, Unpack

from ._generated import models
from ._generated.methods import Methods
from ._requests import Failure, Request, outcome_of, pause_of, request_of, unanswered


class AcervoClient(Methods):
    """Each route is a method with the name of its operationId, e.g. `search_documents(query="riego")`.

    `key` is an API key or an access token, `base_url` the address of the service without `/v1`. `retries` counts the
    tries after the first one, for 429, 503 and broken connections. `timeout` is the longest wait for a part of an
    answer, in seconds. `http_client` replaces the client of `httpx`, e.g. to set a proxy; its owner closes it.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        retries: int = 2,
        timeout: float = 60.0,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._base_url = base_url
        self._key = key
        self._retries = retries
        self._timeout = timeout
        self._owns_http = http_client is None
        self._http = httpx.Client() if http_client is None else http_client

    def call(
        self,
        operation: str,
        input: Mapping[str, object],
        *,
        request_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Calls an operation by the name of its method. Raises AcervoError."""
        request = request_of(self._base_url, self._key, operation, input, request_id, idempotency_key)
        turn = 0
        while True:
            outcome = self._attempt(request)
            if not isinstance(outcome, Failure):
                return outcome
            if not outcome.may_repeat or turn >= self._retries:
                raise outcome.error
            time.sleep(pause_of(turn, outcome.retry_after))
            turn += 1

    def _attempt(self, request: Request) -> Any | Failure:
        try:
            return outcome_of(
                self._http.request(
                    request.route.method,
                    request.url,
                    headers=request.headers,
                    content=request.content,
                    timeout=self._timeout,
                    follow_redirects=False,
                )
            )
        except httpx.RequestError as cause:
            return unanswered(request, cause)

    def documents(self, **input: Unpack[models.ListDocumentsInput]) -> Iterator[models.DocumentItem]:
        """All documents of a list, page by page."""
        page = input.get("page", 1)
        while True:
            found: models.DocumentList = self.call("list_documents", {**input, "page": page})
            yield from found["documents"]
            if not found["documents"] or page * found["limit"] >= found["total"]:
                return
            page += 1

    def areas(self, **input: Unpack[models.ListAreasInput]) -> Iterator[models.AreaItem]:
        """All areas of a list, page by page."""
        for page in self._pages("list_areas", input):
            yield from page["areas"]

    def locations(self, **input: Unpack[models.ListLocationsInput]) -> Iterator[models.LocationItem]:
        """All folders of a list, page by page."""
        for page in self._pages("list_locations", input):
            yield from page["locations"]

    def spaces(self, **input: Unpack[models.ListSpacesInput]) -> Iterator[models.Space]:
        """All spaces of a list, page by page."""
        for page in self._pages("list_spaces", input):
            yield from page["spaces"]

    def _pages(self, operation: str, input: Mapping[str, object]) -> Iterator[Any]:
        fields = dict(input)
        while True:
            page = self.call(operation, fields)
            yield page
            if page["next_cursor"] is None:
                return
            fields["cursor"] = page["next_cursor"]

    def close(self) -> None:
        """Closes the connections that this client opened."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

"""The API of one service under one key, for programs of asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any

import httpx
from typing_extensions import Self, Unpack

from ._generated import models
from ._generated.methods import AsyncMethods
from ._requests import Failure, Request, outcome_of, pause_of, request_of, unanswered


class AsyncAcervoClient(AsyncMethods):
    """Each route is a coroutine with the name of its operationId, e.g. `search_documents(query="riego")`.

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
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._base_url = base_url
        self._key = key
        self._retries = retries
        self._timeout = timeout
        self._owns_http = http_client is None
        self._http = httpx.AsyncClient() if http_client is None else http_client

    async def call(
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
            outcome = await self._attempt(request)
            if not isinstance(outcome, Failure):
                return outcome
            if not outcome.may_repeat or turn >= self._retries:
                raise outcome.error
            await asyncio.sleep(pause_of(turn, outcome.retry_after))
            turn += 1

    async def _attempt(self, request: Request) -> Any | Failure:
        try:
            return outcome_of(
                await self._http.request(
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

    async def documents(self, **input: Unpack[models.ListDocumentsInput]) -> AsyncIterator[models.DocumentItem]:
        """All documents of a list, page by page."""
        page = input.get("page", 1)
        while True:
            found: models.DocumentList = await self.call("list_documents", {**input, "page": page})
            for document in found["documents"]:
                yield document
            if not found["documents"] or page * found["limit"] >= found["total"]:
                return
            page += 1

    async def areas(self, **input: Unpack[models.ListAreasInput]) -> AsyncIterator[models.AreaItem]:
        """All areas of a list, page by page."""
        async for page in self._pages("list_areas", input):
            for area in page["areas"]:
                yield area

    async def locations(self, **input: Unpack[models.ListLocationsInput]) -> AsyncIterator[models.LocationItem]:
        """All folders of a list, page by page."""
        async for page in self._pages("list_locations", input):
            for location in page["locations"]:
                yield location

    async def spaces(self, **input: Unpack[models.ListSpacesInput]) -> AsyncIterator[models.Space]:
        """All spaces of a list, page by page."""
        async for page in self._pages("list_spaces", input):
            for space in page["spaces"]:
                yield space

    async def _pages(self, operation: str, input: Mapping[str, object]) -> AsyncIterator[Any]:
        fields = dict(input)
        while True:
            page = await self.call(operation, fields)
            yield page
            if page["next_cursor"] is None:
                return
            fields["cursor"] = page["next_cursor"]

    async def close(self) -> None:
        """Closes the connections that this client opened."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

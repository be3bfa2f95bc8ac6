"""The service of the tests, and both clients behind one name."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from service import Service

from acervo import AcervoClient, AsyncAcervoClient


class Waiting:
    """The client that waits."""

    def __init__(self, address: str) -> None:
        self.client = AcervoClient(f"{address}/", "k", retries=1)

    def send(self, method: str, **input: Any) -> Any:
        return getattr(self.client, method)(**input)

    def all(self, method: str, **input: Any) -> list[Any]:
        return list(getattr(self.client, method)(**input))

    def stop(self) -> None:
        self.client.close()


class Coroutines:
    """The client of coroutines: a loop and a client for each request, as a program may have it."""

    def __init__(self, address: str) -> None:
        self.address = address

    def _client(self) -> AsyncAcervoClient:
        return AsyncAcervoClient(self.address, "k", retries=1)

    def send(self, method: str, **input: Any) -> Any:
        async def run() -> Any:
            async with self._client() as client:
                return await getattr(client, method)(**input)

        return asyncio.run(run())

    def all(self, method: str, **input: Any) -> list[Any]:
        async def run() -> list[Any]:
            async with self._client() as client:
                return [each async for each in getattr(client, method)(**input)]

        return asyncio.run(run())

    def stop(self) -> None:
        """Each client is closed already."""


@pytest.fixture
def service() -> Iterator[Service]:
    started = Service()
    yield started
    started.stop()


@pytest.fixture(params=[Waiting, Coroutines])
def acervo(request: pytest.FixtureRequest, service: Service) -> Iterator[Waiting | Coroutines]:
    made = request.param(service.address)
    yield made
    made.stop()

"""A retriever of LlamaIndex: `pip install acervo[llamaindex]`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from ._generated.models import SearchResult
from ._passages import passages_of
from .async_client import AsyncAcervoClient
from .client import AcervoClient


def _nodes_of(result: SearchResult) -> list[NodeWithScore]:
    return [
        NodeWithScore(node=TextNode(id_=id, text=text, metadata=citation), score=score)
        for id, text, score, citation in passages_of(result)
    ]


class AcervoRetriever(BaseRetriever):
    """Passages as nodes, best first; their metadata cites them.

    `search` holds further fields of each search, e.g. `{"limit": 5, "location_code": "L1"}`. Without `async_client`,
    coroutines run the other client in a thread.
    """

    def __init__(
        self,
        client: AcervoClient,
        *,
        async_client: AsyncAcervoClient | None = None,
        search: Mapping[str, Any] | None = None,
    ) -> None:
        self._client = client
        self._async_client = async_client
        self._search = dict(search or {})
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes_of(self._client.call("search_documents", {**self._search, "query": query_bundle.query_str}))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self._async_client is None:
            return await asyncio.to_thread(self._retrieve, query_bundle)
        fields = {**self._search, "query": query_bundle.query_str}
        return _nodes_of(await self._async_client.call("search_documents", fields))

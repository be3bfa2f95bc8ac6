"""A retriever of LangChain: `pip install acervo[langchain]`."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from ._generated.models import SearchResult
from ._passages import passages_of
from .async_client import AsyncAcervoClient
from .client import AcervoClient


def _documents_of(result: SearchResult) -> list[Document]:
    return [Document(id=id, page_content=text, metadata=citation) for id, text, _, citation in passages_of(result)]


class AcervoRetriever(BaseRetriever):
    """Passages as documents, best first; their metadata cites them.

    `search` holds further fields of each search, e.g. `{"limit": 5, "location_code": "L1"}`.
    """

    client: AcervoClient
    async_client: AsyncAcervoClient | None = None
    """Without it, coroutines run the other client in a thread."""
    search: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return _documents_of(self.client.call("search_documents", {**self.search, "query": query}))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        if self.async_client is None:
            return await super()._aget_relevant_documents(query, run_manager=run_manager)
        return _documents_of(await self.async_client.call("search_documents", {**self.search, "query": query}))

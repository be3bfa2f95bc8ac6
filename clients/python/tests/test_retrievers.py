from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from service import Reply, Service

from acervo import AcervoClient, AsyncAcervoClient

CITATION = {
    "document_code": "D1",
    "name": "acta.md",
    "location": "/actas/acta.md",
    "page": 2,
    "chunk_number": 3,
    "similarity": 0.9,
    "url": "https://acervo.example/d/D1",
    "fs": {"home_var": None},
}
FOUND = {
    "documents": [
        {
            **{name: CITATION[name] for name in ("name", "location", "url", "fs")},
            "code": "D1",
            "rrf_score": 0.5,
            "chunks": [{"text": "El riego.", "page": 2, "extra": {"similarity": 0.9, "chunk_number": 3}}],
        }
    ]
}


@pytest.fixture(autouse=True)
def found(service: Service) -> None:
    service.replies = [Reply(FOUND), Reply(FOUND), Reply(FOUND)]


def asked(service: Service) -> list[Any]:
    return [json.loads(each.body) for each in service.received]


def test_langchain_gets_passages_that_are_cited(service: Service) -> None:
    pytest.importorskip("langchain_core")
    from acervo.langchain import AcervoRetriever

    retriever = AcervoRetriever(client=AcervoClient(service.address, "k"), search={"limit": 5})
    in_loop = AcervoRetriever(
        client=retriever.client, async_client=AsyncAcervoClient(service.address, "k"), search={"limit": 5}
    )
    for documents in (
        retriever.invoke("riego"),
        asyncio.run(retriever.ainvoke("riego")),
        asyncio.run(in_loop.ainvoke("riego")),
    ):
        assert [(each.page_content, each.metadata) for each in documents] == [("El riego.", CITATION)]
    assert asked(service) == [{"limit": 5, "query": "riego"}] * 3


def test_llamaindex_gets_passages_that_are_cited(service: Service) -> None:
    pytest.importorskip("llama_index.core")
    from acervo.llamaindex import AcervoRetriever

    client = AcervoClient(service.address, "k")
    retriever = AcervoRetriever(client, search={"limit": 5})
    in_loop = AcervoRetriever(client, async_client=AsyncAcervoClient(service.address, "k"), search={"limit": 5})
    for nodes in (
        retriever.retrieve("riego"),
        asyncio.run(retriever.aretrieve("riego")),
        asyncio.run(in_loop.aretrieve("riego")),
    ):
        assert [(each.text, each.score, each.metadata) for each in nodes] == [("El riego.", 0.5, CITATION)]
    assert asked(service) == [{"limit": 5, "query": "riego"}] * 3


def test_haystack_gets_passages_that_are_cited(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("haystack")
    from haystack import Pipeline

    from acervo.haystack import AcervoRetriever

    monkeypatch.setenv("ACERVO_KEY", "k")
    pipeline = Pipeline()
    pipeline.add_component("retriever", AcervoRetriever(service.address, search={"limit": 5}))
    stored = pipeline.dumps()
    assert "ACERVO_KEY" in stored
    for each in (pipeline, Pipeline.loads(stored, allowed_modules=["acervo.*"])):
        documents = each.run({"retriever": {"query": "riego"}})["retriever"]["documents"]
        assert [(each.content, each.score, each.meta) for each in documents] == [("El riego.", 0.5, CITATION)]
    assert service.received[0].headers["authorization"] == "Bearer k"
    assert asked(service) == [{"limit": 5, "query": "riego"}] * 2

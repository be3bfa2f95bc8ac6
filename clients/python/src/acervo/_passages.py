"""Passages of a search as the frameworks of retrieval want them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ._generated.models import SearchResult


class Passage(NamedTuple):
    """A passage with what cites it."""

    id: str
    text: str
    score: float
    """Rank score of its document."""
    citation: dict[str, Any]


def passages_of(result: SearchResult) -> Iterator[Passage]:
    """The passages of all documents, those of the best document first."""
    for document in result["documents"]:
        for chunk in document["chunks"]:
            number = chunk["extra"]["chunk_number"]
            citation = {
                "document_code": document["code"],
                "name": document["name"],
                "location": document["location"],
                "page": chunk["page"],
                "chunk_number": number,
                "similarity": chunk["extra"]["similarity"],
                "url": document["url"],
                "fs": document["fs"],
            }
            yield Passage(f"{document['code']}:{number}", chunk["text"], document["rrf_score"], citation)

"""A retriever of Haystack: `pip install acervo[haystack]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.utils import Secret

from ._passages import passages_of
from .client import AcervoClient


@component
class AcervoRetriever:
    """Passages as documents, best first; their metadata cites them.

    `search` holds further fields of each search, e.g. `{"limit": 5, "location_code": "L1"}`. A stored pipeline names
    the variable of the key, never the key.
    """

    def __init__(
        self,
        base_url: str,
        key: Secret = Secret.from_env_var("ACERVO_KEY"),  # noqa: B008 - a name, read when the component is made
        search: Mapping[str, Any] | None = None,
    ) -> None:
        self.base_url = base_url
        self.key = key
        self.search = dict(search or {})
        self._client = AcervoClient(base_url, key.resolve_value() or "")

    def to_dict(self) -> dict[str, Any]:
        """The component as a stored pipeline has it."""
        stored: dict[str, Any] = default_to_dict(
            self, base_url=self.base_url, key=self.key.to_dict(), search=self.search
        )
        return stored

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> AcervoRetriever:
        """The component of a stored pipeline."""
        fields = data["init_parameters"]
        made: AcervoRetriever = default_from_dict(
            cls, {**data, "init_parameters": {**fields, "key": Secret.from_dict(fields["key"])}}
        )
        return made

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, list[Document]]:
        """Searches for a question or for words."""
        found = passages_of(self._client.call("search_documents", {**self.search, "query": query}))
        return {
            "documents": [
                Document(id=id, content=text, score=score, meta=citation) for id, text, score, citation in found
            ]
        }

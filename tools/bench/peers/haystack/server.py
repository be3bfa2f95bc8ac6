"""Ingestion and hybrid search of Haystack over HTTP: what a user of the library writes."""

import os

from fastapi import FastAPI
from haystack import Document, Pipeline
from haystack.components.embedders import OpenAIDocumentEmbedder, OpenAITextEmbedder
from haystack.components.joiners import DocumentJoiner
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.writers import DocumentWriter
from haystack.document_stores.types import DuplicatePolicy
from haystack.utils import Secret
from haystack_integrations.components.retrievers.pgvector import PgvectorEmbeddingRetriever, PgvectorKeywordRetriever
from haystack_integrations.document_stores.pgvector import PgvectorDocumentStore
from pydantic import BaseModel

CANDIDATES = 50
EMBEDDER = {"api_key": Secret.from_token("none"), "api_base_url": os.environ["EMBEDDER_URL"], "model": "weak"}

store = PgvectorDocumentStore(
    connection_string=Secret.from_token(os.environ["DATABASE_URL"]),
    embedding_dimension=384,
    search_strategy="hnsw",
)


def ingestion():
    """Cuts texts into 240 words, embeds and writes them."""
    pipeline = Pipeline()
    pipeline.add_component("split", DocumentSplitter(split_by="word", split_length=240, split_overlap=0))
    pipeline.add_component("embed", OpenAIDocumentEmbedder(**EMBEDDER, batch_size=32, progress_bar=False))
    pipeline.add_component("write", DocumentWriter(document_store=store, policy=DuplicatePolicy.OVERWRITE))
    pipeline.connect("split.documents", "embed.documents")
    pipeline.connect("embed.documents", "write.documents")
    return pipeline


def retrieval():
    """Joins words and vectors by reciprocal rank fusion."""
    pipeline = Pipeline()
    pipeline.add_component("embed", OpenAITextEmbedder(**EMBEDDER))
    pipeline.add_component("words", PgvectorKeywordRetriever(document_store=store, top_k=CANDIDATES))
    pipeline.add_component("vectors", PgvectorEmbeddingRetriever(document_store=store, top_k=CANDIDATES))
    pipeline.add_component("join", DocumentJoiner(join_mode="reciprocal_rank_fusion"))
    pipeline.connect("embed.embedding", "vectors.query_embedding")
    pipeline.connect("words", "join")
    pipeline.connect("vectors", "join")
    return pipeline


class Text(BaseModel):
    name: str
    text: str


class Texts(BaseModel):
    documents: list[Text]


class Query(BaseModel):
    query: str
    limit: int


app = FastAPI()
ingest_pipeline, search_pipeline = ingestion(), retrieval()


@app.get("/ready")
def ready():
    return {"documents": store.count_documents()}


@app.post("/ingest")
def ingest(texts: Texts):
    documents = [Document(content=each.text, meta={"name": each.name}) for each in texts.documents]
    return ingest_pipeline.run({"split": {"documents": documents}})["write"]


@app.post("/search")
def search(asked: Query):
    values = {"embed": {"text": asked.query}, "words": {"query": asked.query}, "join": {"top_k": asked.limit}}
    found = search_pipeline.run(values)["join"]["documents"]
    return {"names": [document.meta["name"] for document in found], "texts": [document.content for document in found]}

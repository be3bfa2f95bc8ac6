"""Serves POST /general/v0/general over the open-source `unstructured` library: enough of the API for the suite."""
import io
import os

os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

from fastapi import FastAPI, Form, HTTPException, UploadFile
from fastapi.concurrency import run_in_threadpool
from unstructured.partition.auto import partition
from unstructured.staging.base import elements_to_dicts

app = FastAPI()

DAMAGED = {"BadZipFile", "KeyError", "PackageNotFoundError", "PDFSyntaxError", "PdfminerException", "UnprocessableEntityError"}


def refusal(error):
    name = type(error).__name__
    if name == "UnsupportedFileFormatError":
        return HTTPException(400, name)
    return HTTPException(422 if name in DAMAGED else 500, name)


@app.get("/healthcheck")
def health():
    return {"healthcheck": "OK"}


@app.post("/general/v0/general")
async def general(files: UploadFile, strategy: str = Form("auto")):
    data = await files.read()
    chosen = "fast" if strategy == "auto" else strategy
    try:
        elements = await run_in_threadpool(
            partition, file=io.BytesIO(data), metadata_filename=files.filename, strategy=chosen
        )
    except Exception as error:  # Whatever the library raises says something about the file or about the library.
        raise refusal(error) from None
    return elements_to_dicts(elements)

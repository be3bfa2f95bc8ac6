"""Counts the parts of Office files, PDF and OpenDocument with independent readers.

Reads paths from the standard input, one a line, and writes one JSON object: the counts of each file by their kind, or
why a library refuses the file.
"""

import json
import sys
import warnings

EMBEDDINGS = ("package", "oleObject")


def word(path):
    import docx

    relations = [part for part in docx.Document(path).part.rels.values() if not part.is_external]
    kinds = [(relation.reltype.rsplit("/", 1)[-1], relation.target_part.partname) for relation in relations]
    embedded = {name for kind, name in kinds if kind in EMBEDDINGS}
    return {"RELATION": sum(kind not in EMBEDDINGS for kind, _ in kinds), "ATTACHMENT": len(embedded)}


def powerpoint(path):
    import pptx

    slides = list(pptx.Presentation(path).slides)
    relations = [each for slide in slides for each in slide.part.rels.values() if not each.is_external]
    embedded = {
        relation.target_part.partname
        for relation in relations
        if relation.reltype.rsplit("/", 1)[-1] in EMBEDDINGS
    }
    return {"SLIDE": len(slides), "ATTACHMENT": len(embedded)}


def excel(path):
    import openpyxl

    return {"SHEET": len(openpyxl.load_workbook(path).sheetnames)}


def pdf(path):
    import pypdf

    reader = pypdf.PdfReader(path)
    return {"PAGE": len(reader.pages), "ATTACHMENT": sum(len(files) for files in reader.attachments.values())}


def open_document(path):
    import odf.draw
    import odf.opendocument
    import odf.table

    document = odf.opendocument.load(path)
    if document.mimetype.endswith("spreadsheet"):
        return {"SHEET": len(document.spreadsheet.getElementsByType(odf.table.Table))}
    if document.mimetype.endswith("presentation"):
        return {"SLIDE": len(document.presentation.getElementsByType(odf.draw.Page))}
    # A text is one part: nothing to count, so the file is opened only.
    return {}


READERS = {
    "docx": word,
    "docm": word,
    "pptx": powerpoint,
    "xlsx": excel,
    "xlsm": excel,
    "pdf": pdf,
    "odt": open_document,
    "ods": open_document,
    "odp": open_document,
}


def counted(path):
    try:
        return {"counts": READERS[path.rsplit(".", 1)[-1].lower()](path)}
    # Each library has errors of its own for a file that it does not open.
    except Exception as error:  # noqa: BLE001
        return {"refusal": f"{type(error).__name__}: {error}"[:200]}


warnings.simplefilter("ignore")
print(json.dumps({path: counted(path) for path in sys.stdin.read().splitlines()}))

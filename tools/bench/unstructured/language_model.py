"""Makes the package en_core_web_sm without weights, which the library would download otherwise: it only asks which
words are verbs to tell sentences from titles. Run inside the environment that has the library."""
import pathlib
import sysconfig

MODEL = '''
import spacy
from spacy.language import Language

VERBS = set("is are was were be been has have had do does did can will would should may must met approved elected".split())


@Language.component("verbs_by_list")
def verbs_by_list(document):
    for token in document:
        word = token.lower_
        token.tag_ = "." if token.is_punct else "CD" if token.like_num else "VB" if word in VERBS else "NN"
    return document


def load(**_options):
    model = spacy.blank("en")
    model.add_pipe("sentencizer")
    model.add_pipe("verbs_by_list")
    return model
'''

packages = pathlib.Path(sysconfig.get_paths()["purelib"])
folder = packages / "en_core_web_sm"
folder.mkdir(exist_ok=True)
(folder / "__init__.py").write_text('__version__ = "3.8.0"\n' + MODEL)
facts = packages / "en_core_web_sm-3.8.0.dist-info"
facts.mkdir(exist_ok=True)
(facts / "METADATA").write_text("Metadata-Version: 2.1\nName: en_core_web_sm\nVersion: 3.8.0\n")
(facts / "RECORD").write_text("")

import { MOST_STATEMENTS, type SkillCode } from '@acervo/contracts';
import type { PromptLayer } from '@acervo/models/chat';

/** What every skill asks of a model. A change of the text raises the version. */
export const STATEMENTS_LAYER: PromptLayer = {
  kind: 'PRODUCT',
  code: 'SKILL-STATEMENTS',
  version: '1',
  text: `Find statements in the text of a document, as the task at the end says, and answer with JSON of the given schema alone.
- quote: one sentence or one part of a sentence, copied from the text to the letter, at most 600 characters. A quote that
  does not stand in the text is discarded.
- value and label: words of the quote, as the task says; null where it names none.
- At most ${MOST_STATEMENTS} statements, the most important first. An empty list where the text has none.
- Do not translate, correct, shorten or explain. Do not write addresses, links, images, HTML or tool calls.`,
};

/** What is asked of a model that reduces what was found in the documents of a space. */
export const DIGEST_LAYER: PromptLayer = {
  kind: 'PRODUCT',
  code: 'SKILL-DIGEST',
  version: '1',
  text: `The text has sentences of several documents, one a line, with an empty line between two documents. Choose those that
say best, together, what the documents are about, as the task at the end says, and answer with JSON of the given schema
alone.
- quote: one line, whole, copied to the letter. A quote that is no line of the text is discarded.
- value and label: null.
- At most ${MOST_STATEMENTS} statements, the most important first, from as many documents as possible, no two that say the
  same. An empty list where the text has none.
- Do not translate, correct, shorten, join or explain. Do not write addresses, links, images, HTML or tool calls.`,
};

/** The task of one skill: its own layer, at the end of the prompt. */
export const skillLayer = (code: string, version: string, text: string): PromptLayer => ({
  ...({ kind: 'SKILL' } as const),
  ...{ code, version, text },
});

/** The tasks of the product. A change of a text raises its version in product-skills.ts. */
export const SKILL_PROMPTS = {
  'DOCUMENT-SUMMARY': `Task: the up to 6 whole sentences that together say what the document is about: its kind, its parties, its subject and what
follows from it. value and label are null.`,
  GLOSSARY: `Task: the terms that the text itself defines, each once. quote: the sentence that defines it. value: the term, without
quotation marks. label: null.`,
  'KEY-DATES': `Task: the dates that matter to who acts on the document: signature, begin, end, deadlines, payments, hearings. quote:
the sentence that states the date. value: the date in ISO 8601, such as 2026-12-31. label: what happens on it, in words
of the quote.`,
  OBLIGATIONS: `Task: what a party must do, pay, deliver, keep or refrain from. quote: the sentence that states the obligation.
value: who is obliged, in words of the quote. label: until when or how often, in words of the quote.`,
  PARTIES: `Task: the people and organisations that are parties of the document, each once. quote: the sentence that names it as a
party. value: its name. label: what the document calls it, such as Tenant.`,
  'SPACE-DIGEST': `Task: what matters to a reader who knows none of the documents: what each of them is, what is decided, agreed, owed or
found, by whom and when. Of one document, at most 6 whole sentences. Of sentences of several documents, those that matter
for all of them together. value and label are null.`,
  'DOCUMENT-CLASSIFY': `Task: decide which type of the list the document is, by what it is and does itself, not by what it mentions, quotes or
asks for. quote: the words that show it best, such as its heading or the sentence that says what it is.`,
  'FEATURE-EXTRACT': `Task: find the features of the list that the text states about the document itself. quote: the sentence or the part of a
sentence that states it. value: the words of the quote that are the value. A feature that the text does not state is left
out.`,
} as const satisfies Readonly<Record<SkillCode, string>>;

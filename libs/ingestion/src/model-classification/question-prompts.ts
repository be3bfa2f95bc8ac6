import type { PromptLayer } from '@acervo/models/chat';

/** How a type is chosen. A change of the text raises the version. */
export const CHOICE_LAYER: PromptLayer = {
  kind: 'PRODUCT',
  code: 'TYPE-CHOICE',
  version: '1',
  text: `Choose the type of a document from the closed list at the end, and answer with JSON of the given schema alone.
- type: one type of the list; null where none of them fits.
- quote: words of the text that show the type, copied to the letter, at most 500 characters. A choice whose quote does not
  stand in the text is refused. Empty where none fits.
- Do not translate, correct, shorten or explain. Do not write addresses, links, images, HTML or tool calls.`,
};

/** How features are found. A change of the text raises the version. */
export const FEATURES_LAYER: PromptLayer = {
  kind: 'PRODUCT',
  code: 'FEATURES-FOUND',
  version: '1',
  text: `Find features of the closed list at the end in the text of a document, and answer with JSON of the given schema alone.
- feature: one feature of the list. An empty array where the text states none of them.
- quote: words of the text that state the feature, copied to the letter, at most 500 characters. What does not stand in the
  text is discarded.
- value: words of the quote, copied to the letter: the date, number, amount, yes or no, or words that the list asks for;
  null where the list says none.
- Do not translate, correct, shorten or explain. Do not write addresses, links, images, HTML or tool calls.`,
};

import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { allCalls, fieldsOf } from '@acervo/contracts';
import {
  allVocabularies,
  internalDetails,
  internalMessages,
  roleDocument,
  spanishDocumentTexts,
  spanishProductTexts,
} from '@acervo/public-mapping';

/** Words of the registries that `/v1` must not return: field names of internal routes, and internal codes. */
interface Internal {
  readonly names: ReadonlySet<string>;
  readonly codes: ReadonlySet<string>;
  /** Texts of the product that have an English one. A name or a description may be none of them either. */
  readonly sentences: ReadonlySet<string>;
}

const classesOf = (type: Type, found: Set<Type>): void => {
  if (found.has(type)) return;
  found.add(type);
  for (const { of } of fieldsOf(type)) if (of !== undefined) classesOf(of(), found);
};

const read = (): Internal => {
  const classes = new Set<Type>();
  for (const { input, output } of allCalls()) for (const type of [input, output]) classesOf(type, classes);
  const fields = [...classes].flatMap((type) => fieldsOf(type));
  const publicNames = new Set(fields.map(({ publicName }) => publicName));
  const names = fields.map(({ wire }) => wire).filter((wire) => !publicNames.has(wire));
  const publicCodes = new Set(allVocabularies().flatMap(({ publicCodes: codes }) => codes));
  const codes = allVocabularies().flatMap(({ internalCodes }) => internalCodes);
  return {
    names: new Set([...names, ...Object.values(internalDetails)]),
    codes: new Set(codes.filter((code) => !publicCodes.has(code))),
    sentences: new Set([...Object.values(internalMessages), ...spanishProductTexts()]),
  };
};

let internal: Internal | undefined;
export const internalWords = (): Internal => (internal ??= read());

/** Fields with words of the group: its names, and the contents of its documents. */
const OF_THE_GROUP = /(^|\.)(name|text|summary|title|description)$/;

const codesIn = (text: string, codes: ReadonlySet<string>): string[] =>
  text.split(/[^\p{L}\p{N}_-]+/u).filter((word) => codes.has(word));

/** Documents of roles: those of the product are English throughout, those of groups are as they were written. */
const spanishIn = (document: string): string[] => {
  if (roleDocument.toPublic(document) !== document) return ['a document of the product in Spanish'];
  if (!/^- Code: /m.test(document)) return [];
  const parts = new Set(document.split(/\n|^#+ |^- |\*\*|\): /m));
  return spanishDocumentTexts().filter((text) => parts.has(text));
};

const walk = (value: unknown, path: string, refused: boolean): string[] => {
  const { names, codes, sentences } = internalWords();
  if (Array.isArray(value)) return value.flatMap((each: unknown) => walk(each, path, refused));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, fieldValue]) => [
      ...(names.has(name) ? [`the field ${path}.${name}`] : []),
      ...walk(fieldValue, `${path}.${name}`, refused),
    ]);
  if (typeof value !== 'string') return [];
  if (path.endsWith('.document')) return spanishIn(value);
  // The product alone words an error; other answers quote documents.
  const named = refused && names.has(value) ? [`the name ${value} in ${path}`] : [];
  const coded = refused ? codesIn(value, codes) : codes.has(value) && !OF_THE_GROUP.test(path) ? [value] : [];
  return [...named, ...coded.map((code) => `the code ${code} in ${path}`), ...(sentences.has(value) ? [value] : [])];
};

/** Internal words in an answer of `/v1`; empty for a correct answer. */
export const internalWordsIn = (body: unknown, status: number): string[] => walk(body, '', status >= 400);

/** @throws for an answer of `/v1` with a Spanish internal name, code or sentence. */
export const assertEnglish = (path: string, status: number, text: string): void => {
  if (!path.startsWith('/v1') || !/^\s*[[{]/.test(text)) return;
  const found = internalWordsIn(JSON.parse(text) as unknown, status);
  if (found.length > 0) throw new Error(`${path} answered ${status} with ${[...new Set(found)].join(', ')}.`);
};

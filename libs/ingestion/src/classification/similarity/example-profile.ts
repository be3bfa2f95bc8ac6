import { knownLanguage, type LanguageCode, languageOf } from '@acervo/analysis';
import type { ClassifiableDocument } from '../classified';
import { TERMS_READ } from './term-counts';

/** Characters of a document that its vector is made of. */
const OPENING = 1_000;

/**
 * A text that says what belongs to a type, with its vector. The texts of a boundary come from the taxonomy: profiles of
 * the roles `INCLUDES` and `EXCLUDES` only bring their vectors.
 */
export interface ExampleProfile {
  readonly typeCode: string;
  readonly role: 'EXAMPLE' | 'INCLUDES' | 'EXCLUDES';
  /** Of an example its beginning, as `termsText` gives it. */
  readonly text: string;
  /** `es`, `en` …; null where it was not recognised. */
  readonly language: string | null;
  /** Of length 1; null while no embedder answers. */
  readonly vector: Float32Array | null;
}

/** The language in which a text is analysed. */
export const analysisLanguage = (text: string, language: string | null): LanguageCode =>
  knownLanguage(language) ?? languageOf(text, ['es', 'en']);

type Named = Pick<ClassifiableDocument, 'name' | 'title' | 'text'>;

/** Title and opening: the text that is embedded once per content. */
export const openingText = ({ title, text }: Pick<ClassifiableDocument, 'title' | 'text'>): string => {
  const opening = text.slice(0, OPENING);
  const isRepeated = title === null || opening.trimStart().startsWith(title);
  return (isRepeated ? opening : `${title}\n${opening}`).slice(0, OPENING).toWellFormed();
};

/** Name, title and beginning: the text that terms are taken from. */
export const termsText = ({ name, title, text }: Named): string => {
  const spoken = name.replace(/\.[a-z0-9]{1,5}$/i, '').replace(/[_-]/g, ' ');
  return [spoken, title ?? '', text.slice(0, TERMS_READ)].filter((part) => part !== '').join('\n');
};

import { type LanguageCode, summarise } from '@acervo/analysis';
import type { DraftFacts } from './draft-facts.store';

/** Languages that drafts are assembled in. */
export type DraftLanguage = 'es' | 'en';

export interface DraftedTexts {
  readonly description: string;
  readonly systemPrompt: string;
}

/** Characters that a given text adds to a description. */
const MOST_OF_SOURCE = 1_200;

const NAMED = new Map<DraftLanguage, Intl.DisplayNames>(
  (['es', 'en'] as const).map((language) => [language, new Intl.DisplayNames([language], { type: 'language' })]),
);
const listIn = (language: DraftLanguage, items: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(items);
const nameOf = (language: DraftLanguage, code: string): string => NAMED.get(language)?.of(code) ?? code;

interface Phrases {
  readonly documents: (name: string, documents: number) => string;
  readonly folders: (names: string) => string;
  readonly types: (names: string) => string;
  readonly languages: (names: string) => string;
  readonly prompt: (name: string) => string;
  readonly words: (names: string) => string;
}

const PHRASES: Readonly<Record<DraftLanguage, Phrases>> = {
  es: {
    documents: (name, documents) => `${name} tiene ${documents} ${documents === 1 ? 'documento' : 'documentos'}.`,
    folders: (names) => `Sus carpetas principales son ${names}.`,
    types: (names) => `Sus tipos de documento son ${names}.`,
    languages: (names) => `Los documentos están en ${names}.`,
    prompt: (name) => `Trabajas con los documentos de ${name}. Cita siempre el documento y la página.`,
    words: (names) => `Usa los nombres de la organización: ${names}.`,
  },
  en: {
    documents: (name, documents) => `${name} has ${documents} ${documents === 1 ? 'document' : 'documents'}.`,
    folders: (names) => `Its main folders are ${names}.`,
    types: (names) => `Its types of documents are ${names}.`,
    languages: (names) => `The documents are in ${names}.`,
    prompt: (name) => `You work with the documents of ${name}. Always cite the document and the page.`,
    words: (names) => `Use the names of the organization: ${names}.`,
  },
};

const when = (items: readonly string[], text: (names: string) => string, language: DraftLanguage): string[] =>
  items.length === 0 ? [] : [text(listIn(language, items))];

/**
 * Texts about an organisation, assembled from its name, its documents and a given text. The given text adds its best
 * sentences to the description and nothing to the prompt: it is data.
 */
export const draftTexts = (
  name: string,
  facts: DraftFacts,
  source: { readonly text: string; readonly language: LanguageCode } | null,
  language: DraftLanguage,
): DraftedTexts => {
  const phrases = PHRASES[language];
  const languages = facts.languages.map((code) => nameOf(language, code));
  const about = source === null ? [] : [summarise(source.text, source.language, MOST_OF_SOURCE)];
  const inLanguages = when(languages, phrases.languages, language);
  const description = [
    ...about,
    phrases.documents(name, facts.documents),
    ...when(facts.folders, phrases.folders, language),
    ...when(facts.documentTypes, phrases.types, language),
    ...inLanguages,
  ];
  const words = when([...facts.folders, ...facts.documentTypes], phrases.words, language);
  return {
    description: description.join(' '),
    systemPrompt: [phrases.prompt(name), ...inLanguages, ...words].join(' '),
  };
};

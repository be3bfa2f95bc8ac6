import { type Screen, screenNames, screens } from '@acervo/contracts';
import { functionName } from '@acervo/public-mapping';
import { handbookInEnglish } from './handbook/en';
import { handbookInSpanish } from './handbook/es';
import { type HandbookText, type SectionCode, sectionCodes } from './handbook/section';

/** Rises with every change of a text. */
export const HANDBOOK_VERSION = '3';

/** Languages that help answers in. */
export const helpLanguages = ['es', 'en'] as const;
export type HelpLanguage = (typeof helpLanguages)[number];

/** A section as it is read: its sentences one after the other, with the names of the screens. */
export interface HandbookSection {
  readonly code: SectionCode;
  readonly title: string;
  readonly text: string;
  /** The screens that it names. */
  readonly screens: readonly Screen[];
}

const NAMED = /\{([A-Z_-]+)\}/gu;

/** The title of a screen of the product, or of one that users added, by its Spanish title. */
export const screenTitle = (name: string, language: HelpLanguage): string =>
  language === 'es' ? name : functionName.toPublic(name);

/** @throws for a name that no screen has */
const screenNamed = (name: string): Screen => {
  const found = screens.find((screen) => screen === name);
  if (found === undefined) throw new Error(`The handbook names the screen ${name}, which does not exist.`);
  return found;
};

const texts: Readonly<Record<HelpLanguage, HandbookText>> = { es: handbookInSpanish, en: handbookInEnglish };

const compile = (language: HelpLanguage): readonly HandbookSection[] =>
  sectionCodes.map((code) => {
    const { title, sentences } = texts[language][code];
    const written = sentences.join(' ');
    const named = [...written.matchAll(NAMED)].map(([, name = '']) => screenNamed(name));
    const text = written.replace(NAMED, (_found, name: string) =>
      screenTitle(screenNames[screenNamed(name)], language),
    );
    return { code, title, text, screens: [...new Set(named)] };
  });

/** What the product says about itself, by language. Both languages have the same sections in the same order. */
export const handbook: Readonly<Record<HelpLanguage, readonly HandbookSection[]>> = {
  es: compile('es'),
  en: compile('en'),
};

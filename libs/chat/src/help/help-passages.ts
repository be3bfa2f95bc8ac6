import { Injectable } from '@nestjs/common';
import { detectLanguage } from '@acervo/analysis';
import {
  type CatalogFunction,
  getFunction,
  listCatalog,
  NotFound,
  PLANNED_SCREEN,
  Unavailable,
} from '@acervo/contracts';
import { extractAnswer } from '@acervo/models/chat';
import { Calls } from '@acervo/platform-calls';
import { RecentAnswers } from '@acervo/platform-resilience';
import { functionDescription } from '@acervo/public-mapping';
import type { Scope } from '@acervo/rbac';
import { handbook, type HelpLanguage, helpLanguages, screenTitle } from './handbook';
import type { HelpPassage } from './help-answerer';

/** How long the behaviour of a screen is remembered. Screens belong to all groups, so their texts are of no group. */
const REMEMBERED_MS = 10 * 60_000;
const MOST_REMEMBERED = 200;
/** Screens whose behaviour is looked up for a question, and the share of it that their description covers. */
const NEAREST = { threshold: 0.1, mostSentences: 3 } as const;

const SCREEN = { es: 'Pantalla', en: 'Screen' } as const;
const PLANNED = {
  es: (name: string) => `La pantalla ${name} está prevista: esta versión de Acervo no la ofrece todavía.`,
  en: (name: string) => `The screen ${name} is planned: this version of Acervo does not offer it yet.`,
} as const;

/** What an answer of help does not contain: links, addresses of mails, marks of citations, HTML. */
const NOT_PLAIN = /:\/\/|www\.|@|\[\d+\]|<[^>]+>/u;

/** Whether this version of the product does without a screen. */
const isPlanned = ({ description }: CatalogFunction): boolean => description.startsWith(PLANNED_SCREEN);

const ofHandbook = (language: HelpLanguage): readonly HelpPassage[] =>
  handbook[language].map(({ title, text }) => ({ title, text, language }));

const handbookPassages: Readonly<Record<HelpLanguage, readonly HelpPassage[]>> = {
  es: ofHandbook('es'),
  en: ofHandbook('en'),
};

/** A passage about a screen: those of its sentences that are plain and in the language of the question. */
const ofScreen = (name: string, sentences: readonly string[], language: HelpLanguage): HelpPassage => {
  const named = sentences
    .filter((sentence) => detectLanguage(sentence, helpLanguages) === language)
    .map((sentence) => `${SCREEN[language]} ${name}: ${sentence}`);
  return { title: name, text: named.filter((sentence) => !NOT_PLAIN.test(sentence)).join('\n\n'), language };
};

/** Help is answered from the handbook alone while the catalogue is away; a function may have gone meanwhile. */
const orNothing = (error: unknown): readonly never[] => {
  if (error instanceof Unavailable || error instanceof NotFound) return [];
  throw error;
};

/** What a question about the product is answered from: the handbook, and the screens that the caller has. */
@Injectable()
export class HelpPassages {
  private readonly behaviours = new RecentAnswers<readonly string[]>(REMEMBERED_MS, MOST_REMEMBERED);

  constructor(private readonly calls: Calls) {}

  /** @param question in the words of the handbook */
  async of(scope: Scope, question: string, language: HelpLanguage): Promise<readonly HelpPassage[]> {
    const { functions } = await this.calls
      .send(listCatalog, scope, { type: 'FUNCTIONS' })
      .catch((error: unknown) => ({ functions: orNothing(error) }));
    const planned = functions.filter(isPlanned).map(({ name }) => {
      const title = screenTitle(name, language);
      return { title, text: PLANNED[language](title), language };
    });
    const built = await this.screens(
      scope,
      question,
      functions.filter((each) => !isPlanned(each)),
      language,
    );
    return [...handbookPassages[language], ...built, ...planned].filter(
      ({ text }) => text !== '' && !NOT_PLAIN.test(text),
    );
  }

  /** The descriptions of screens, and how those behave that the question is about. */
  private async screens(
    scope: Scope,
    question: string,
    functions: readonly CatalogFunction[],
    language: HelpLanguage,
  ): Promise<HelpPassage[]> {
    const described = functions.map(({ name, description }) => {
      const text = language === 'en' ? functionDescription.toPublic(description) : description;
      return ofScreen(screenTitle(name, language), [text], language);
    });
    const nearest = new Set(extractAnswer(question, described, NEAREST).sentences.map(({ passage }) => passage));
    return Promise.all(
      described.map(async (passage, place) => {
        const code = functions[place]?.code;
        if (code === undefined || !nearest.has(place)) return passage;
        const more = ofScreen(passage.title, await this.behaviourOf(scope, code), language);
        return { ...passage, text: [passage.text, more.text].filter((text) => text !== '').join('\n\n') };
      }),
    );
  }

  private behaviourOf(scope: Scope, functionCode: string): Promise<readonly string[]> {
    const read = async (): Promise<readonly string[]> => {
      const { behaviors } = await this.calls.send(getFunction, scope, { functionCode });
      return behaviors.map(({ text }) => text);
    };
    return this.behaviours.get(functionCode, read).catch(orNothing);
  }
}

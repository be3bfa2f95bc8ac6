import { fold } from '@acervo/analysis';
import type { HelpLanguage } from './handbook';

/** A question of a conversation and its answer, to the letter. */
export interface HelpExchange {
  readonly question: string;
  readonly answer: string;
}

const ACCEPTANCE = { es: 'Sí, registra la solicitud de soporte', en: 'Yes, register the support request' } as const;

/**
 * The answer to a question that help does not settle. The whole text is the offer: an answer that only contains it,
 * such as one that quotes a document, offers nothing.
 */
export const OFFER: Readonly<Record<HelpLanguage, string>> = {
  es: `La ayuda no resuelve esta pregunta. Se puede registrar como solicitud de soporte: para aceptarlo, contesta «${ACCEPTANCE.es}».`,
  en: `Help does not settle this question. It can be registered as a support request: to accept, answer “${ACCEPTANCE.en}”.`,
};

const REGISTERED: Readonly<Record<HelpLanguage, (code: string) => string>> = {
  es: (code) => `La solicitud de soporte ${code} está registrada.`,
  en: (code) => `The support request ${code} is registered.`,
};

const DECLINED: Readonly<Record<HelpLanguage, string>> = {
  es: 'No se registra ninguna solicitud de soporte.',
  en: 'No support request is registered.',
};

/** A reply as people type it: folded, without punctuation. */
const folded = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const ACCEPTING = new Set(
  [
    ...Object.values(ACCEPTANCE),
    'sí',
    'sí, por favor',
    'sí, gracias',
    'por favor',
    'claro',
    'claro que sí',
    'de acuerdo',
    'vale',
    'adelante',
    'acepto',
    'sí, acepto',
    'sí, regístrala',
    'regístrala',
    'sí, registra la solicitud',
    'hazlo',
    'yes',
    'yes, please',
    'yes, thanks',
    'please',
    'please do',
    'sure',
    'ok',
    'okay',
    'go ahead',
    'I accept',
    'yes, I accept',
    'register it',
    'yes, register it',
    'yes, register the request',
    'do it',
  ].map(folded),
);

const DECLINING = new Set(
  ['no', 'no, gracias', 'no hace falta', 'déjalo', 'no, thanks', 'no, thank you', 'never mind'].map(folded),
);

/** Whether the latest answer of a conversation offers a support request. */
const isOffered = (exchanges: readonly HelpExchange[]): boolean => {
  const answer = exchanges.at(-1)?.answer;
  return Object.values(OFFER).some((offer) => offer === answer);
};

/** Whether a question accepts the offer that the latest answer makes. */
export const acceptsOffer = (exchanges: readonly HelpExchange[], question: string): boolean =>
  isOffered(exchanges) && ACCEPTING.has(folded(question));

/** Whether a question declines the offer that the latest answer makes. */
export const declinesOffer = (exchanges: readonly HelpExchange[], question: string): boolean =>
  isOffered(exchanges) && DECLINING.has(folded(question));

/** The answer to an acceptance. */
export const registeredText = (code: string, language: HelpLanguage): string => REGISTERED[language](code);

export const declinedText = (language: HelpLanguage): string => DECLINED[language];

import type { LanguageCode } from '@acervo/analysis';

/** The languages that fixed sentences are written in. */
export type SentenceLanguage = 'es' | 'en';

export interface FixedSentences {
  /** Where no passage answers the question. */
  readonly abstention: string;
  /** Before the names of the documents that were looked at. */
  readonly lookedAt: string;
  /** Where the search found nothing. */
  readonly nothingFound: string;
  /** In place of an answer that cites a document which its user sees no longer. */
  readonly withdrawn: string;
  /** Behind an answer whose client left. */
  readonly stopped: string;
  readonly failed: string;
  /** Heading of the sources. */
  readonly sources: string;
  /** Before the number of a page. */
  readonly page: string;
  /** Before the code of an operation that answered. */
  readonly operation: string;
  /** Before what is not done until a person does it. */
  readonly pending: string;
  /** Before what a confirmation would touch. */
  readonly effect: string;
  /** Before the screens on which a person confirms. */
  readonly confirmed: string;
  /** Between two screens. */
  readonly or: string;
}

const SENTENCES: Readonly<Record<SentenceLanguage, FixedSentences>> = {
  es: {
    abstention: 'No encuentro la respuesta en los documentos a los que tienes acceso.',
    lookedAt: 'He consultado:',
    nothingFound: 'La búsqueda no ha encontrado ningún documento.',
    withdrawn: 'Esta respuesta ya no está disponible: cita un documento o una operación a los que ya no tienes acceso.',
    stopped: 'La respuesta se interrumpió antes de terminar.',
    failed: 'No se ha podido responder por un error del servicio. Vuelve a intentarlo.',
    sources: 'Fuentes:',
    page: 'p.',
    operation: 'operación',
    pending: 'No se ha hecho nada todavía. Esto espera a que una persona lo confirme:',
    effect: 'afectaría a',
    confirmed: 'se confirma en la pantalla',
    or: 'o',
  },
  en: {
    abstention: 'The answer is not in the documents that you have access to.',
    lookedAt: 'I looked at:',
    nothingFound: 'The search found no documents.',
    withdrawn:
      'This answer is no longer available: it cites a document or an operation that you no longer have access to.',
    stopped: 'The answer was interrupted before its end.',
    failed: 'The service failed to answer. Please try again.',
    sources: 'Sources:',
    page: 'p.',
    operation: 'operation',
    pending: 'Nothing was done yet. This waits for a person to confirm it:',
    effect: 'it would touch',
    confirmed: 'confirm it on the screen',
    or: 'or',
  },
};

/** Languages whose readers read Spanish too; readers of the others get English. */
const READ_SPANISH: ReadonlySet<LanguageCode> = new Set(['es', 'ca', 'gl', 'eu']);

export const sentenceLanguage = (language: LanguageCode): SentenceLanguage =>
  READ_SPANISH.has(language) ? 'es' : 'en';

/** What the product says by itself, in the language of a question or the nearest one. */
export const fixedSentences = (language: LanguageCode): FixedSentences => SENTENCES[sentenceLanguage(language)];

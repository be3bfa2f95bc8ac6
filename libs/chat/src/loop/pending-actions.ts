import type { LanguageCode } from '@acervo/analysis';
import { type Operation, type Screen, screenNames } from '@acervo/contracts';
import { fixedSentences } from '../answering/fixed-sentences';

type JsonObject = Readonly<Record<string, unknown>>;

/** What the model wanted done and only a person does. */
export interface PendingAction {
  readonly operation: string;
  readonly screens: readonly Screen[];
  readonly input: JsonObject;
  /** What its preview counts; absent for an operation without one. */
  readonly effect?: JsonObject;
}

const MOST_NAMED = 5;
/** Codes, addresses and numbers; a longer text of the model's is not repeated. */
const SHORT = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,59}$/u;

const shown = (values: JsonObject): string =>
  Object.entries(values)
    .filter(
      ([name, value]) => SHORT.test(name) && ['string', 'number'].includes(typeof value) && SHORT.test(String(value)),
    )
    .slice(0, MOST_NAMED)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

const lineOf = ({ operation, screens, input, effect }: PendingAction, language: LanguageCode): string => {
  const { effect: touches, confirmed, or } = fixedSentences(language);
  const named = shown(input);
  const counts = Object.entries(effect ?? {}).filter(([, value]) => typeof value === 'number');
  const counted = shown(Object.fromEntries(counts));
  const where = screens.map((screen) => `«${screenNames[screen]}»`).join(` ${or} `);
  const parts = [
    named === '' ? operation : `${operation} (${named})`,
    ...(counted === '' ? [] : [`${touches}: ${counted}`]),
    ...(where === '' ? [] : [`${confirmed} ${where}`]),
  ];
  return `- ${parts.join('; ')}.`;
};

/** The product's own words on what waits for a person; none where nothing does. */
export const pendingNotices = (pending: readonly PendingAction[], language: LanguageCode): readonly string[] => {
  if (pending.length === 0) return [];
  const lines = [...new Set(pending.map((action) => lineOf(action, language)))].slice(0, MOST_NAMED);
  return [[fixedSentences(language).pending, ...lines].join('\n')];
};

export const pendingOf = (
  { code, screens }: Pick<Operation, 'code' | 'screens'>,
  input: JsonObject,
  effect?: JsonObject,
): PendingAction => ({ operation: code, screens, input, ...(effect === undefined ? {} : { effect }) });

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Change = 'number' | 'date' | 'name' | 'negation';

/** A text, sentences that say the same, and sentences with one changed thing. */
export interface SupportCase {
  readonly text: string;
  readonly paraphrases: readonly string[];
  readonly changed: readonly { readonly kind: Change; readonly sentence: string }[];
}

/** Cases by which the check was built, and cases that it was measured with afterwards. */
export type Half = 'tuning' | 'held-out';

export const supportCases = (half: Half, language: 'es' | 'en'): readonly SupportCase[] => {
  const file = join(__dirname, 'support-cases', `${half}.${language}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly SupportCase[];
};

/** Sentences that say of one thing of the text what it says of another one, beside other changes. */
export interface ExchangedCase {
  readonly language: 'es' | 'en';
  readonly text: string;
  readonly paraphrases: readonly string[];
  readonly changed: readonly string[];
}

export const exchangedCases = (): readonly ExchangedCase[] =>
  JSON.parse(readFileSync(join(__dirname, 'support-cases', 'exchanged.json'), 'utf8')) as readonly ExchangedCase[];

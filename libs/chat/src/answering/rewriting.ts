import { fold, type LanguageCode, tokenize } from '@acervo/analysis';
import { type ChatMessage, DATA_RULE, composePrompt, fencedData, type PromptLayer } from '@acervo/models/chat';
import { safeLine } from './safe-line';
import { type Literal, literalsOf } from './support/literals';
import { isSameLiteral, literalText } from './support/literal-match';
import { passageWords } from './support/name-match';
import { namesOf } from './support/names';
import { tokensOf } from './support/tokens';
import { WordForms } from './support/word-forms';

/** Most characters of a question. */
const LONGEST = 4_000;
/** Earlier questions that are read, and words that are taken from them. */
const MOST_QUESTIONS = 4;
const MOST_WORDS = 24;
/** A question with fewer terms of its own refers back. */
const LEAST_TERMS = 2;

/** Beginnings of a question that continues the one before it; folded. */
const CONTINUES =
  /^[¿¡\s"'(]*(?:y|e|pero|entonces|tambien|ademas|and|but|so|then|also|what about|how about|what if|que hay de|que pasa con|que tal|i|et|und|mas)\s/u;
/** Words that stand for something named earlier. */
const PRONOUNS = new Set(
  `ello eso esto aquello ese esa esos esas aquel aquella aquellos aquellas este esta estos estas el ella ellos ellas su sus suyo
   suya lo le les alli ahi mismo misma otro otra otros otras dicho dicha dichos dichas anterior anteriores
   it its they them their theirs that those this these he him his she her hers there then one ones same former latter`
    .trim()
    .split(/\s+/),
);
/** Words that stand for something named earlier only where no noun follows them: `this`, but not `this contract`. */
const DETERMINERS = new Set(
  'el esta este estos estas ese esa esos esas lo le les aquel aquella that those this these one su sus su otro otra otros otras its their his her same'.split(
    ' ',
  ),
);
/** Determiners whose noun was named earlier, too: `su precio`, `the other one`. */
const REFERRING = new Set(
  'su sus ese esa esos esas aquel aquella otro otra otros otras dicho dicha its their his her mismo misma same'.split(
    ' ',
  ),
);
const OBJECTS = new Set(['el', 'lo', 'le', 'les']);
const ASKING = new Set('quien cuando donde como que cual cuanto'.split(' '));
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}./_-]*/gu;

const termsOf = (text: string, language: LanguageCode): string[] => tokenize(text, language);

const stands = (words: readonly string[], at: number, language: LanguageCode): boolean => {
  const word = words[at] ?? '';
  if (!PRONOUNS.has(word)) return false;
  if (REFERRING.has(word) || !DETERMINERS.has(word)) return true;
  // A pronoun before a verb looks like an article before a noun; only `quién lo` and the like tell them apart.
  if (OBJECTS.has(word)) return ASKING.has(words[at - 1] ?? '') && word !== 'el';
  return termsOf(words[at + 1] ?? '', language).length === 0;
};

/** Whether a question can only be understood with the ones before it. */
export const refersBack = (question: string, language: LanguageCode): boolean => {
  const folded = fold(question.slice(0, LONGEST));
  if (CONTINUES.test(folded)) return true;
  const words = folded.match(WORD) ?? [];
  if (termsOf(question, language).length < LEAST_TERMS) return true;
  return words.some((_, at) => stands(words, at, language));
};

const isCalendar = (literal: Literal): boolean => literal.kind === 'date' || literal.kind === 'weekday';

/** The words of a question that carry meaning, as they are written; those of its dates are apart. */
const contentWords = (question: string, language: LanguageCode, withoutDates: boolean): string[] => {
  const tokens = tokensOf(question);
  const dated = new Set(
    literalsOf(tokens)
      .filter((literal) => withoutDates && isCalendar(literal))
      .flatMap(({ first, end }) => tokens.slice(first, end).map(({ text }) => text)),
  );
  const words = question.match(WORD) ?? [];
  return words.filter((word) => !dated.has(word) && termsOf(word, language).length > 0);
};

/** A question as it is searched for. */
export interface RewrittenQuestion {
  readonly text: string;
  readonly isRewritten: boolean;
}

/**
 * Joins a question that refers back with the words of the questions before it, up to the last one that stands alone. A
 * question with a date of its own replaces their dates. One that stands alone stays as it is.
 * @param earlier the questions before it, the earliest first
 */
export const rewrittenQuestion = (
  question: string,
  earlier: readonly string[],
  language: LanguageCode,
): RewrittenQuestion => {
  if (earlier.length === 0 || !refersBack(question, language)) return { text: question, isRewritten: false };
  const hasDate = literalsOf(tokensOf(question)).some(isCalendar);
  const seen = new Set(termsOf(question, language));
  const added: string[] = [];
  for (const before of earlier.slice(-MOST_QUESTIONS).toReversed()) {
    for (const word of contentWords(before.slice(0, LONGEST), language, hasDate)) {
      const terms = termsOf(word, language);
      if (terms.some((term) => seen.has(term)) || added.length === MOST_WORDS) continue;
      for (const term of terms) seen.add(term);
      added.push(word);
    }
    if (!refersBack(before, language)) break;
  }
  if (added.length === 0) return { text: question, isRewritten: false };
  const text = `${question.trim()} ${added.join(' ')}`.slice(0, LONGEST).toWellFormed();
  return { text, isRewritten: true };
};

/** What a model does that rewrites questions. */
export const REWRITING_LAYER: PromptLayer = {
  kind: 'PRODUCT',
  code: 'CHAT-REWRITING',
  version: '1',
  text: `Rewrite the last question of a conversation so that it can be understood without the conversation.
Replace pronouns and what is left out by the words of the earlier questions. Keep its language, its numbers, dates and
names. Add nothing that was not asked. A question that stands alone stays as it is.
Write the question in one line and nothing else. Do not answer it.`,
};

/** The prompt of a request that rewrites a question. */
export const rewritingPrompt = composePrompt([REWRITING_LAYER, DATA_RULE]);

/** Characters of one earlier question that a model reads. */
const MOST_READ = 1_000;

/** The messages that have a model rewrite a question. */
export const rewritingMessages = (question: string, earlier: readonly string[]): readonly ChatMessage[] => {
  const questions = earlier
    .slice(-MOST_QUESTIONS)
    .map((before, index) => fencedData(`earlier question ${String(index + 1)}`, before, MOST_READ).text);
  const last = fencedData('last question', question, LONGEST).text;
  return [
    { role: 'system', content: rewritingPrompt.text },
    { role: 'user', content: [...questions, last].join('\n\n') },
  ];
};

/** Tokens of a rewritten question, at most. */
export const REWRITING_TOKENS = 300;
const LONGEST_REWRITTEN = 600;

/**
 * What a model made of a question, where it may be used: one line whose numbers, dates and names all come from the
 * conversation, with a term of it. Undefined otherwise; rules rewrite the question then.
 */
export const acceptedRewriting = (
  written: string,
  question: string,
  earlier: readonly string[],
  language: LanguageCode,
): string | undefined => {
  const line = safeLine(written.slice(0, MOST_READ * 2))
    .replace(/^["“«]+|["”»]+$/gu, '')
    .trim();
  if (line === '' || line.length > LONGEST_REWRITTEN) return undefined;
  const whole = [question, ...earlier.slice(-MOST_QUESTIONS)].join('\n').slice(0, 4 * LONGEST);
  const stated = literalText(literalsOf(tokensOf(whole)));
  const { places } = passageWords(whole);
  const tokens = tokensOf(line);
  const areStated = literalsOf(tokens)
    .filter((literal) => literal.kind !== 'number' || !literal.isArticle)
    .every((one) => stated.literals.some((other) => isSameLiteral(one, other, stated)));
  const areNamed = namesOf(tokens, language, new WordForms()).every(({ words }) =>
    words.every((word) => places.has(word)),
  );
  const terms = new Set(termsOf(whole, language));
  const isAbout = termsOf(line, language).some((term) => terms.has(term));
  return areStated && areNamed && isAbout ? line : undefined;
};

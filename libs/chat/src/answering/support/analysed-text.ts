import type { LanguageCode } from '@acervo/analysis';
import { sidesIn } from './contrasts';
import { type Literal, literalsOf } from './literals';
import { type LiteralText, literalText } from './literal-match';
import { type Name, namesOf } from './names';
import { negationsOf } from './negation';
import { type Term, termsOf } from './terms';
import { type Token, tokensOf } from './tokens';
import type { WordForms } from './word-forms';

/** What the check of support compares of a text. */
export interface AnalysedText extends LiteralText {
  readonly tokens: readonly Token[];
  /** Its words and numbers in their order, without marks. */
  readonly line: string;
  /** Terms outside of numbers and dates. */
  readonly terms: readonly Term[];
  readonly keys: ReadonlySet<string>;
  readonly names: readonly Name[];
  readonly negations: ReturnType<typeof negationsOf>;
  readonly sides: ReturnType<typeof sidesIn>;
}

const withoutLiterals = (terms: readonly Term[], literals: readonly Literal[]): readonly Term[] => {
  const taken = new Set<number>();
  for (const { kind, first, end } of literals)
    if (kind !== 'ordinal') for (let at = first; at < end; at += 1) taken.add(at);
  return terms.filter(({ at }) => !taken.has(at));
};

/** Analyses a text. @param languages its own, and that of the text it is compared with */
export const analyse = (
  text: string,
  languages: readonly [LanguageCode, ...LanguageCode[]],
  forms: WordForms,
): AnalysedText => {
  const tokens = tokensOf(text);
  const literals = literalsOf(tokens);
  const terms = withoutLiterals(termsOf(tokens, languages, forms), literals);
  return {
    ...literalText(literals),
    tokens,
    line: tokens.flatMap(({ kind, folded }) => (kind === 'mark' ? [] : folded)).join(' '),
    terms,
    keys: new Set(terms.flatMap(({ keys }) => keys)),
    names: namesOf(tokens, languages[0], forms),
    negations: negationsOf(tokens, terms, forms),
    sides: sidesIn(tokens, forms),
  };
};

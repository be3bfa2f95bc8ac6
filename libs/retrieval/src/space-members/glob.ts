/** Most `*` of a pattern: each may stand for any part of a text. */
export const MOST_WILDCARDS = 10;

/** What the wildcards of a pattern stand for, as regular expressions. */
export interface GlobKind {
  /** `*` */
  readonly some: string;
  /** `**` */
  readonly any: string;
  /** `?` */
  readonly one: string;
}

export const NAME_GLOB: GlobKind = { some: '.*', any: '.*', one: '.' };
/** `*` and `?` stay within a folder. */
export const PATH_GLOB: GlobKind = { some: '[^/]*', any: '.*', one: '[^/]' };

const LETTER = /^\p{L}$/u;

/** One character in either case, whatever the collation of the database folds. */
const literal = (character: string): string => {
  const cases = [...new Set([character, character.toLowerCase(), character.toUpperCase()])];
  const single = cases.filter((each) => [...each].length === 1);
  if (LETTER.test(character)) return single.length === 1 ? character : `[${single.join('')}]`;
  return /^[$()*+.?[\\\]^{|}]$/.test(character) ? `\\${character}` : character;
};

const tokensOf = (pattern: string): readonly string[] => pattern.match(/\*+|[^*]/gu) ?? [];

/** The wildcards of a pattern that may stand for many characters. */
export const wildcardsOf = (pattern: string): number => tokensOf(pattern).filter((token) => token[0] === '*').length;

/**
 * A regular expression of PostgreSQL for a whole text. It has neither groups nor references, so that PostgreSQL matches
 * it in linear time.
 */
export const globRegex = (pattern: string, kind: GlobKind): string => {
  const parts = tokensOf(pattern).map((token) => {
    if (token[0] === '*') return token === '*' ? kind.some : kind.any;
    return token === '?' ? kind.one : literal(token);
  });
  return `^${parts.join('')}$`;
};

/** A token of a formula. */
export type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'cell'; readonly sheet: string | null; readonly from: string; readonly to: string | null }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'sign'; readonly value: string };

const NUMBER = /^\d+(?:\.\d*)?(?:E[+-]?\d+)?|^\.\d+/i;
const TEXT = /^"((?:[^"]|"")*)"/;
const CELL =
  /^(?:(?:'((?:[^']|'')+)'|([\p{L}\d_.]+))!)?\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?(?![\p{L}\d_(])/iu;
const NAME = /^[\p{L}_][\p{L}\d_.]*/u;
const SIGN = /^(?:<>|<=|>=|[-+*/^&=<>(),;%])/;

const LONGEST = 2_000;

/** The tokens of a formula; null for one that is too long or has others. */
export const tokensOf = (formula: string): Token[] | null => {
  if (formula.length > LONGEST) return null;
  const tokens: Token[] = [];
  let rest = formula.trim();
  const take = (pattern: RegExp, made: (found: RegExpExecArray) => Token): boolean => {
    const found = pattern.exec(rest);
    if (found === null) return false;
    tokens.push(made(found));
    rest = rest.slice(found[0].length).trimStart();
    return true;
  };
  while (rest !== '') {
    const isTaken =
      take(TEXT, ([, text = '']) => ({ kind: 'text', value: text.replaceAll('""', '"') })) ||
      take(CELL, ([, quoted, sheet, column = '', row = '', toColumn, toRow]) => ({
        kind: 'cell',
        sheet: quoted?.replaceAll("''", "'") ?? sheet ?? null,
        from: `${column.toUpperCase()}${row}`,
        to: toColumn === undefined ? null : `${toColumn.toUpperCase()}${toRow ?? ''}`,
      })) ||
      take(NUMBER, ([value]) => ({ kind: 'number', value: Number(value) })) ||
      take(NAME, ([value]) => ({ kind: 'name', value: value.toUpperCase() })) ||
      take(SIGN, ([value]) => ({ kind: 'sign', value }));
    if (!isTaken) return null;
  }
  return tokens;
};

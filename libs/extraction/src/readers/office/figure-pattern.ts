import { namesComma } from './format-code';

/** A part of a pattern: a text, or the place of a digit. */
type Piece = { readonly text: string } | { readonly digit: '0' | '#' };

/** One section of a format of figures. */
export interface FigurePattern {
  readonly before: readonly Piece[];
  /** Places behind the decimal mark. */
  readonly decimals: readonly ('0' | '#')[];
  readonly after: string;
  readonly grouped: boolean;
  /** Powers of ten by which the shown figure differs from the value: percent signs and trailing commas. */
  readonly shift: number;
  readonly isGeneral: boolean;
  /** Whether the code shows that its decimal mark is a comma. */
  readonly comma: boolean;
}

const TOKEN = /"([^"]*)"|\\(.)|_.|\*.|\[\$([^[\]-]*)(?:-[^[\]]*)?\]|\[[^[\]]*\]|General|[\s\S]/gi;
const MOST_DIGITS = 15;
const MOST_PLACES = 30;

/** Excel keeps 15 digits; the rest of a double is noise. */
export const decimalOf = (value: number): string => String(Number(value.toPrecision(MOST_DIGITS)));

export const signed = (text: string): string => `-${text}`;

/** A euro sign behind the figure, or a language of the continent: there the decimal mark is a comma. */
const isCommaCode = (section: string): boolean => namesComma(section) || /[0#](?:["\\\s_[$)-]|\*.)*€/.test(section);

interface Draft {
  before: Piece[];
  decimals: ('0' | '#')[];
  after: string;
  grouped: boolean;
  shift: number;
  isGeneral: boolean;
  inDecimals: boolean;
  commas: number;
}

const addText = (draft: Draft, text: string): void => {
  const hasDigits = draft.inDecimals || draft.isGeneral || draft.before.some((piece) => 'digit' in piece);
  if (!hasDigits) draft.before.push({ text });
  // A text between digits divides them, as in telephone numbers; whether more digits follow is not known yet.
  else draft.after += text;
};

const addDigit = (draft: Draft, digit: '0' | '#'): void => {
  if (draft.inDecimals) return void draft.decimals.push(digit);
  if (draft.commas > 0) draft.grouped = true;
  draft.commas = 0;
  if (draft.after !== '') draft.before.push({ text: draft.after });
  draft.after = '';
  draft.before.push({ digit });
};

const addSign = (draft: Draft, sign: string): void => {
  if (sign === '0' || sign === '#') addDigit(draft, sign);
  else if (sign === '?') addDigit(draft, '#');
  else if (sign === '.' && !draft.inDecimals) draft.inDecimals = true;
  else if (sign === ',') draft.commas += 1;
  else if (sign === '%') {
    draft.shift += 2;
    addText(draft, '%');
  } else if (sign.toLowerCase() === 'general') draft.isGeneral = true;
  else addText(draft, sign);
};

/** The pattern of a section; null for one of text. */
export const patternOf = (section: string): FigurePattern | null => {
  const draft: Draft = {
    before: [],
    decimals: [],
    after: '',
    grouped: false,
    shift: 0,
    isGeneral: false,
    inDecimals: false,
    commas: 0,
  };
  for (const [token, quoted, escaped, currency] of section.matchAll(TOKEN)) {
    const text = quoted ?? escaped ?? currency;
    if (text !== undefined) addText(draft, text);
    else if (token.startsWith('_')) addText(draft, ' ');
    else if (!token.startsWith('[') && !token.startsWith('*')) addSign(draft, token);
  }
  if (section.includes('@') || draft.before.length + draft.decimals.length > MOST_PLACES) return null;
  // Commas behind the last digit divide by a thousand each.
  const { before, decimals, after, grouped, isGeneral, commas } = draft;
  return { before, decimals, after, grouped, isGeneral, shift: draft.shift - 3 * commas, comma: isCommaCode(section) };
};

/** A figure rounded as Excel rounds, half away from zero, as whole and fractional digits. */
const digitsOf = (value: number, places: number): [whole: string, fraction: string] => {
  const exact = decimalOf(value);
  const rounded = exact.includes('e') ? value : Number(`${Math.round(Number(`${exact}e${places}`))}e-${places}`);
  const [whole = '0', fraction = ''] = rounded.toFixed(Math.min(places, 20)).split('.');
  return [whole, fraction];
};

const group = (whole: string, mark: string): string => {
  const first = whole.length % 3 || 3;
  const groups = [whole.slice(0, first)];
  for (let at = first; at < whole.length; at += 3) groups.push(whole.slice(at, at + 3));
  return groups.join(mark);
};

/** Digits without the zeros at their end, but at least so many. */
const trimmedTo = (digits: string, least: number): string => {
  let end = digits.length;
  while (end > least && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
};

/** Digits fill their places from the right; those left over stand in the first place. */
const fill = (pieces: readonly Piece[], whole: string): string => {
  let rest = whole === '0' ? '' : whole;
  let places = pieces.filter((piece) => 'digit' in piece).length;
  const written: string[] = [];
  for (const piece of pieces.toReversed()) {
    if ('text' in piece) {
      written.push(piece.text);
      continue;
    }
    places -= 1;
    written.push(places === 0 && rest.length > 1 ? rest : (rest.at(-1) ?? (piece.digit === '0' ? '0' : '')));
    rest = places === 0 ? '' : rest.slice(0, -1);
  }
  return written.toReversed().join('');
};

/** Only the first and last digit places enclose a plain figure. */
const isPlain = (pieces: readonly Piece[]): boolean => {
  const first = pieces.findIndex((piece) => 'digit' in piece);
  return first < 0 || pieces.slice(first).every((piece) => 'digit' in piece);
};

/** A figure that is not negative, in its pattern. */
export const writeFigure = (pattern: FigurePattern, value: number): string => {
  const { before, decimals, after, grouped, shift, isGeneral, comma } = pattern;
  const shifted = shift === 0 ? value : Number((value * 10 ** shift).toPrecision(MOST_DIGITS));
  const texts = (pieces: readonly Piece[]): string =>
    pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
  if (isGeneral) return texts(before) + decimalOf(shifted) + after;
  const hasDigits = decimals.length > 0 || before.some((piece) => 'digit' in piece);
  if (!hasDigits) return texts(before) + after;
  const [whole, fraction] = digitsOf(shifted, decimals.length);
  const least = decimals.lastIndexOf('0') + 1;
  const shown = trimmedTo(fraction, least);
  const [thousands, mark] = comma ? ['.', ','] : [',', '.'];
  const filled = fill(before, whole);
  const integer = grouped && isPlain(before) ? filled.replace(/\d+/, (digits) => group(digits, thousands)) : filled;
  return `${integer}${shown === '' ? '' : `${mark}${shown}`}${after}`;
};

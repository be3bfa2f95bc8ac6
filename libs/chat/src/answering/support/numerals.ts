const NUMERAL = /^\d{1,15}(?:[.,'’]\d{1,15}){0,5}$/;
const MARKS = /[.,'’]/g;
const THOUSANDS = /^\d{1,3}(?:[.,'’]\d{3})+$/;
const WITH_DECIMALS = /^\d{1,3}(?:([.,'’])\d{3})*[.,]\d+$/;

const withDecimals = (written: string): number => {
  const at = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','));
  return Number(`${written.slice(0, at).replace(MARKS, '')}.${written.slice(at + 1)}`);
};

/**
 * What digits can mean in Spanish and in English notation: `1.250` is 1250 and 1.25, `0,26` is 0.26, and `50.000` is
 * 50000 alone: three decimals that are zero are hardly written. Empty for text that is no number.
 */
export const readingsOf = (written: string): readonly number[] => {
  if (!NUMERAL.test(written)) return [];
  const marks = written.match(MARKS) ?? [];
  if (marks.length === 0) return [Number(written)];
  const thousands = THOUSANDS.test(written) && new Set(marks).size === 1 ? [Number(written.replace(MARKS, ''))] : [];
  const isDecimal = marks.length === 1 || (new Set(marks).size > 1 && WITH_DECIMALS.test(written));
  if (thousands.length > 0 && written.startsWith('0')) return [withDecimals(written)];
  if (thousands.length > 0 && written.endsWith('000')) return thousands;
  return isDecimal ? [...thousands, withDecimals(written)] : thousands;
};

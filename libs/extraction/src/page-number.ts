const WORDS = new Set([
  'página',
  'pagina',
  'pàgina',
  'páxina',
  'pág',
  'pag',
  'page',
  'p',
  'seite',
  'orria',
  'de',
  'of',
  'von',
  'sur',
]);
const LONGEST = 40;

/** Whether a line of a page header or footer has nothing but the number of its page. */
export const isPageNumber = (line: string): boolean => {
  if (line.length > LONGEST) return false;
  const words = line.toLowerCase().match(/\p{L}+/gu) ?? [];
  const numbers = line.match(/\d+/g) ?? [];
  if (numbers.length > 2 || !words.every((word) => WORDS.has(word))) return false;
  // Longer numbers are those of files and registers.
  return numbers.every(({ length }) => length <= (numbers.length === 1 ? 4 : 3));
};

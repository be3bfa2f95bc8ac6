/** The column of a reference such as `AB12`, from 0; undefined for an invalid reference. */
export const columnOf = (reference: string | undefined): number | undefined => {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference ?? '')?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column === 0 ? undefined : column - 1;
};

/** The letters of a column, from 0. */
export const lettersOf = (column: number): string => {
  let [rest, letters] = [column + 1, ''];
  for (; rest > 0; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
};

export const referenceOf = (column: number, row: number): string => `${lettersOf(column)}${row}`;

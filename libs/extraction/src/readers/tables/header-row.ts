const VALUE = /^[\s\d.,:/%€$£+-]+$/;
const LONGEST_NAME = 100;

/** Whether the first row of a table names its columns: short, distinct, without figures or dates. */
export const namesColumns = (row: readonly string[]): boolean => {
  const names = row.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const areNames = names.every((name) => name.length <= LONGEST_NAME && !VALUE.test(name));
  return names.length > 0 && names.length * 2 > row.length && areNames && new Set(names).size === names.length;
};

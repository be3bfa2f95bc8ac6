import { evaluate } from '../src/readers/office/formula';
import type { Value } from '../src/readers/office/formula-functions';

const cells: Readonly<Record<string, readonly Value[]>> = {
  'B2:B4': [1200, 345, null],
  A1: [7],
  A2: ['siete'],
  'Hoja 2!C1': [5],
};
const value = (formula: string): Value | undefined =>
  evaluate(
    formula,
    (sheet, from, to) => cells[`${sheet === null ? '' : `${sheet}!`}${from}${to === null ? '' : `:${to}`}`],
  );

describe('a formula without a value in its file', () => {
  it.each<[string, Value]>([
    ['SUM(B2:B4)', 1545],
    ['SUM($B$2:$B$4)*21%', 324.45],
    ['AVERAGE(B2:B4)', 772.5],
    ['COUNT(B2:B4)', 2],
    ['MAX(B2:B4,A1)-MIN(B2:B4)', 855],
    ['SUBTOTAL(9,B2:B4)', 1545],
    ['(A1+3)*2^2', 40],
    ['-A1+10', 3],
    ["'Hoja 2'!C1*2", 10],
    ['ROUND(10/3,2)', 3.33],
    ['IF(A1>5,"alto","bajo")', 'alto'],
    ['CONCATENATE("Plazo ","Beruete")', 'Plazo Beruete'],
    ['"N.º "&A1', 'N.º 7'],
    ['A2="SIETE"', true],
  ])('%s is evaluated', (formula, expected) => {
    expect(value(formula)).toEqual(expected);
  });
  it.each(['TODAY()', 'VLOOKUP(A1,B2:B4,2)', 'A1/0', 'Z9+1', 'A2*2', 'SUM(B2:B4', '1+', '{1,2}', '('.repeat(500)])(
    '%s has no value here',
    (formula) => {
      expect(value(formula)).toBeUndefined();
    },
  );
});

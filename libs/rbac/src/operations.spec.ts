import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { profile } from '@acervo/public-mapping';
import { operationRows, type OperationRow, screens } from './index';

const reference = readFileSync(join(__dirname, '../../../docs/operations.md'), 'utf8');
const cells = reference
  .split('\n')
  .filter((line) => /^\| [a-z_]+\.[a-z_]+/.test(line))
  .map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );

const counted = (part: (row: OperationRow) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const row of operationRows) counts[part(row)] = (counts[part(row)] ?? 0) + 1;
  return counts;
};

describe('the catalogue of operations', () => {
  it('equals the published table, cell by cell', () => {
    expect(
      operationRows.map((row) => [row.code, row.kind, profile.toPublic(row.profile), row.screens.join(', ')]),
    ).toEqual(cells);
  });
  it('has 108 of them: 41 read, 50 write and 17 are confirmed first', () => {
    expect(counted(({ kind }) => kind)).toEqual({ read: 41, write: 50, write_confirm: 17 });
    expect(counted((row) => row.profile)).toEqual({ ADMINISTRADOR: 83, USUARIO: 25 });
    expect(new Set(operationRows.map(({ code }) => code)).size).toBe(108);
  });
  it('uses every screen', () => {
    const named = new Set(operationRows.flatMap((row) => row.screens));
    expect([...named].toSorted()).toEqual(screens.toSorted());
  });
});

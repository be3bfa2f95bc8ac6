import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { profile } from '@acervo/public-mapping';
import { operationRows, type OperationRow, screens } from './index';

const reference = readFileSync(join(__dirname, '../../../docs/operations-catalogue.md'), 'utf8');
/** Code, kind, level and screens of every operation, whether it is published or not. */
const cells = reference
  .split('\n')
  .filter((line) => /^\| `[a-z_]+\.[a-z_]+`/.test(line))
  .map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', ''))
      .slice(1, 5),
  )
  .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));

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
  it('is what was agreed on: the page is written from the table, so neither changes without the other and this', () => {
    const digest = createHash('sha256').update(JSON.stringify(cells)).digest('hex');
    expect(digest).toBe('b84fa8f96073d306fdef386488ef4534c7dfcb5d0b6511573e179b0740bfb460');
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

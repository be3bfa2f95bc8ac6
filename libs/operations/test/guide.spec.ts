import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationsGuide } from '../src/index';

/** Columns are padded in the file and not in its source. */
const withoutPadding = (text: string): string =>
  text
    .replace(/ *\| */g, '|')
    .replace(/\|[-|]+\|/g, '|-|')
    .trim();

describe('the reference of operations', () => {
  it('the reference matches the published operations (npm run openapi writes it)', () => {
    const file = join(__dirname, '..', '..', '..', 'docs', 'operations-catalogue.md');
    expect(withoutPadding(readFileSync(file, 'utf8'))).toBe(withoutPadding(operationsGuide()));
  });
});

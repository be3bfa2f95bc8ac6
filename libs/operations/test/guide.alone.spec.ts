import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationsGuide } from '../src/index';

/** Columns are padded in the file and not in what it is made from. */
const plain = (text: string): string =>
  text
    .replace(/ *\| */g, '|')
    .replace(/\|[-|]+\|/g, '|-|')
    .trim();

describe('the reference of operations', () => {
  it('says what is published; npm run openapi writes it', () => {
    const file = join(__dirname, '..', '..', '..', 'docs', 'operations-catalogue.md');
    expect(plain(readFileSync(file, 'utf8'))).toBe(plain(operationsGuide()));
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationGuide } from '../src/service-list';

/** Columns are padded in the file and not in what it is made from. */
const plain = (text: string): string =>
  text
    .replace(/ *\| */g, '|')
    .replace(/\|[-|]+\|/g, '|-|')
    .trim();

describe('the reference of settings', () => {
  it('says what the programs read; npm run openapi writes it', () => {
    const file = join(__dirname, '..', '..', '..', 'docs', 'configuration.md');
    expect(plain(readFileSync(file, 'utf8'))).toBe(plain(configurationGuide()));
  });

  it('shows no default of a password', () => {
    for (const line of configurationGuide()
      .split('\n')
      .filter((row) => /PASSWORD|PEPPER|_KEY`/.test(row)))
      expect(line).toMatch(/^\| `\w+` \|  \|/);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationGuide } from '../src/installation/service-list';

/** Columns are padded in the file, but not in the generated text. */
const withoutPadding = (text: string): string =>
  text
    .replace(/ *\| */g, '|')
    .replace(/\|[-|]+\|/g, '|-|')
    .trim();

describe('the reference of settings', () => {
  it('docs/configuration.md equals the reference from npm run openapi', () => {
    const file = join(__dirname, '..', '..', '..', 'docs', 'configuration.md');
    expect(withoutPadding(readFileSync(file, 'utf8'))).toBe(withoutPadding(configurationGuide()));
  });

  it('the reference shows no default of a password', () => {
    for (const line of configurationGuide()
      .split('\n')
      .filter((row) => /(PASSWORD|PEPPER|_KEY)`/.test(row)))
      expect(line).toMatch(/^\| `\w+` \|  \|/);
  });
});

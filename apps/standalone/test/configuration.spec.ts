import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SETTING_NAMES, TOOL_VARIABLES } from '@acervo/platform-config';
import { configurationGuide, metricsGuide, settingNamesSource } from '../src/kernel/service-list';

const repository = join(__dirname, '..', '..', '..');

/** Files of these folders and files, except the tests of tools, whose variables are invented. */
const filesOf = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const all = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))
      : [path];
    return all.filter((file) => statSync(file).isFile() && !/\.test\.mjs$|node_modules/.test(file));
  });

/** Columns are padded in the file, but not in the generated text. */
const withoutPadding = (text: string): string =>
  text
    .replace(/ *\| */g, '|')
    .replace(/\|[-|]+\|/g, '|-|')
    .trim();

describe('the reference of metrics', () => {
  it('docs/metrics.md equals the reference from npm run openapi', async () => {
    const file = join(repository, 'docs', 'metrics.md');
    expect(withoutPadding(readFileSync(file, 'utf8'))).toBe(withoutPadding(await metricsGuide()));
  });
});

describe('the reference of settings', () => {
  it('docs/configuration.md equals the reference from npm run openapi', () => {
    const file = join(repository, 'docs', 'configuration.md');
    expect(withoutPadding(readFileSync(file, 'utf8'))).toBe(withoutPadding(configurationGuide()));
  });

  it('setting-names.ts equals the list from npm run openapi', () => {
    const file = join(repository, 'libs', 'platform', 'config', 'src', 'setting-names.ts');
    expect(readFileSync(file, 'utf8')).toBe(settingNamesSource());
  });

  // tools/checks/statements.mjs compares the pages.
  it('programs know every variable that containers and tools mention', () => {
    const knownNames = new Set([...SETTING_NAMES, ...TOOL_VARIABLES]);
    const places = ['docker', 'tools', '.ci'];
    const mentioned = filesOf(places.map((place) => join(repository, place))).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bACERVO_[A-Z0-9_]*[A-Z0-9]\b(?![_*A-Z])/g)].map(([name]) => name),
    );
    const unknown = [...new Set(mentioned)].filter((name) => !knownNames.has(name) && !name.startsWith('ACERVO_HOME_'));
    expect(unknown).toEqual([]);
  });

  it('the reference shows no default of a password', () => {
    for (const line of configurationGuide()
      .split('\n')
      .filter((row) => /(PASSWORD|PEPPER|_KEY)`/.test(row)))
      expect(line).toMatch(/^\| `\w+` \|  \|/);
  });
});

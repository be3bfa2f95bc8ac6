import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parameterDefinitions, UNREAD } from './definitions';

const root = join(__dirname, '..', '..', '..', '..');

/**
 * Files of the services that read parameters, themselves or by `applyRetention`, without suites. A rule of a document
 * type has a `LANGUAGE` too.
 */
const sources = ['libs', 'apps']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(root, folder, path)),
  )
  .filter((path) => /[\\/]src[\\/].*(?<!\.(?:spec|d))\.ts$/.test(path) && basename(path) !== 'definitions.ts')
  .map((path) => readFileSync(path, 'utf8'))
  .filter((source) => /parameter|applyRetention/i.test(source));

describe('a parameter', () => {
  it.each(parameterDefinitions.map(({ code, description }) => [code, description]))(
    '%s says that nothing acts on it unless a service reads it',
    (code, description) => {
      expect(description.endsWith(UNREAD)).toBe(!sources.some((source) => source.includes(`'${code}'`)));
    },
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parameterDefinitions, skillParameters, UNREAD } from './definitions';

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

/** Parameters whose codes stand in a source; those of skills are composed there. */
const written = parameterDefinitions.filter((each) => !skillParameters.includes(each));

describe('a parameter', () => {
  it('the prompt and the model of a skill are read', () => {
    for (const composed of ['promptParameter(', 'modelParameter('])
      expect(sources.some((source) => source.includes(composed) && source.includes('readParameters'))).toBe(true);
  });
  it.each(written.map(({ code, description }) => [code, description]))(
    '%s says that nothing acts on it unless a service reads it',
    (code, description) => {
      expect(description.endsWith(UNREAD)).toBe(!sources.some((source) => source.includes(`'${code}'`)));
    },
  );
});

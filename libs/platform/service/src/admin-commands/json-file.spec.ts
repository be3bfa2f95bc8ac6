import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidInput } from '@acervo/contracts';
import { AdminCommandFailed } from './admin-commands';
import { readJsonFile } from './json-file';

describe('the JSON file of an admin command', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-json-'));
  const file = join(place, 'file.json');
  const refusal = { outcome: 'Nothing was added', shape: 'a number' };
  const numberIn = (raw: unknown): number => {
    if (typeof raw !== 'number') throw new InvalidInput({ missing: ['number'], invalid: [], unknown: 0 });
    if (raw < 0) throw new RangeError('It is below 0.');
    return raw;
  };
  const read = (path = file): Promise<number> => readJsonFile(path, numberIn, refusal);

  afterAll(() => rmSync(place, { recursive: true }));

  it('a file of the shape is parsed', async () => {
    writeFileSync(file, '7');
    expect(await read()).toBe(7);
  });
  it.each([
    ['{', 'Nothing was added: it is no JSON file. It needs a number; see docs/operations.md.'],
    ['{}', 'Nothing was added: {"missing_fields":["number"]}. It needs a number; see docs/operations.md.'],
  ])('the content %s is refused with its problem and the shape', async (content, message) => {
    writeFileSync(file, content);
    await expect(read()).rejects.toThrow(new AdminCommandFailed(message));
  });
  it.each([
    ['missing file', join(place, 'missing.json'), 'ENOENT'],
    ['folder', place, 'EISDIR'],
  ])('a %s is refused as unreadable', async (_what, path, code) => {
    const message = `Nothing was added: the file cannot be read (${code}).`;
    await expect(read(path)).rejects.toThrow(new AdminCommandFailed(message));
  });
  it('another error of the parser stays as it is', async () => {
    writeFileSync(file, '-1');
    await expect(read()).rejects.toThrow(RangeError);
  });
});

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXPORT_VERSION, type ExportFile, readExport, secretsOf, writeExport } from './export-file';
import { parentsFirst } from './parents-first';

const content: ExportFile = {
  acervo: 'export',
  version: EXPORT_VERSION,
  createdAt: '2026-01-01T00:00:00.000Z',
  settings: { folders: ['/shelf'], embedder: null },
  groups: [{ groupId: 'g', code: 'G1', first: true, people: { app_user: [{ email: 'a@b' }] }, folders: {} }],
};
const pepper = 'a server key of an installation';

describe('the file of an export', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-export-'));
  const file = join(place, 'export.json');
  beforeEach(() => {
    rmSync(file, { force: true });
    rmSync(secretsOf(file), { force: true });
    writeExport(file, content, pepper);
  });
  afterAll(() => rmSync(place, { recursive: true }));

  it('an export is private, complete, and separate from its server key', () => {
    expect(readExport(file)).toEqual({ content, keyPepper: pepper });
    for (const path of [file, secretsOf(file)]) expect(statSync(path).mode & 0o077).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain(pepper);
  });
  it('an export never overwrites an existing file', () => {
    expect(() => writeExport(file, content, pepper)).toThrow(/is there already/);
  });
  it.each([
    ['no JSON', 'half a fi', /cannot be read as JSON/],
    ['something else', '{"acervo":"elsewhere"}', /is no export of Acervo/],
    ['of a newer version', JSON.stringify({ ...content, version: EXPORT_VERSION + 1 }), /made by a newer version/],
    ['without groups', JSON.stringify({ ...content, groups: undefined }), /is not whole/],
    ['with an invalid group', JSON.stringify({ ...content, groups: [{ groupId: 'g' }] }), /is not whole/],
  ])('an export file that is %s is refused with the reason', (_what, text, reason) => {
    writeFileSync(file, text);
    expect(() => readExport(file)).toThrow(reason);
  });
  it('an export without its server key is refused with an explanation', () => {
    rmSync(secretsOf(file));
    expect(() => readExport(file)).toThrow(/no API key and no second factor would work/);
  });
});

describe('rows of a tree', () => {
  it('rows of a tree follow their parents, and none is lost', () => {
    const rows = [
      { code: 'c', parent_code: 'b' },
      { code: 'b', parent_code: 'a' },
      { code: 'a', parent_code: null },
      { code: 'z', parent_code: 'gone' },
    ];
    expect(parentsFirst('area', rows).map(({ code }) => code)).toEqual(['a', 'z', 'b', 'c']);
  });
  it('rows of other tables keep their order', () => {
    expect(parentsFirst('entity', [{ code: 'b' }, { code: 'a' }])).toEqual([{ code: 'b' }, { code: 'a' }]);
  });
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HASHING } from '@acervo/models';
import { clusterOf, EmbeddedDatabase } from '@acervo/platform-database';
import { DataDirectory } from './data-directory';
import { databaseOf } from './layout';

describe('a data directory', () => {
  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'acervo-layout-'));
  });
  afterEach(() => rmSync(path, { recursive: true }));

  const old = { format: 1, createdAt: '2026-01-01T00:00:00.000Z', embedder: 'hashing', folders: ['/shelf'] };
  const lay = (manifest: object, engine?: string): void => {
    writeFileSync(join(path, 'acervo.json'), JSON.stringify(manifest));
    writeFileSync(join(path, 'secrets.json'), '{"keyPepper":"0123456789abcdef"}');
    if (engine === undefined) return;
    const cluster = clusterOf(databaseOf(path));
    mkdirSync(cluster, { recursive: true });
    writeFileSync(join(cluster, 'PG_VERSION'), `${engine}\n`);
  };
  const manifest = (): string => readFileSync(join(path, 'acervo.json'), 'utf8');
  /** Opens the directory, which must fail without changes; returns the message. */
  const refused = (expected: readonly string[] = []): string => {
    const before = [manifest(), readdirSync(path).join()];
    let reason = '';
    try {
      DataDirectory.open(path).assertSchemasKnown(expected);
    } catch (error) {
      reason = error instanceof Error ? error.message : '';
    }
    expect([manifest(), readdirSync(path).join()]).toEqual(before);
    return reason;
  };

  it('an older layout is upgraded once its database is open', () => {
    lay(old, '18');
    const directory = DataDirectory.open(path);
    expect(directory).toMatchObject({ openedFrom: 1, isNew: false, folders: ['/shelf'], embedder: HASHING });
    expect(JSON.parse(manifest())).toEqual(old);
    directory.settleLayout(['auth.First1'], 'embedded');
    expect(JSON.parse(manifest())).toMatchObject({
      format: 2,
      embedder: { name: 'hashing' },
      migrations: ['auth.First1'],
    });
    const later = DataDirectory.open(path);
    later.assertSchemasKnown(['auth.First1']);
    expect(later.openedFrom).toBe(2);
  });
  it('a newer layout is refused with advice and stays unchanged', () => {
    lay({ ...old, format: 3 });
    expect(refused()).toMatch(
      /has layout 3 and this version works with up to 2; nothing was changed\. Use the newer version/,
    );
  });
  it('an unknown old layout is refused with advice', () => {
    lay({ ...old, format: 0 });
    expect(refused()).toMatch(/"--export FILE".*"--data NEW --import FILE"/);
  });
  it('a database of a newer version is refused and stays unchanged', () => {
    lay({ ...old, format: 2, migrations: ['auth.First1', 'auth.Later2'] }, '18');
    expect(refused(['auth.First1'])).toMatch(
      /was used by a newer version, which changed its database \(auth\.Later2\)/,
    );
  });
  it('an embedded database started on a server is refused with advice', () => {
    lay({ ...old, format: 2 }, '18');
    const first = DataDirectory.open(path);
    for (const place of ['embedded', 'db.example:5432/acervo']) first.assertDatabaseAt(place);
    first.settleLayout([], 'embedded');
    const later = DataDirectory.open(path);
    later.assertDatabaseAt('embedded');
    expect(() => later.assertDatabaseAt('db.example:5432/acervo')).toThrow(
      /is in the directory itself \(embedded\), and .* on the PostgreSQL server db\.example:5432\/acervo; nothing was changed\. Start without ACERVO_DATABASE_ADMIN_USER/,
    );
  });
  it('a database on a server is refused on other servers and embedded', () => {
    lay({ ...old, format: 2, database: 'db.example:5432/acervo' });
    const directory = DataDirectory.open(path);
    directory.assertDatabaseAt('db.example:5432/acervo');
    for (const place of ['embedded', 'db.example:5432/other', 'db.example:5433/acervo'])
      expect(() => directory.assertDatabaseAt(place)).toThrow(
        /is on the PostgreSQL server db\.example:5432\/acervo, .*; nothing was changed\. Set ACERVO_DATABASE_HOST/,
      );
  });
  it('the database that an earlier start made is recognised', async () => {
    const first = DataDirectory.open(path);
    expect(first.isNew).toBe(true);
    await (await EmbeddedDatabase.start({ directory: first.database })).stop();
    expect(DataDirectory.open(path).isNew).toBe(false);
  });
  it('a database of an older engine is refused with advice, unchanged', () => {
    lay(old, '17');
    expect(refused()).toMatch(
      /made by PostgreSQL 17 and this version contains 18.*"--export FILE".*"--data NEW --import FILE"/,
    );
  });
  it('a database of a newer engine is refused and stays unchanged', () => {
    lay(old, '19');
    expect(refused()).toMatch(/made by PostgreSQL 19, newer than the 18 of this version; nothing was changed/);
  });

  const seed = { keyPepper: 'fedcba9876543210', embedder: HASHING, folders: ['/shelf'] };
  it('an unfinished import keeps its server key and is no installation', () => {
    const inner = join(path, 'new');
    const directory = DataDirectory.open(inner, { seed });
    expect(directory).toMatchObject({ keyPepper: seed.keyPepper, folders: ['/shelf'], importing: true });
    expect(() => DataDirectory.open(inner)).toThrow(/An import into .* was interrupted; repeat it/);
    DataDirectory.open(inner, { seed }).imported();
    expect(DataDirectory.open(inner).importing).toBe(false);
  });
  it('a directory with an installation refuses an import', () => {
    lay(old);
    expect(() => DataDirectory.open(path, { seed })).toThrow(
      /contains an installation already; import into a new directory/,
    );
  });
  it('an embedder address with a password is not exported', () => {
    const url = 'http://user:word@host/v1';
    lay({ ...old, format: 2, embedder: { ...HASHING, name: 'mine', url } });
    expect(DataDirectory.open(path).portableEmbedder).toMatchObject({ name: 'mine', url: null });
  });
});

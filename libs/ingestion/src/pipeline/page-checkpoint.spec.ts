import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RawPage } from '@acervo/extraction';
import { derivedObjectKey, DirectoryObjectStore } from '@acervo/platform-object-store';
import { PageCheckpoint } from './page-checkpoint';

const page = (number: number): RawPage => ({ number, lines: [] });

describe('a page checkpoint', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-pages-'));
  afterAll(() => rmSync(place, { recursive: true }));
  const objects = new DirectoryObjectStore(place);
  const scope = { groupId: '0190b5c2-0000-7000-8000-000000000001' };
  const other = { groupId: '0190b5c2-0000-7000-8000-000000000002' };
  const key = 'ab'.repeat(32);
  let progress = 0;
  const open = (everyMs = 0, of = scope): PageCheckpoint =>
    new PageCheckpoint(objects, of, key, () => (progress += 1), everyMs);
  beforeEach(async () => {
    progress = 0;
    await objects.delete(scope, derivedObjectKey(scope, 'pages', key));
  });

  it('a checkpoint is loaded for equal bytes and settings in its group', async () => {
    await open().save([page(1), page(2)]);
    expect(await open().load()).toEqual([page(1), page(2)]);
    expect(await open(0, other).load()).toEqual([]);
  });

  it('each page counts as progress, and pages are written now and then', async () => {
    const pages = open(60_000);
    await pages.save([page(1)]);
    await pages.save([page(1), page(2)]);
    expect([progress, await open().load()]).toEqual([2, []]);
  });

  it('a checkpoint is deleted when the document is read', async () => {
    await open().save([page(1)]);
    const later = open();
    await later.load();
    await later.forget();
    expect(await open().load()).toEqual([]);
  });

  it('an unreadable checkpoint restarts the extraction', async () => {
    await objects.put(scope, derivedObjectKey(scope, 'pages', key), Buffer.from('{"cut'));
    expect(await open().load()).toEqual([]);
  });

  it('a checkpoint that cannot be written does not fail the extraction', async () => {
    const broken = new DirectoryObjectStore('/dev/null/nowhere');
    await new PageCheckpoint(broken, scope, key, () => undefined, 0).save([page(1)]);
  });
});

import { unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  deleteDocument,
  filterStoredDocuments,
  getDocument,
  listDocuments,
  NotFound,
  registerFolder,
  reportMissingDocument,
  revertDocument,
  setIngestionOrder,
  startRun,
} from '@acervo/contracts';
import { NotRevertible } from '../src/documents/document-snapshot';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;
const ALL = ['chunks', 'original', 'text', 'vectors'];

describe('a change of a document', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.forget());

  const prepare = async (name: string, files: Readonly<Record<string, string>>) => {
    const groupId = newGroup();
    const root = bench.folder(name, files);
    const registered = await bench.ask(registerFolder, groupId, { path: root, entity_code: 'E1' });
    const location_code = String(registered['location_code']);
    const scan = (more: JsonObject = {}) => bench.ask(startRun, groupId, { location_code, ...more });
    const list = async (): Promise<JsonObject[]> =>
      (await bench.askAs(listDocuments, groupId, {}))['documents'] as JsonObject[];
    const codeOf = async (file: string): Promise<string> =>
      String((await list()).find((each) => each['name'] === file)?.['code']);
    const change = (call: Parameters<Bench['askAs']>[0], document_code: string, more: JsonObject = {}) =>
      bench.askAs(call, groupId, { document_code, ...more }, {}, 'operations');
    return { groupId, root, scan, list, codeOf, change };
  };
  /** With everything ingested. */
  const ingested = async (name: string, files: Readonly<Record<string, string>>) => {
    const folder = await prepare(name, files);
    await folder.scan();
    await bench.work(folder.groupId);
    return folder;
  };
  /** Codes of documents whose content is published to be gone, in the order of their events. */
  const publishedDeletions = async (): Promise<unknown[]> =>
    (await bench.published())
      .filter(({ topic }) => topic === 'document.deleted.v1')
      .map(({ payload }) => (payload as JsonObject)['code']);
  const topics = async (): Promise<unknown[]> => (await bench.published()).map(({ topic }) => topic);

  describe('a deletion', () => {
    it('a deleted document leaves lists and search, and its objects are collected', async () => {
      const { groupId, list, codeOf, change } = await ingested('delete', { 'a.txt': 'Uno.', 'b.txt': 'Dos.' });
      const code = await codeOf('a.txt');
      expect(await bench.storedObjects(groupId)).toEqual([...ALL, ...ALL].sort());
      await change(deleteDocument, code);
      await bench.work(groupId);
      expect((await list()).map(({ name }) => name)).toEqual(['b.txt']);
      await expect(bench.askAs(getDocument, groupId, { document_code: code })).rejects.toThrow(NotFound);
      expect(await topics()).toContain('document.withdrawn.v1');
      expect(await bench.storedObjects(groupId)).toEqual(ALL);
    });

    it('a document that was never handed over is published as deleted too', async () => {
      const { scan, codeOf, change } = await prepare('unread', { 'a.txt': 'Uno.' });
      await scan();
      const code = await codeOf('a.txt');
      await change(deleteDocument, code);
      expect(await topics()).toEqual(['document.deleted.v1']);
      expect(await publishedDeletions()).toEqual([code]);
    });

    it('deleted and unknown documents are distinguished from existing ones', async () => {
      const { groupId, codeOf, change } = await ingested('stored', {
        'a.txt': 'Uno.',
        'b.txt': 'Dos.',
        'c.txt': 'Tres.',
      });
      const [gone, missing, there] = [await codeOf('a.txt'), await codeOf('b.txt'), await codeOf('c.txt')];
      await change(deleteDocument, gone);
      await change(reportMissingDocument, missing);
      const asked = [there, 'D9999', gone, missing, gone];
      const stored = (of: string, codes: readonly string[]) => bench.ask(filterStoredDocuments, of, { codes }, 'chat');
      expect(await stored(groupId, asked)).toEqual({ codes: [missing, there].sort() });
      expect(await stored(newGroup(), asked)).toEqual({ codes: [] });
      await change(revertDocument, gone, { status: 'DETECTED' });
      expect(await stored(groupId, [gone])).toEqual({ codes: [gone] });
    });

    it('deletion keeps results that a document of equal bytes shares', async () => {
      const { groupId, codeOf, change } = await ingested('twins', { 'a.txt': 'Igual.', 'b.txt': 'Igual.' });
      await change(deleteDocument, await codeOf('a.txt'));
      await bench.work(groupId);
      expect(await bench.storedObjects(groupId)).toEqual(ALL);
      await change(deleteDocument, await codeOf('b.txt'));
      await bench.work(groupId);
      expect(await bench.storedObjects(groupId)).toEqual([]);
    });

    it.each([
      ['before it is read', 0],
      ['after it was read', 99],
    ])('deletion %s holds against scans until the bytes change', async (what, batches) => {
      const { groupId, root, scan, list, codeOf, change } = await prepare(`hold-${batches}`, { 'a.txt': 'Uno.' });
      await scan();
      if (batches > 0) await bench.work(groupId);
      const code = await codeOf('a.txt');
      await change(deleteDocument, code);
      expect(await scan()).toMatchObject({ added: 0, changed: 0, missing: 0 });
      utimesSync(join(root, 'a.txt'), 1, 1);
      await scan();
      expect([what, (await bench.work(groupId)) < 2, await list()]).toEqual([what, true, []]);
      writeFileSync(join(root, 'a.txt'), 'Uno y dos.');
      await scan();
      await bench.work(groupId);
      expect(await list()).toEqual([expect.objectContaining({ code, status: 'CHUNKED' })]);
    });

    it('a deleted document stays deleted when its file disappears and returns', async () => {
      const { root, scan, list, codeOf, change } = await ingested('back', { 'a.txt': 'Uno.', 'b.txt': 'Dos.' });
      await change(deleteDocument, await codeOf('a.txt'));
      unlinkSync(join(root, 'a.txt'));
      await scan();
      writeFileSync(join(root, 'a.txt'), 'Uno.');
      await scan();
      expect((await list()).map(({ name }) => name)).toEqual(['b.txt']);
    });

    it('attachments are deleted and revived with their mail', async () => {
      const mail = [
        'From: a@example.org',
        'Subject: Obras',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=x',
        '',
        '--x',
        'Content-Type: text/plain',
        '',
        'El presupuesto va adjunto.',
        '--x',
        'Content-Type: text/plain; name=presupuesto.txt',
        'Content-Disposition: attachment; filename=presupuesto.txt',
        '',
        'Doce mil euros.',
        '--x--',
        '',
      ].join('\r\n');
      const { groupId, scan, list, codeOf, change } = await ingested('carried', { 'obras.eml': mail });
      const names = async (): Promise<unknown[]> => (await list()).map(({ name }) => name).sort();
      expect(await names()).toEqual(['obras.eml', 'presupuesto.txt']);
      const [code, attached] = [await codeOf('obras.eml'), await codeOf('presupuesto.txt')];
      await change(deleteDocument, code);
      expect((await publishedDeletions()).sort()).toEqual([code, attached].sort());
      await scan();
      await bench.work(groupId);
      expect([await names(), await bench.storedObjects(groupId)]).toEqual([[], []]);
      await change(revertDocument, code, { status: 'DETECTED' });
      await bench.work(groupId);
      expect(await names()).toEqual(['obras.eml', 'presupuesto.txt']);
      expect((await list()).map(({ status }) => status)).toEqual(['CHUNKED', 'CHUNKED']);
      await change(deleteDocument, await codeOf('presupuesto.txt'));
      await scan();
      await bench.work(groupId);
      expect(await names()).toEqual(['obras.eml']);
    });

    it('a deleted or hidden document answers like an absent one', async () => {
      const { groupId, codeOf, change } = await ingested('hidden', { 'a.txt': 'Uno.' });
      const code = await codeOf('a.txt');
      const elsewhere = { locationRoots: ['L1'] };
      for (const call of [deleteDocument, reportMissingDocument])
        await expect(bench.askAs(call, groupId, { document_code: code }, elsewhere, 'operations')).rejects.toThrow(
          NotFound,
        );
      await change(deleteDocument, code);
      await expect(change(deleteDocument, code)).rejects.toThrow(NotFound);
    });
  });

  describe('a reversal', () => {
    it.each([
      ['DETECTED', ['record', 'summarise', 'chunk', 'embed']],
      ['ACQUIRED', ['record', 'summarise', 'chunk', 'embed']],
      ['EXTRACTED', ['summarise', 'chunk', 'embed']],
      ['SUMMARIZED', ['chunk', 'embed']],
      ['CHUNKED', ['embed']],
    ])('a document reverted to %s repeats the later steps only', async (status, jobs) => {
      const { groupId, list, codeOf, change } = await ingested(`revert-${status}`, { 'a.txt': 'Uno.' });
      const code = await codeOf('a.txt');
      await bench.forget();
      expect(await change(revertDocument, code, { status })).toEqual({ code, status });
      await bench.work(groupId);
      expect(bench.cpu.runs).toEqual(jobs);
      expect(await topics()).toEqual(['document.withdrawn.v1', 'document.prepared.v1', 'document.embedded.v1']);
      expect(await list()).toEqual([expect.objectContaining({ code, status: 'CHUNKED' })]);
      expect(await bench.storedObjects(groupId)).toEqual(ALL);
    });

    it('a deleted document can be reverted', async () => {
      const { groupId, list, codeOf, change } = await ingested('undelete', { 'a.txt': 'Uno.' });
      const code = await codeOf('a.txt');
      await change(deleteDocument, code);
      await bench.work(groupId);
      await change(revertDocument, code, { status: 'DETECTED' });
      await bench.work(groupId);
      expect(await list()).toEqual([expect.objectContaining({ code, status: 'CHUNKED' })]);
      expect(await bench.storedObjects(groupId)).toEqual(ALL);
    });

    it('unreached and later states and missing files refuse a reversal', async () => {
      const { scan, codeOf, change } = await prepare('never', { 'a.txt': 'Uno.' });
      await scan();
      const code = await codeOf('a.txt');
      for (const status of ['EXTRACTED', 'VECTORIZED', 'ERROR'])
        await expect(change(revertDocument, code, { status })).rejects.toThrow(NotRevertible);
      await change(reportMissingDocument, code);
      await expect(change(revertDocument, code, { status: 'DETECTED' })).rejects.toThrow(NotRevertible);
    });
  });

  it('a document reported missing leaves search until a scan finds it', async () => {
    const { groupId, scan, list, codeOf, change } = await ingested('missing', { 'a.txt': 'Uno.' });
    const code = await codeOf('a.txt');
    expect(await change(reportMissingDocument, code)).toEqual({ code, status: 'MISSING' });
    expect(await topics()).toContain('document.withdrawn.v1');
    await bench.forget();
    await scan();
    await bench.work(groupId);
    expect(await list()).toEqual([expect.objectContaining({ code, status: 'CHUNKED' })]);
    expect(bench.source.read.length + bench.cpu.count('embed')).toBe(0);
  });

  it('a document with a higher order runs first', async () => {
    const { groupId, scan, codeOf, change } = await prepare('order', {
      'a.txt': 'Uno.',
      'b.txt': 'Dos.',
      'c.txt': 'Tres.',
    });
    await scan();
    const code = await codeOf('c.txt');
    await change(setIngestionOrder, code, { order: 1 });
    const takeFile = jest.spyOn(bench.files, 'takeFile');
    await bench.work(groupId);
    expect(takeFile.mock.calls[0]?.[0].relativePath).toBe('c.txt');
    takeFile.mockRestore();
  });

  it('reporting most documents missing needs acceptance', async () => {
    const { root, scan, list } = await ingested('accept', { 'a.txt': 'Uno.', 'b.txt': 'Dos.', 'c.txt': 'Tres.' });
    unlinkSync(join(root, 'a.txt'));
    unlinkSync(join(root, 'b.txt'));
    expect(await scan()).toMatchObject({ missing: 0, notice: expect.stringMatching(/2 of 3/) as unknown });
    expect(await scan({ accept_deletions: true })).toMatchObject({ missing: 2, notice: null });
    expect((await list()).map(({ status }) => status).sort()).toEqual(['CHUNKED', 'MISSING', 'MISSING']);
  });
});

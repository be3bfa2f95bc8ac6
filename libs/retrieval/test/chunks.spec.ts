import { randomUUID } from 'node:crypto';
import { type DocumentChunks, MOST_LISTED_CHUNKS, NotFound, type ScopeClaims } from '@acervo/contracts';
import fc from 'fast-check';
import { listedChunks } from '../src/chunks/chunks.service';
import { handOver, userScope, withdraw } from './documents';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
let retrieval: Retrieval;
const sentences = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `Este es el párrafo número ${index} de la memoria anual.`);

beforeAll(async () => {
  retrieval = await openRetrieval();
}, 60_000);
afterAll(() => retrieval.close(), 30_000);

const chunks = (documentCode: string, claims: Partial<ScopeClaims> = {}): Promise<DocumentChunks> =>
  retrieval.chunksService.get(userScope(groupId, claims), { documentCode });

describe('the chunks of a document', () => {
  it.each([1, 2, 3, 9, 60])('%i chunks of a document are never listed as a whole', async (count) => {
    const code = `N${count}`;
    const texts = sentences(count);
    await handOver(retrieval, { groupId, code, texts });
    const { totalChunks, chunks: listed } = await chunks(code);
    expect(totalChunks).toBe(count);
    expect(listed.map(({ text }) => text)).toEqual(texts.slice(0, Math.min(MOST_LISTED_CHUNKS, Math.floor(count / 2))));
    expect(listed.map(({ chunkNumber }) => chunkNumber)).toEqual(listed.map((_, index) => index));
    expect(await chunks(code)).toEqual({ documentCode: code, totalChunks, chunks: listed });
  });

  it('the listed chunks are always fewer than all chunks', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 1_000_000 }), (count) => listedChunks(count) < count));
  });

  it('chunks of an invisible document answer as for a missing one', async () => {
    const place = { locationCode: 'L2', locationAncestors: ['ROOT', 'L2'] };
    const { documentId } = await handOver(retrieval, { groupId, code: 'AJENO', texts: sentences(4), ...place });
    expect((await chunks('AJENO')).chunks).toHaveLength(2);
    const absent = await chunks('NINGUNO').catch((error: unknown) => error);
    expect(absent).toBeInstanceOf(NotFound);
    for (const claims of [{ entities: ['E2'] }, { activeEntity: 'E2' }, { locationRoots: ['L1'] }])
      await expect(chunks('AJENO', claims)).rejects.toEqual(absent);
    expect((await chunks('AJENO', { locationRoots: ['L2'] })).chunks).toHaveLength(2);
    await expect(retrieval.chunksService.get(userScope(randomUUID()), { documentCode: 'AJENO' })).rejects.toEqual(
      absent,
    );
    await withdraw(retrieval, groupId, documentId, 2);
    await expect(chunks('AJENO')).rejects.toEqual(absent);
  });
});

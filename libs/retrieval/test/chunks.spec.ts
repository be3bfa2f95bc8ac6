import { randomUUID } from 'node:crypto';
import { type DocumentChunks, MOST_LISTED_CHUNKS, NotFound, type ScopeClaims } from '@acervo/contracts';
import { handOver, userScope, withdraw } from './documents';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
let retrieval: Retrieval;
const sentences = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `Este es el párrafo número ${index} de la memoria anual.`);

beforeAll(async () => {
  retrieval = await openRetrieval();
});
afterAll(() => retrieval.close());

const chunks = (documentCode: string, claims: Partial<ScopeClaims> = {}): Promise<DocumentChunks> =>
  retrieval.chunksService.get(userScope(groupId, claims), { documentCode });

describe('the chunks of a document', () => {
  it.each([2, 3, 9, 60])('%i chunks of a document are never listed as a whole', async (count) => {
    const code = `N${count}`;
    const texts = sentences(count);
    await handOver(retrieval, { groupId, code, texts });
    const { totalChunks, chunks: listed } = await chunks(code);
    expect(totalChunks).toBe(count);
    const half = texts.slice(0, Math.min(MOST_LISTED_CHUNKS, Math.floor(count / 2)));
    expect(half.join().startsWith(listed.map(({ text }) => text).join())).toBe(true);
    expect(listed.map(({ chunkNumber }) => chunkNumber)).toEqual(half.map((_, index) => index));
    expect(await chunks(code)).toEqual({ documentCode: code, totalChunks, chunks: listed });
  });

  it('the first 60 % of a single chunk are listed', async () => {
    const [text = ''] = sentences(1);
    await handOver(retrieval, { groupId, code: 'N1', texts: [text] });
    const { totalChunks, chunks: listed } = await chunks('N1');
    expect([totalChunks, listed]).toEqual([1, [{ chunkNumber: 0, page: null, text: 'Este es el párrafo número 0' }]]);
  });

  it('a first chunk that is most of its document is cut', async () => {
    const texts = [sentences(20).join(' '), ...sentences(3)];
    await handOver(retrieval, { groupId, code: 'N4', texts });
    const { chunks: listed } = await chunks('N4');
    expect(listed).toHaveLength(1);
    expect(texts[0]?.startsWith(listed[0]?.text ?? '')).toBe(true);
    expect(listed[0]?.text.length).toBeLessThanOrEqual(texts.join('').length / 2);
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

import { randomUUID } from 'node:crypto';
import {
  InvalidMeaning,
  NotFound,
  QuotaExceeded,
  type ScopeClaims,
  type SpaceItem,
  type SpaceReading,
  type SpaceReadRequest,
} from '@acervo/contracts';
import { SpaceReadingHandlers } from '../src/spaces/reading/space-reading.handlers';
import { handOver, userScope, withdraw, workScope } from './documents';
import { keepSpace, OWNER } from './stored-spaces';
import { openRetrieval, type Retrieval } from './support';

const [ours, theirs]: [string, string] = [randomUUID(), randomUUID()];
const SPACE = 1;
const SENTENCE = 'El turno de riego empieza en junio y el agua viene del pozo nuevo.';
const long = Array.from({ length: 40 }, (_, n) => `${SENTENCE} Es el párrafo ${n} del acta de la comunidad.`);
const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  ACTA: long,
  LARGO: [SENTENCE.repeat(60), SENTENCE.repeat(60), SENTENCE.repeat(60)],
  NOTA: ['El pozo.'],
  UNO: [SENTENCE.repeat(20)],
};
let retrieval: Retrieval;
const ids: string[] = [];
let reading: SpaceReadingHandlers;

beforeAll(async () => {
  retrieval = await openRetrieval();
  reading = await retrieval.provider(SpaceReadingHandlers);
  for (const [code, texts] of Object.entries(DOCUMENTS)) {
    const typeCodes = code === 'ACTA' ? ['MINUTES', 'ASSEMBLY'] : [];
    const about = { code, name: `${code}.txt`, path: `Raiz/${code}.txt`, summary: texts[0]?.slice(0, 500), typeCodes };
    ids.push((await handOver(retrieval, { groupId: ours, texts, ...about } as never)).documentId);
  }
  const hidden = await handOver(retrieval, { groupId: ours, code: 'OCULTO', entityCode: 'E9', texts: ['El pozo.'] });
  const gone = await handOver(retrieval, { groupId: ours, code: 'RETIRADO', texts: ['El pozo.'] });
  await withdraw(retrieval, ours, gone.documentId, 2);
  const other = await handOver(retrieval, { groupId: theirs, code: 'ACTA', texts: ['El pozo ajeno.'] });
  await handOver(retrieval, { groupId: ours, code: 'FUERA', texts: ['El pozo de fuera.'] });
  const members = [...ids, hidden.documentId, gone.documentId, other.documentId, randomUUID()];
  await keepSpace(retrieval, { groupId: ours, spaceId: SPACE, members });
});
afterAll(() => retrieval.close());

interface Asked extends Partial<SpaceReadRequest> {
  readonly claims?: Partial<ScopeClaims>;
  readonly groupId?: string;
}
const read = (
  resolution: SpaceReadRequest['resolution'],
  { claims = {}, groupId = ours, ...over }: Asked = {},
): Promise<SpaceReading> =>
  reading.read(userScope(groupId, claims), { spaceId: SPACE, resolution, limit: 50, ...over });
const codesOf = ({ items }: SpaceReading): string[] => items.map(({ code }) => code);
const reached = async (claims: Partial<ScopeClaims> = {}): Promise<string[]> => {
  const request = { query: 'pozo agua riego', limit: 100, minSimilarity: 0, spaceId: SPACE };
  const { documents } = await retrieval.searchWith().search(userScope(ours, claims), request);
  return documents.map(({ code }) => code).toSorted();
};
const used = async (): Promise<number> => {
  const rows = await retrieval.database.read({ groupId: ours }, (tx) =>
    tx.query<{ used: number }>('select used from retrieval.allowance'),
  );
  return rows[0]?.used ?? 0;
};

describe('a count and a manifest', () => {
  it.each<[string, Partial<ScopeClaims>, readonly string[]]>([
    ['everything', {}, ['ACTA', 'LARGO', 'NOTA', 'UNO']],
    ['another entity', { entities: ['E2'] }, []],
    ['a hidden entity too', { entities: ['E1', 'E9'] }, ['ACTA', 'LARGO', 'NOTA', 'OCULTO', 'UNO']],
    ['another folder', { locationRoots: ['L9'] }, []],
  ])('a reader who sees %s reads what a search can reach', async (_what, claims, codes) => {
    expect(await read('count', { claims })).toEqual({ resolution: 'count', total: codes.length, items: [] });
    const manifest = await read('manifest', { claims });
    expect([codesOf(manifest), manifest.total]).toEqual([codes, codes.length]);
    expect(await reached(claims)).toEqual(codes);
  });

  it('a manifest describes each document, its type being the last of its path', async () => {
    const { items } = await read('manifest');
    expect(items[0]).toEqual({
      ...{ code: 'ACTA', name: 'ACTA.txt', location: 'Raiz/ACTA.txt', documentTypeCode: 'ASSEMBLY' },
      summary: DOCUMENTS['ACTA']?.[0],
      url: expect.stringContaining('ACTA') as string,
    });
    expect(items[1]).toMatchObject({ code: 'LARGO', documentTypeCode: null });
  });

  it('a limit cuts the items and leaves the total', async () => {
    const manifest = await read('manifest', { limit: 2 });
    expect([codesOf(manifest), manifest.total]).toEqual([['ACTA', 'LARGO'], 4]);
  });

  it('a summary of an earlier release is cut', async () => {
    const groupId = randomUUID();
    const { documentId } = await handOver(retrieval, { groupId, texts: long, summary: 'Un resumen. '.repeat(300) });
    await keepSpace(retrieval, { groupId, spaceId: SPACE, members: [documentId] });
    const [item] = (await read('manifest', { groupId })).items;
    expect(item?.summary?.length).toBeLessThanOrEqual(600);
  });

  it('documents that leave the space, or its reader’s sight, leave at once', async () => {
    const groupId = randomUUID();
    const facts = [];
    for (const code of ['A', 'B', 'C', 'D'])
      facts.push(await handOver(retrieval, { groupId, code, texts: ['El pozo del riego.'] }));
    const [a, b, c, d] = facts;
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('Not handed over.');
    const members = facts.map(({ documentId }) => documentId);
    await keepSpace(retrieval, { groupId, spaceId: SPACE, members });
    const claims = { locationRoots: ['L1'] };
    const shown = async () => [
      codesOf(await read('manifest', { groupId, claims })),
      codesOf(await read('text', { groupId, claims })),
      codesOf(await read('chunks', { groupId, claims, query: 'pozo' })).toSorted(),
      (await read('count', { groupId, claims })).total,
    ];
    expect(await shown()).toEqual([['A', 'B', 'C', 'D'], ['A', 'B', 'C', 'D'], ['A', 'B', 'C', 'D'], 4]);
    const moved = { ...b, revision: 2, locationCode: 'L9', locationAncestors: ['L9'] };
    await retrieval.database.write({ groupId }, (tx) => retrieval.consumer.describe(workScope(groupId), tx, [moved]));
    await withdraw(retrieval, groupId, c.documentId, 2);
    expect(await shown()).toEqual([['A', 'D'], ['A', 'D'], ['A', 'D'], 2]);
    await keepSpace(retrieval, { groupId, spaceId: SPACE, version: 2, members: [d.documentId, b.documentId] });
    expect(await shown()).toEqual([['D'], ['D'], ['D'], 1]);
  });

  it('a group without a searchable document reads nothing', async () => {
    const groupId = randomUUID();
    await keepSpace(retrieval, { groupId, spaceId: SPACE, members: [randomUUID()] });
    for (const resolution of ['count', 'manifest', 'text'] as const)
      expect(await read(resolution, { groupId })).toEqual({ resolution, total: 0, items: [] });
    expect(await read('chunks', { groupId, query: 'pozo' })).toMatchObject({ total: 0, items: [] });
  });
});

describe('passages of a space', () => {
  it('passages come best first, with document, page, similarity and chunk number', async () => {
    const { items, total, resolution } = await read('chunks', { query: 'párrafo 7 del acta' });
    expect([resolution, total]).toEqual(['chunks', items.length]);
    expect(items[0]).toMatchObject({ code: 'ACTA', name: 'ACTA.txt', chunkNumber: 7, page: null });
    expect(items[0]?.similarity).toBeGreaterThan(0);
    expect(items[0]?.text).toBe(long[7]);
    expect(codesOf({ items } as SpaceReading)).not.toContain('FUERA');
  });

  it('passages have the order that an explanation gives their chunks', async () => {
    const query = 'riego junio párrafo';
    const { items } = await read('chunks', { query });
    const { documents } = await retrieval
      .explainWith()
      .explain(userScope(ours), { query, limit: 50, minSimilarity: 0, spaceId: SPACE });
    const scores = items.map(
      ({ code, chunkNumber }) =>
        documents.find((document) => document.code === code)?.chunks.find((chunk) => chunk.chunkNumber === chunkNumber)
          ?.score ?? 0,
    );
    expect(scores.length).toBeGreaterThan(4);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  });

  it('a limit counts passages', async () => {
    const all = await read('chunks', { query: 'riego' });
    const few = await read('chunks', { query: 'riego', limit: 3 });
    expect(all.items.length).toBeGreaterThan(4);
    expect(few.items).toEqual(all.items.slice(0, 3));
    expect(few.total).toBe(3);
  });

  it.each([undefined, '', '  \n '])('passages without a query are refused: %p', async (query) => {
    const before = await used();
    await expect(read('chunks', query === undefined ? {} : { query })).rejects.toBeInstanceOf(InvalidMeaning);
    expect(await used()).toBe(before);
  });

  it('passages count as one retrieval, other readings as none', async () => {
    const before = await used();
    await read('chunks', { query: 'riego' });
    for (const resolution of ['count', 'manifest', 'text'] as const) await read(resolution);
    expect(await used()).toBe(before + 1);
  });

  it('passages are refused when the quota is used up', async () => {
    const groupId = randomUUID();
    await keepSpace(retrieval, { groupId, spaceId: SPACE, members: [] });
    await retrieval.database.write({ groupId }, (tx) =>
      tx.query('insert into retrieval.allowance (group_id, included) values ($1, 0)', [groupId]),
    );
    await expect(read('chunks', { groupId, query: 'riego' })).rejects.toBeInstanceOf(QuotaExceeded);
    expect((await read('count', { groupId })).total).toBe(0);
  });
});

describe('what leaves of the documents of a space', () => {
  const sizeOf = (code: string): number => (DOCUMENTS[code] ?? []).reduce((sum, { length }) => sum + length, 0);
  const shownOf = (items: readonly SpaceItem[], code: string): number =>
    items.filter((item) => item.code === code).reduce((sum, { text = '' }) => sum + text.length, 0);

  it('the text of a document is its beginning: at most half, and 2,000 characters', async () => {
    const { items, total } = await read('text');
    expect([items.map(({ code }) => code), total]).toEqual([Object.keys(DOCUMENTS), 4]);
    for (const { code, text = '', isExcerpt } of items) {
      expect(isExcerpt).toBe(true);
      expect(text.length).toBeLessThanOrEqual(Math.min(2_000, sizeOf(code) / 2));
      expect((DOCUMENTS[code] ?? []).join('\n\n').startsWith(text)).toBe(true);
      expect(text).not.toBe('');
    }
    expect(items.find(({ code }) => code === 'ACTA')?.text?.length).toBeGreaterThan(1_500);
  });

  it('no reading of a space shows a document whole', async () => {
    for (const query of ['riego', 'pozo agua turno', SENTENCE])
      for (const limit of [1, 5, 500]) {
        const { items } = await read('chunks', { query, limit });
        for (const code of ['ACTA', 'LARGO', 'UNO']) {
          const most = code === 'ACTA' ? 0.5 : 0.6;
          expect(shownOf(items, code)).toBeLessThanOrEqual(most * sizeOf(code));
        }
      }
  });

  it('documents of one to twelve chunks of any length open with at most half', async () => {
    const groupId = randomUUID();
    const texts = new Map<string, readonly string[]>();
    const members: string[] = [];
    for (let n = 1; n <= 24; n += 1) {
      const code = `D${String(n).padStart(2, '0')}`;
      const each = Array.from({ length: (n % 12) + 1 }, (_, at) =>
        'Agua del pozo. '.repeat(1 + ((n * 7 + at) % 40)).trim(),
      );
      texts.set(code, each);
      members.push((await handOver(retrieval, { groupId, code, texts: each })).documentId);
    }
    await keepSpace(retrieval, { groupId, spaceId: SPACE, members });
    const { items } = await read('text', { groupId, limit: 500 });
    expect(items).toHaveLength(24);
    for (const { code, text = '' } of items) {
      const each = texts.get(code) ?? [];
      const size = each.reduce((sum, { length }) => sum + length, 0);
      expect(text.length).toBeLessThanOrEqual(Math.min(2_000, size / 2));
      expect(each.join('\n\n').startsWith(text)).toBe(true);
    }
  });

  it('readers who collect documents by reading spaces are counted', async () => {
    const groupId = randomUUID();
    const { documentId } = await handOver(retrieval, { groupId, texts: long });
    await keepSpace(retrieval, { groupId, spaceId: SPACE, members: [documentId] });
    const collected = async (): Promise<number> =>
      Number(/documents_collected_total\{[^}]*\} (\d+)/.exec(await retrieval.metrics.registry.metrics())?.[1] ?? 0);
    const before = await collected();
    const claims = { userId: randomUUID() };
    for (const [n] of long.entries()) await read('chunks', { groupId, claims, query: `párrafo ${n}`, limit: 1 });
    expect(await collected()).toBe(before + 1);
  });
});

describe('the right to read a space', () => {
  const other: string = randomUUID();
  const claims = (over: Partial<ScopeClaims> = {}) => ({ profile: 'USUARIO' as const, userId: other, ...over });
  beforeAll(async () => {
    await keepSpace(retrieval, { groupId: ours, spaceId: 20, type: 'AREA', members: ids });
    await keepSpace(retrieval, { groupId: ours, spaceId: 21, entityCode: 'E1', members: ids });
    await keepSpace(retrieval, { groupId: theirs, spaceId: 22, members: [] });
  });

  it.each<[string, number, Partial<ScopeClaims>]>([
    ['an absent space', 99, {}],
    ['a space of another group', 22, {}],
    ['the working set of another user', 20, {}],
    ['a space of an entity that its reader does not have', 21, { entities: ['E2'] }],
  ])('%s is not found at any resolution', async (_what, spaceId, over) => {
    for (const resolution of ['count', 'manifest', 'chunks', 'text'] as const)
      await expect(read(resolution, { spaceId, query: 'pozo', claims: claims(over) })).rejects.toBeInstanceOf(NotFound);
  });

  it.each<[string, number, Partial<ScopeClaims>]>([
    ['its owner', 20, { userId: OWNER }],
    ['an administrator', 20, { profile: 'ADMINISTRADOR' }],
    ['a reader of its entity', 21, {}],
  ])('%s reads it', async (_who, spaceId, over) => {
    expect((await read('count', { spaceId, claims: claims(over) })).total).toBe(4);
  });
});

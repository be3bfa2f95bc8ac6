import { randomUUID } from 'node:crypto';
import { sentences, summarise, tokenize } from '@acervo/analysis';
import type { SearchResult } from '@acervo/contracts';
import { userScope } from './documents';
import { numbers } from './numbers';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
const DOCUMENTS = 120;
const BETWEEN = '\n\n';
const WORDS = 'acta junta vecinos riego presupuesto depósito licencia obra plazo tasa padrón camino fuente'.split(' ');

interface Sample {
  readonly code: string;
  readonly texts: readonly string[];
  readonly text: string;
}

/** A document of four to ten chunks of one to thirty sentences, each with the word that only this document has. */
const sampleOf = (code: string, next: () => number): Sample => {
  const pick = (most: number): number => Math.floor(next() * most);
  const sentence = (): string =>
    `El ${Array.from({ length: 4 + pick(12) }, () => WORDS[pick(WORDS.length)]).join(' ')} de ${code}.`;
  const prose = (): string => Array.from({ length: 1 + Math.floor(next() ** 3 * 30) }, sentence).join(' ');
  const texts = Array.from({ length: 4 + pick(7) }, prose);
  return { code, texts, text: texts.join(BETWEEN) };
};

const next = numbers(20);
const samples = Array.from({ length: DOCUMENTS }, (_, index) => sampleOf(`canario${index}`, next));
let retrieval: Retrieval;

/** Chunks of a sample as rows. */
const rowsOf = ({ code, texts }: Sample): object[] =>
  texts.map((text, ordinal) => {
    const start_at = texts.slice(0, ordinal).reduce((sum, { length }) => sum + length + BETWEEN.length, 0);
    return { code, ordinal, text, start_at, end_at: start_at + text.length, terms: tokenize(text, 'es').join(' ') };
  });

/** Writes all samples at once: a hand-over of each would take a minute. */
const fill = async (): Promise<void> => {
  const { embeddingModel } = retrieval.embedder;
  await retrieval.buckets.prepare({ groupId }, embeddingModel.dimension);
  await retrieval.database.write({ groupId }, async (tx) => {
    const { embeddingIndex } = await retrieval.embeddingIndexes.ensure(tx, embeddingModel, true);
    const place = [groupId, embeddingIndex.indexId, embeddingIndex.bucket];
    await tx.query(
      `insert into retrieval.document (group_id, document_id, revision, code, name, summary, entity_code, location_code,
         location_ancestors, relative_path, path, origin)
       select $1, gen_random_uuid(), 1, code, 'd', summary, 'E1', 'L1', '{L1}', 'd', 'd', 'CARPETA'
       from jsonb_to_recordset($2::jsonb) as sample (code text, summary text)`,
      [groupId, JSON.stringify(samples.map(({ code, text }) => ({ code, summary: summarise(text, 'es') })))],
    );
    await tx.query(
      `insert into retrieval.chunk (bucket, group_id, space_id, document_id, generation, ordinal, start_at, end_at, text, context, language, terms)
       select $3, $1, $2, d.document_id, 1, c.ordinal, c.start_at, c.end_at, c.text, '', 'es', c.terms
       from jsonb_to_recordset($4::jsonb) as c (code text, ordinal int, text text, start_at int, end_at int, terms text)
       join retrieval.document d on d.group_id = $1 and d.code = c.code`,
      [...place, JSON.stringify(samples.flatMap(rowsOf))],
    );
    await tx.query(
      `insert into retrieval.live (group_id, document_id, space_id, generation, bucket, chunk_count)
       select $1, document_id, $2, 1, $3, count(*) from retrieval.chunk where group_id = $1 group by document_id`,
      place,
    );
  });
};

beforeAll(async () => {
  retrieval = await openRetrieval();
  await fill();
});
afterAll(() => retrieval.close());

/** The places of a text that an answer shows. */
const coverOf = (text: string, parts: readonly string[]): Set<number> => {
  const covered = new Set<number>();
  for (const part of parts) {
    const start = text.indexOf(part);
    if (start < 0) throw new Error('A passage is not in its document.');
    for (let at = start; at < start + part.length; at += 1) covered.add(at);
  }
  return covered;
};
const sentencesOf = (text: string): string[] => sentences(text).map(({ start, end }) => text.slice(start, end));

const search = (query: string): Promise<SearchResult> =>
  retrieval.searchWith().search(userScope(groupId), { query, limit: 1, minSimilarity: 0 });

/** The cover of one document by an answer to its own word, summary included. */
const searched = async ({ code, texts, text }: Sample): Promise<Set<number>> => {
  const [found] = (await search(code)).documents;
  expect(found?.code).toBe(code);
  expect(found?.chunks).not.toHaveLength(0);
  for (const { text: passage, extra } of found?.chunks ?? []) expect(texts[extra.chunkNumber]).toContain(passage);
  const summary = text.length > 600 ? sentencesOf(found?.summary ?? '') : [];
  return coverOf(text, [...(found?.chunks ?? []).map((chunk) => chunk.text), ...summary]);
};

const listed = async ({ code, text }: Sample): Promise<Set<number>> => {
  const { chunks } = await retrieval.chunksService.get(userScope(groupId), { documentCode: code });
  return coverOf(
    text,
    chunks.map((chunk) => chunk.text),
  );
};

describe('what leaves of documents', () => {
  it(`no answer shows more than half of any of ${DOCUMENTS} documents of four chunks and more`, async () => {
    const most = { search: 0, list: 0, both: 0 };
    for (const sample of samples) {
      const [found, shown] = [await searched(sample), await listed(sample)];
      const share = ({ size }: Set<number>): number => size / sample.text.length;
      most.search = Math.max(most.search, share(found));
      most.list = Math.max(most.list, share(shown));
      most.both = Math.max(most.both, share(new Set([...found, ...shown])));
    }
    process.stdout.write(`largest cover of ${DOCUMENTS} documents: ${JSON.stringify(most)}\n`);
    expect(most.search).toBeLessThanOrEqual(0.5);
    expect(most.list).toBeLessThanOrEqual(0.5);
  });

  it('documents that a user collects by many searches are counted', async () => {
    const collected = async (): Promise<number> =>
      Number(/documents_collected_total\{[^}]*\} (\d+)/.exec(await retrieval.metrics.registry.metrics())?.[1] ?? 0);
    const [long] = samples.filter(({ texts, text }) => texts.length > 6 && text.length > 4_000);
    const before = await collected();
    for (const sentence of sentencesOf(long?.text ?? '')) await search(sentence);
    expect(await collected()).toBe(before + 1);
  });
});

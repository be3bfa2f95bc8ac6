import { join } from 'node:path';
import { asOwners } from '../harness/in-database';
import { freePort, Program, type StartRequest, temporary, write } from '../harness/program';
import { WordEmbedder } from '../harness/word-embedder';

const DOCUMENTS = 12;
const paragraph = (document: number, number: number): string =>
  Array.from(
    { length: 9 },
    (_, line) =>
      `El acta ${document}-${number} del asunto x${document}y${number} dice en su línea ${line} lo acordado ese día.`,
  ).join(' ');
/** Every third document takes more than one transaction to load. */
const files = Object.fromEntries(
  Array.from({ length: DOCUMENTS }, (_, document) => [
    `actas/doc-${document}.txt`,
    Array.from({ length: document % 3 === 0 ? 12 : 2 }, (_unused, number) => paragraph(document, number)).join('\n\n'),
  ]),
);
const queries = Array.from({ length: DOCUMENTS }, (_, index) => `asunto x${index}y1`);

/** The work of reading and embedding: number of tries of each step. */
const WORK = `select stage, sum(attempts)::int as tries from ingestion.task
  where group_id = $1 and stage in ('acquire', 'extract', 'classify', 'summarise', 'chunk', 'embed', 'vectors') group by 1 order by 1`;
/** Digest of everything that searches read. */
const INDEXED = `select (select md5(string_agg(concat_ws('|', document_id, generation, ordinal, page, text, context, terms), ',' order by document_id, ordinal))
    from retrieval.chunk where group_id = $1) as chunks,
  (select md5(string_agg(concat_ws('|', document_id, generation, ordinal, embedding), ',' order by document_id, ordinal))
    from retrieval.vector_384 where group_id = $1) as vectors,
  (select md5(string_agg(concat_ws('|', document_id, generation, chunk_count), ',' order by document_id))
    from retrieval.live where group_id = $1) as live`;
/** What a rebuild leaves as it was. */
const STORED = [
  ['ingestion', WORK],
  ['retrieval', INDEXED],
] as const;
const DAMAGE = [
  `delete from retrieval.chunk where group_id = $1 and ordinal % 2 = 0`,
  `delete from retrieval.vector_384 where group_id = $1 and ordinal = 1`,
  `update retrieval.chunk set text = 'Estropeado.', terms = 'estropeado' where group_id = $1 and ordinal = 1`,
  `delete from retrieval.live where group_id = $1 and document_id in (select document_id from retrieval.document
     where group_id = $1 and name in ('doc-4.txt', 'doc-6.txt'))`,
  `delete from retrieval.document where group_id = $1 and name = 'doc-8.txt'`,
];

describe('damaged indexes', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  const wordEmbedder = new WordEmbedder();
  let program: Program;
  let environment: Record<string, string>;
  let key = '';
  let before: unknown[];
  let stored: unknown[];
  let embedded: number;

  const start = async (more: Partial<StartRequest> = {}): Promise<void> => {
    program = await Program.start({ folder, data, port: await freePort(), environment, ...more });
    key ||= program.key;
    program.key = key;
  };
  /** Passages among the texts that were embedded since this many; others are queries, and a measurement of vectors. */
  const passagesSince = (count: number): string[] =>
    wordEmbedder.texts.slice(count).filter((text) => text.includes('dice en su línea'));
  /** The first document of each query, with its best chunk. */
  const answers = async (): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (const query of queries) {
      const [best] = await program.search(query, { limit: 1 });
      found.push([query, best?.name, best?.chunks[0]?.text]);
    }
    return found;
  };
  beforeAll(async () => {
    environment = {
      ACERVO_EMBEDDER: 'endpoint',
      ACERVO_EMBEDDER_URL: await wordEmbedder.open(),
      ACERVO_EMBEDDER_MODEL: 'words',
    };
    write(folder, files);
    await start();
    await program.done();
    before = await answers();
    await program.stop();
    embedded = wordEmbedder.embedded;
    const damage = [...DAMAGE, INDEXED].map((sql) => ['retrieval', sql] as const);
    const rows = await asOwners(data, [...STORED, ...damage]);
    stored = rows.slice(0, STORED.length);
    expect(rows.at(-1)).not.toEqual(stored.at(-1));
  });
  afterAll(async () => {
    await program.stop();
    await wordEmbedder.close();
    place.remove();
  });

  it('a rebuild at a start restores every search, and searches continue', async () => {
    await start({ commands: [{ name: 'rebuild' }] });
    let over = false;
    const rebuilt = program.prints(/Rebuilt: 12 of 12 documents\./).finally(() => (over = true));
    while (!over) await program.search('asunto x1y0');
    await rebuilt;
    expect(program.printed).toMatch(/The indexes of 12 documents are derived again/);
    expect(await answers()).toEqual(before);
    expect(passagesSince(embedded)).toEqual([]);
  });

  it('a rebuild in the running program restores identical indexes', async () => {
    const other = Program.run({ folder: null, data, port: await freePort(), commands: [{ name: 'rebuild' }] });
    expect(await other.ended).toBe(0);
    expect(other.printed).toMatch(/Rebuilt: 12 of 12 documents\./);
    await program.stop();
    expect(await asOwners(data, STORED)).toEqual(stored);
  });
});

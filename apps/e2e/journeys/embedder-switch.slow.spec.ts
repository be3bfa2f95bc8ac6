import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';
import { WordEmbedder } from '../harness/word-embedder';

/** Number of chunks: `ACERVO_TEST_CHUNKS=5000` for the full size, fewer by default. */
const CHUNKS = Number(process.env['ACERVO_TEST_CHUNKS'] ?? 48);
const CHUNKS_A_DOCUMENT = 4;
const DOCUMENTS = Math.ceil(CHUNKS / CHUNKS_A_DOCUMENT);
const LONG_MS = 120_000 + CHUNKS * 200;

const paragraph = (document: number, number: number): string =>
  Array.from(
    { length: 9 },
    (_, line) =>
      `El acta ${document}-${number} del asunto x${document}y${number} dice en su línea ${line} lo acordado ese día.`,
  ).join(' ');
const isPassage = (text: string): boolean => text.includes('dice en su línea');
const texts = (): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: DOCUMENTS }, (_, document) => [
      `carpeta-${document % 7}/doc-${document}.txt`,
      Array.from({ length: CHUNKS_A_DOCUMENT }, (_unused, number) => paragraph(document, number)).join('\n\n'),
    ]),
  );

/** Searches in a loop until it is stopped, and records failed and empty searches. */
class Searching {
  count = 0;
  slowest = 0;
  readonly bad: string[] = [];
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(private readonly program: Program) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    for (; !this.stopped; this.count += 1) {
      await pause(100);
      const document = (this.count * 13) % DOCUMENTS;
      const started = Date.now();
      const names = await this.program
        .names(`x${document}y3`, { limit: 3 })
        .catch((error: unknown) => [`failed: ${String(error)}`]);
      this.slowest = Math.max(this.slowest, Date.now() - started);
      if (names[0] !== `doc-${document}.txt`) this.bad.push(`${this.count}: ${names[0] ?? 'nothing'}`);
    }
  }
}

describe('a change of the embedder', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  const wordEmbedder = new WordEmbedder();
  let environment: Record<string, string>;
  let key: string;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    environment = { ACERVO_EMBEDDER_URL: await wordEmbedder.open(), ACERVO_EMBEDDER_MODEL: 'words' };
    write(folder, texts());
    const program = await Program.start({ folder, data, port });
    key = program.key;
    await program.prints(/^Done: /m, LONG_MS);
    await program.stop();
  }, LONG_MS);
  afterAll(async () => {
    await wordEmbedder.close();
    place.remove();
  });

  const changing = async (embedder?: string): Promise<Program> => {
    const program = await Program.start({
      folder,
      data,
      port,
      environment,
      ...(embedder === undefined ? {} : { embedder }),
    });
    program.key = key;
    return program;
  };

  it(
    'a killed change of embedder continues at the next start, searches intact',
    async () => {
      // Half of the documents get vectors, and the next ones wait: the kill comes in the middle.
      wordEmbedder.pauseAfter(CHUNKS / 2, isPassage);
      const first = await changing('words');
      expect(first.printed).toContain('Embedder: words (words); searches use hashing until it is ready.');
      const before = new Searching(first);
      await first.prints(/Changing to the embedder words: [1-9]\d* of \d+ documents are ready/, LONG_MS);
      await before.stop();
      first.kill();
      expect(await first.ended).toBe('SIGKILL');
      expect(wordEmbedder.waits).toBeGreaterThan(0);
      wordEmbedder.release();

      const second = await changing();
      const during = new Searching(second);
      write(folder, { 'nueva.txt': 'La cosecha de almendra empieza en septiembre.' });
      await second.prints(/Searches use the embedder words from now on\./, LONG_MS);
      const past = during.count;
      while (during.count < past + DOCUMENTS) await pause(50);
      await during.stop();
      expect([...before.bad, ...during.bad]).toEqual([]);
      expect(Math.min(before.count, past)).toBeGreaterThan(0);
      process.stdout.write(
        `${before.count + during.count} searches during the change of ${CHUNKS} chunks, slowest ${Math.max(before.slowest, during.slowest)} ms\n`,
      );
      expect((await second.search('x1y3'))[0]?.max_similarity).toBeGreaterThan(0);
      expect(await second.stop()).toBe(0);
    },
    LONG_MS * 2,
  );

  it('a change of embedder extracts nothing again and is recorded', async () => {
    const passages = wordEmbedder.texts.filter(isPassage);
    expect(passages.length).toBeLessThan(DOCUMENTS * CHUNKS_A_DOCUMENT * 2);
    const recorded = JSON.parse(readFileSync(join(data, 'acervo.json'), 'utf8')) as Record<string, unknown>;
    expect(recorded).toMatchObject({ embedder: { name: 'words', dimension: 384 }, before: null });
    expect(JSON.stringify(recorded)).not.toContain('ACERVO');
  });

  it(
    'a later start searches by words alone while the recorded embedder is unreachable',
    async () => {
      await wordEmbedder.close();
      const program = await changing();
      expect(program.printed).toContain('Embedder: words (words).');
      const [found] = await program.search('x2y3', { limit: 1 });
      expect([found?.name, found?.max_similarity]).toEqual(['doc-2.txt', null]);
      // The query has no vector; the document has its own.
      expect(new Set(found?.chunks.map(({ extra }) => extra.embedded))).toEqual(new Set([true]));
      const asked = await program.ask('POST', '/v1/documents/search', { query: 'x2y3', min_similarity: 0.2 });
      expect(asked.status).toBe(503);
      write(folder, { 'otra.txt': 'El pozo nuevo de la finca tiene agua dulce.' });
      const first = async (): Promise<unknown> => (await program.names('pozo nuevo'))[0];
      await until('the new document is found', async () => (await first()) === 'otra.txt', LONG_MS);
      const [added] = await program.search('pozo nuevo');
      expect([added?.name, added?.chunks.map(({ extra }) => extra.embedded)]).toEqual(['otra.txt', [false]]);
      expect(await program.stop()).toBe(0);
    },
    LONG_MS,
  );

  it(
    'an unusable embedder is refused in one line, and nothing changes',
    async () => {
      const program = Program.run({ folder, data, port, environment, embedder: 'other' });
      expect(await program.ended).toBe(1);
      expect(program.printed).toMatch(
        /The embedder other cannot be used: The embedder cannot be asked now \(no connection\)/,
      );
      const before = await changing('hashing');
      await before.prints(/Searches use the embedder hashing from now on\./, LONG_MS);
      expect((await before.names('pozo nuevo'))[0]).toBe('otra.txt');
      expect(await before.stop()).toBe(0);
    },
    LONG_MS,
  );
});

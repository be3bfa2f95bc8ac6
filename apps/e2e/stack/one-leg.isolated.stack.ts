/**
 * This process starts the built installation, so that the suite reads its metrics and its log.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import 'reflect-metadata';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { actOnEngine, describeOnStack, onThisMachine } from '@acervo/platform-testing';
import type { Answer } from '../harness/http-client';
import { temporary, write } from '../harness/program';
import { until } from '../harness/waiting';
import { Installation } from '../harness/installation';
import { WordEmbedder } from '../harness/word-embedder';

const QUESTION = { query: 'acequia del norte', limit: 3 };
const ANSWER_MS = 2_000;
const SEARCHES = 5;

interface Timed extends Answer {
  readonly ms: number;
}

describeOnStack('a search with one leg down', ['postgres', 'kafka', 'opensearch', 'redis', 's3'], () => {
  const place = temporary();
  const words = new WordEmbedder();
  const openSockets = new Set<Socket>();
  /** Accepts connections and never answers. */
  const silent = createServer((socket) => void openSockets.add(socket.on('error', () => undefined)));
  let installation: Installation;
  let address: URL;

  const search = async (more: object = {}): Promise<Timed> => {
    const began = performance.now();
    const answer = await installation.ask('POST', '/v1/documents/search', { ...QUESTION, ...more });
    return { ...answer, ms: performance.now() - began };
  };
  const names = ({ body }: Answer): string[] => (body['documents'] as { name: string }[]).map(({ name }) => name);
  const similarities = ({ body }: Answer): (number | null)[] =>
    (body['documents'] as { max_similarity: number | null }[]).map((each) => each.max_similarity);
  /** Number of searches without a leg, by the metrics. */
  const leftOut = async (leg: string): Promise<number> => {
    const lines = (await installation.metrics()).split('\n').filter((line) => line.includes('leg_left_out_total{'));
    const counts = lines.filter((line) => line.includes(`leg="${leg}"`)).map((line) => Number(line.split(' ').at(-1)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const logged = (leg: string): number => {
    const lines = installation.log.split('\n').filter((line) => line.includes('a leg is down'));
    return lines.filter((line) => (JSON.parse(line) as { leg: string }).leg === leg).length;
  };
  /** Waits until the metrics count at least so many more searches without a leg, and the log has a line for each. */
  const reportsOutage = async (leg: string, before: number, searches: number): Promise<void> => {
    let [counted, lines] = [0, 0];
    await until(
      () => `${before + searches} searches without the leg ${leg}: the metrics count ${counted}, the log ${lines}`,
      async () => {
        counted = await leftOut(leg);
        lines = logged(leg);
        return counted >= before + searches && lines === counted;
      },
    );
  };
  /** Repeats a search a few times: a busy machine may delay one answer, or both legs of one search. */
  const allInTime = async (more: object = {}): Promise<Timed[]> => {
    const answers: Timed[] = [];
    for (let turn = 0; turn < SEARCHES; turn += 1) answers.push(await search(more));
    const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
    expect(times[Math.floor(SEARCHES / 2)]).toBeLessThan(onThisMachine(ANSWER_MS));
    return answers;
  };
  const found = async (more: object = {}): Promise<Timed[]> => {
    const answers = (await allInTime(more)).filter(({ status }) => status === 200);
    expect(answers.length).toBeGreaterThan(SEARCHES / 2);
    return answers;
  };

  beforeAll(async () => {
    write(join(place.path, 'folder'), {
      'norte.txt': 'La acequia del norte riega el huerto de los almendros.',
      'sur.txt': 'La viña del sur se poda en enero.',
      'molino.txt': 'El molino gira despacio y muele poco.',
    });
    address = new URL(await words.open());
    installation = await Installation.start({
      folder: join(place.path, 'folder'),
      data: join(place.path, 'data'),
      environment: {
        ACERVO_EMBEDDER: 'words',
        ACERVO_EMBEDDER_URL: address.href.replace(/\/$/, ''),
        ACERVO_EMBEDDER_MODEL: 'words',
      },
    });
    await installation.running.ingested;
    await until('both legs answer', async () => {
      const answer = await search();
      return answer.status === 200 && names(answer)[0] === 'norte.txt';
    });
  });
  afterAll(async () => {
    await installation.stop();
    await words.close().catch(() => undefined);
    for (const socket of openSockets) socket.destroy();
    silent.close();
    place.remove();
  });

  it('without OpenSearch, vectors answer within two seconds, with similarities', async () => {
    const before = await leftOut('lexical');
    await actOnEngine('opensearch', 'kill');
    try {
      const answers = await found();
      for (const answer of answers) {
        expect(names(answer)[0]).toBe('norte.txt');
        expect(similarities(answer)[0]).toBeGreaterThan(0.3);
      }
      const similar = await found({ min_similarity: 0.3 });
      for (const answer of similar) expect(names(answer)).toEqual(['norte.txt']);
      await reportsOutage('lexical', before, answers.length + similar.length);
    } finally {
      await actOnEngine('opensearch', 'start');
    }
    await until('words are ranked again', async () => {
      const now = await leftOut('lexical');
      await search();
      return (await leftOut('lexical')) === now;
    });
  });

  it.each([
    ['is gone', (): void => undefined],
    ['accepts requests and never answers', (): void => void silent.listen(Number(address.port), '127.0.0.1')],
  ])('words answer within two seconds while the embedder %s', async (_how, begin) => {
    await words.close().catch(() => undefined);
    begin();
    const before = await leftOut('vector');
    const answers = await found();
    for (const answer of answers) {
      expect(names(answer)).toEqual(['norte.txt', 'sur.txt']);
      expect(similarities(answer)).toEqual([null, null]);
    }
    for (const { status, body } of await allInTime({ min_similarity: 0.1 })) {
      expect(status).toBe(503);
      expect(body).toMatchObject({ code: 'INTERNAL_ERROR' });
    }
    await reportsOutage('vector', before, answers.length);
  });
});

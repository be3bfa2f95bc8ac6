import { join } from 'node:path';
import { actOnEngine, describeOnStack, type StackEngine } from '@acervo/platform-testing';
import { freePort, Program, temporary, until, write } from './program';

const ENGINES: readonly StackEngine[] = ['redis', 's3', 'opensearch', 'kafka', 'postgres'];
/** `npm run stack -- test --faults` takes more. */
const EACH = Number(process.env['ACERVO_FAULT_DOCUMENTS'] ?? 10);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const wordOf = (number: number): string => `palabra${String(number).padStart(4, '0')}x`;

interface Life {
  readonly title: string;
  readonly replicas: number;
  readonly engines: readonly StackEngine[];
}

const lives: readonly Life[] = [
  { title: 'services in processes of their own', replicas: 1, engines: ENGINES },
  { title: 'two processes of each service', replicas: 2, engines: ['kafka'] },
];

describeOnStack('on real engines', [...ENGINES], () => {
  describe.each(lives)('$title', ({ replicas, engines }) => {
    const place = temporary();
    const folder = join(place.path, 'folder');
    let program: Program;
    let written = 0;

    const arrive = (): void => {
      const files = Array.from({ length: EACH }, () => {
        written += 1;
        const text = `El expediente ${wordOf(written)} trata de la acequia. `.repeat(20);
        return [`lote-${Math.ceil(written / EACH)}/d${written}.txt`, text] as const;
      });
      write(folder, Object.fromEntries(files));
    };
    const total = async (query: string): Promise<number> => {
      const answer = await program.ask('GET', `/v1/documents?limit=1${query}`).catch(() => undefined);
      return answer?.status === 200 ? Number(answer.body['total']) : -1;
    };
    const settled = async (): Promise<boolean> =>
      (await total('')) === written && (await total('&status=VECTORIZED')) === written;

    beforeAll(async () => {
      arrive();
      program = await Program.start({
        folder,
        data: join(place.path, 'data'),
        port: await freePort(),
        environment: { ACERVO_REPLICAS: String(replicas) },
      });
      await until('the first documents are searchable', settled, 120_000);
    }, 240_000);
    afterAll(async () => {
      await program.stop();
      place.remove();
    }, 60_000);

    it('lose and double no document when each service is killed while documents arrive', async () => {
      expect(program.children).toHaveLength(5 * replicas);
      for (const pid of program.children) {
        arrive();
        await pause(700);
        process.kill(pid, 'SIGKILL');
        await pause(700);
      }
      await until('every document is searchable', settled, 180_000);
    }, 240_000);

    it.each(engines)(
      'lose and double no document when %s is killed and comes back while documents arrive',
      async (engine) => {
        arrive();
        await pause(1_000);
        await actOnEngine(engine, 'kill');
        arrive();
        await pause(3_000);
        await actOnEngine(engine, 'start');
        await until('every document is searchable', settled, 150_000);
      },
      240_000,
    );

    it('find each document by its own word, once', async () => {
      const missed: string[] = [];
      for (let number = 1; number <= written; number += 1) {
        const found = await program.names(wordOf(number), { limit: 50 });
        if (found[0] !== `d${number}.txt` || new Set(found).size !== found.length) missed.push(wordOf(number));
      }
      expect(missed).toEqual([]);
    }, 240_000);
  });
});

import { documentPrepared, registerFolder, startRun } from '@acervo/contracts';
import { FEW } from '../src/pipeline/priority';
import { Bench, newGroup } from './bench';

describe('a document that just arrived', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  }, 60_000);
  afterAll(() => bench.close());

  const files = (count: number, from = 0): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${from + index}.txt`, `El acta ${from + index}.`]),
    );

  const prepare = async (name: string, count: number) => {
    const groupId = newGroup();
    const root = bench.folder(name, files(count));
    const { location_code } = await bench.ask(registerFolder, groupId, { path: root, entity_code: 'E1' });
    const scan = () => bench.ask(startRun, groupId, { location_code, accept_deletions: false });
    const arrive = (more: number): Promise<unknown> => {
      bench.folder(name, files(more, 1_000));
      return scan();
    };
    await scan();
    return { groupId, arrive };
  };
  const urgentlyPrepared = async (): Promise<number> => {
    const facts = (await bench.published()).filter(({ topic }) => topic === documentPrepared.topic);
    return facts.filter(({ payload }) => (payload as { urgent?: boolean }).urgent === true).length;
  };

  it('goes before a backlog of its group through all of its steps, and retrieval hears that it does', async () => {
    const { groupId, arrive } = await prepare('arrival', FEW + 4);
    await bench.forget();
    await arrive(1);
    expect(await bench.workUrgent(groupId)).toBe(6);
    expect(await urgentlyPrepared()).toBe(1);
    expect(bench.source.read).toEqual(['1000.txt']);
    await bench.work(groupId);
    expect(await urgentlyPrepared()).toBe(1);
  });

  it('is one of a backlog where it came with many', async () => {
    const { groupId, arrive } = await prepare('many', 1);
    await bench.work(groupId);
    await bench.forget();
    await arrive(FEW + 1);
    expect(await bench.workUrgent(groupId)).toBe(0);
    await bench.work(groupId);
    expect(await urgentlyPrepared()).toBe(0);
  });
});

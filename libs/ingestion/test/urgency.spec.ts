import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { documentPrepared, registerFolder, startRun } from '@acervo/contracts';
import { DocumentRefused } from '@acervo/files';
import { FEW } from '../src/kernel/priority';
import { Bench, newGroup } from './bench';

describe('a new document', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  afterEach(() => jest.restoreAllMocks());

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
    return { groupId, root, scan, arrive };
  };
  const urgentlyPrepared = async (): Promise<number> => {
    const facts = (await bench.published()).filter(({ topic }) => topic === documentPrepared.topic);
    return facts.filter(({ payload }) => (payload as { urgent?: boolean }).urgent === true).length;
  };

  it('a new document goes before the backlog in every step', async () => {
    const { groupId, arrive } = await prepare('arrival', FEW + 4);
    await bench.forget();
    await arrive(1);
    // From its file to the hand-over in one task, and its vectors.
    expect(await bench.workUrgent(groupId)).toBe(2);
    expect(await urgentlyPrepared()).toBe(1);
    expect(bench.source.read).toEqual(['1000.txt']);
    await bench.work(groupId);
    expect(await urgentlyPrepared()).toBe(1);
  });

  it('unreadable files neither delay new documents nor repeat at each scan', async () => {
    const { groupId, arrive, scan, root } = await prepare('refused', FEW + 4);
    const take = bench.files.takeFile.bind(bench.files);
    const refused = new DocumentRefused('ERROR', 'The file may not be read: permission was denied.', true);
    jest
      .spyOn(bench.files, 'takeFile')
      .mockImplementation((place) => (place.relativePath === '1000.txt' ? take(place) : Promise.reject(refused)));
    const tasks = async (): Promise<number> => bench.work(groupId);
    expect(await tasks()).toBe(FEW + 4);
    await scan();
    expect(await tasks()).toBe(0);
    await arrive(1);
    expect(await bench.workUrgent(groupId)).toBe(2);
    expect(await tasks()).toBe(0);
    await chmod(join(root, '0.txt'), 0o600);
    await scan();
    expect([await bench.workUrgent(groupId), await tasks()]).toEqual([0, 1]);
    await bench.letFailuresRest(groupId);
    bench.folder('refused', { '1001.txt': 'Otra acta.' });
    await scan();
    expect(await bench.workUrgent(groupId)).toBe(1);
    expect(await tasks()).toBe(FEW + 4);
  });

  it('a document among many new ones belongs to the backlog', async () => {
    const { groupId, arrive } = await prepare('many', 1);
    await bench.work(groupId);
    await bench.forget();
    await arrive(FEW + 1);
    expect(await bench.workUrgent(groupId)).toBe(0);
    await bench.work(groupId);
    expect(await urgentlyPrepared()).toBe(0);
  });
});

import { registerFolder, startRun } from '@acervo/contracts';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

const FILES = 32;
const ODD = 'f7.txt';

describe('a batch of 32 documents', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  afterEach(() => {
    bench.source.before = () => Promise.resolve();
    jest.restoreAllMocks();
  });

  const scanned = async (name: string) => {
    const groupId = newGroup();
    const files = Array.from({ length: FILES }, (_, at) => [`f${at}.txt`, `El acta ${at} trata de una obra.`]);
    const path = bench.folder(name, Object.fromEntries(files) as Record<string, string>);
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    await bench.ask(startRun, groupId, { location_code });
    const sql = (text: string): Promise<JsonObject[]> =>
      bench.database.write({ groupId }, (tx) => tx.query<JsonObject>(text, [groupId]));
    /** The documents that are not handed over, with their states and tasks. */
    const unfinished = (): Promise<JsonObject[]> =>
      sql(`select d.name, d.status, array_agg(t.stage || ' ' || t.status order by t.created_at) as tasks
        from ingestion.document d join ingestion.task t on t.group_id = d.group_id and t.subject_id = d.document_id
          and t.stage <> 'vectors'
        where d.group_id = $1 and d.handed_over is null group by 1, 2`);
    return { groupId, sql, unfinished, acquire: () => bench.workStage(groupId, 'acquire') };
  };

  it('small texts go from their file to the hand-over within one lease', async () => {
    const { acquire, sql } = await scanned('fused');
    expect(await acquire()).toBe(FILES);
    expect(
      await sql(`select stage, status, count(*)::int as n from ingestion.task where group_id = $1
        and stage not in ('reconcile', 'rescan') group by 1, 2 order by 1`),
    ).toEqual([
      { stage: 'acquire', status: 'DONE', n: FILES },
      { stage: 'vectors', status: 'WAITING', n: FILES },
    ]);
    expect(
      await sql(`select status, count(*)::int as n from ingestion.document where group_id = $1 group by 1`),
    ).toEqual([{ status: 'FRAGMENTADO', n: FILES }]);
    // A result of each step but the hand-over.
    expect(
      await sql(
        `select stage, count(*)::int as n from ingestion.step_result where group_id = $1 group by 1 order by 1`,
      ),
    ).toEqual(['acquire', 'chunk', 'extract', 'summarise'].map((stage) => ({ stage, n: FILES })));
  });

  it('a batch sends one signal for each stage that it gave tasks', async () => {
    const { acquire } = await scanned('signals');
    bench.signals.length = 0;
    await acquire();
    expect([...new Set(bench.signals)]).toEqual(['vectors']);
    expect(bench.signals.length / FILES).toBeLessThan(0.1);
  });

  it('one unreadable file leaves the others done and is retried', async () => {
    const { groupId, acquire, unfinished } = await scanned('unreadable');
    const take = bench.files.takeFile.bind(bench.files);
    const spy = jest
      .spyOn(bench.files, 'takeFile')
      .mockImplementation((place) => (place.relativePath === ODD ? Promise.reject(new Error('EIO')) : take(place)));
    await acquire();
    expect(await unfinished()).toEqual([{ name: ODD, status: 'DETECTADO', tasks: ['acquire WAITING'] }]);
    spy.mockRestore();
    await bench.exhaust(groupId);
    expect(await unfinished()).toEqual([]);
  });

  it('a document whose later step fails continues alone in the stage of that step', async () => {
    const { groupId, acquire, unfinished } = await scanned('later');
    let fails = true;
    bench.source.before = ({ name }) =>
      fails && name === ODD ? Promise.reject(new Error('The reader ended.')) : Promise.resolve();
    await acquire();
    expect(await unfinished()).toEqual([
      { name: ODD, status: 'ADQUIRIDO', tasks: ['acquire DONE', 'extract WAITING'] },
    ]);
    fails = false;
    await bench.exhaust(groupId);
    expect(await unfinished()).toEqual([]);
  });

  it('a document that the database refuses is taken out of the transaction of the others', async () => {
    const { groupId, acquire, unfinished } = await scanned('refused');
    await bench.engine.asOwner(
      'ingestion',
      `create function ingestion.refuse() returns trigger language plpgsql as $$
       begin raise exception 'refused'; end $$`,
    );
    await bench.engine.asOwner(
      'ingestion',
      `create trigger refuse before update on ingestion.document for each row
       when (new.name = '${ODD}' and new.status = 'FRAGMENTADO') execute function ingestion.refuse()`,
    );
    await acquire();
    expect(await unfinished()).toEqual([{ name: ODD, status: 'DETECTADO', tasks: ['acquire WAITING'] }]);
    await bench.engine.asOwner('ingestion', 'drop trigger refuse on ingestion.document');
    await bench.exhaust(groupId);
    expect(await unfinished()).toEqual([]);
  });

  it('a lost lease leaves out its own document, whose result is collected', async () => {
    const { acquire, unfinished, sql } = await scanned('lost');
    bench.source.before = async ({ name }) => {
      if (name === ODD)
        await sql(`update ingestion.task set lease = gen_random_uuid() where group_id = $1 and stage = 'acquire'
          and subject_id = (select document_id from ingestion.document where group_id = $1 and name = '${ODD}')`);
    };
    await acquire();
    expect(await unfinished()).toEqual([{ name: ODD, status: 'DETECTADO', tasks: ['acquire LEASED'] }]);
    const [task] = await sql(`select payload from ingestion.task where group_id = $1 and stage = 'discard'`);
    expect((task?.['payload'] as { objects: string[] }).objects.map((key) => key.split('/')[2])).toEqual([
      'original',
      'text',
      'chunks',
    ]);
    bench.source.before = () => Promise.resolve();
    await sql(`update ingestion.task set leased_until = now() - interval '1 second' where group_id = $1
      and stage = 'acquire' and status = 'LEASED'`);
    await acquire();
    expect(await unfinished()).toEqual([]);
  });

  it('a document that changes meanwhile ends its lease only', async () => {
    const { groupId, acquire, sql } = await scanned('changed');
    bench.source.before = async ({ name }) => {
      if (name === ODD)
        await sql(`update ingestion.document set generation = 2 where group_id = $1 and name = '${ODD}'`);
    };
    await acquire();
    expect(
      await sql(`select name, status, handed_over is null as waits from ingestion.document where group_id = $1
        and (handed_over is null or name = '${ODD}')`),
    ).toEqual([{ name: ODD, status: 'DETECTADO', waits: true }]);
    expect(await sql(`select distinct status from ingestion.task where group_id = $1 and stage = 'acquire'`)).toEqual([
      { status: 'DONE' },
    ]);
    await bench.work(groupId);
  });
});

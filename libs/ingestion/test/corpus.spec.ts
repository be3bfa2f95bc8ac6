import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  countCorpus,
  deleteDocument,
  getDocument,
  ingestionProgress,
  type LimitAction,
  listQueue,
  registerFolder,
  startRun,
} from '@acervo/contracts';
import { until } from '@acervo/platform-testing';
import { WorkScope } from '@acervo/rbac';
import { CorpusStore } from '../src/corpus/corpus.store';
import { PlanConsumer } from '../src/corpus/plan.consumer';
import { Bench, newGroup } from './bench';
import { KilledProcess } from './killed-process';

type JsonObject = Record<string, unknown>;

/** Kills at each place; a release is measured with more of them. */
const KILLS = Number(process.env['ACERVO_TEST_KILLS'] ?? 1);

/** A text of so many pages. */
const paged = (pages: number, word = 'Acta'): string => `${word} de la obra. `.repeat(Math.ceil((pages * 2_900) / 17));
const numbered = (count: number, name = 'f'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}.txt`, `Acta ${name} ${at}.`]));

/** A group with a folder, and what its plan says of pages. */
class LimitedGroup {
  readonly groupId = newGroup();
  private revision = 0;
  private location: unknown;

  constructor(
    readonly bench: Bench,
    readonly root: string,
  ) {}

  static async of(
    bench: Bench,
    { name, files, included }: { name: string; files: Readonly<Record<string, string>>; included: number },
  ): Promise<LimitedGroup> {
    const group = new LimitedGroup(bench, bench.folder(name, files));
    await group.include(included);
    const { location_code } = await bench.ask(registerFolder, group.groupId, { path: group.root, entity_code: 'E1' });
    group.location = location_code;
    await group.scan();
    return group;
  }

  include(included: number | null, onLimit: LimitAction = 'BLOCK'): Promise<void> {
    const { bench, groupId } = this;
    const scope = new WorkScope(groupId, 'test', 'plan.assigned.v1');
    this.revision += 1;
    const plan = { revision: this.revision, planCode: 'TEST', startDay: 1 };
    return bench.database.write(scope, (tx) =>
      bench.instance(PlanConsumer).apply(scope, tx, {
        ...plan,
        quotas: [{ feature: 'ACTIVE_CORPUS', included, onLimit }],
      }),
    );
  }

  async scan(): Promise<void> {
    await this.bench.ask(startRun, this.groupId, { location_code: this.location });
  }

  async ingest(): Promise<void> {
    await this.scan();
    await this.bench.work(this.groupId);
  }

  /** Looks for free pages, and works what may go on. */
  async resume(): Promise<void> {
    await this.sql(`update ingestion.task set not_before = now() where group_id = $1 and stage = 'resume'`);
    await this.bench.workStage(this.groupId, 'resume');
    await this.bench.work(this.groupId);
  }

  /** Seconds from its last look for free pages to the next one. */
  async looksIn(): Promise<number | undefined> {
    const [task] = await this.sql<{ seconds: number }>(
      `select extract(epoch from not_before - updated_at)::int as seconds from ingestion.task
       where group_id = $1 and stage = 'resume'`,
    );
    return task?.seconds;
  }

  sql<R extends object = JsonObject>(text: string, ...params: readonly unknown[]): Promise<R[]> {
    return this.bench.database.write(this, (tx) => tx.query<R>(text, [this.groupId, ...params]));
  }

  /** The names of documents in a state, by name. */
  async named(status: string): Promise<string[]> {
    const rows = await this.sql<{ name: string }>(
      `select name from ingestion.document where group_id = $1 and status = $2 and deleted_at is null order by name`,
      status,
    );
    return rows.map(({ name }) => name);
  }

  /** The pages that are counted, and those of the documents that are searchable or on their way there. */
  async pages(): Promise<{ counted: number; live: number }> {
    const [row] = await this.sql<{ counted: number; live: number }>(
      `select (select pages::int from ingestion.corpus where group_id = $1) as counted,
         (select coalesce(sum(pages), 0)::int from ingestion.document where group_id = $1 and deleted_at is null
            and status in ('FRAGMENTADO', 'VECTORIZADO')) as live`,
    );
    return row ?? { counted: -1, live: -1 };
  }

  async codeOf(name: string): Promise<string> {
    const [row] = await this.sql<{ code: string }>(
      'select code from ingestion.document where group_id = $1 and name = $2',
      name,
    );
    return row?.code ?? '';
  }

  async delete(name: string): Promise<void> {
    const document_code = await this.codeOf(name);
    await this.bench.askAs(deleteDocument, this.groupId, { document_code }, {}, 'operations');
  }

  async asked(): Promise<number> {
    const rows = await this.bench.engine.asOwner(
      'ingestion',
      `select from ingestion.outbox where topic = 'process.requested.v1' and group_id = $1
         and payload ->> 'subject' = 'ACTIVE_CORPUS'`,
      [this.groupId],
    );
    return rows.length;
  }
}

describe('the pages that a plan includes', () => {
  let processes: KilledProcess;
  let bench: Bench;
  beforeAll(async () => {
    processes = await KilledProcess.open();
    bench = processes.killed;
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.forget());
  afterEach(() => jest.restoreAllMocks());

  it('of 60 documents at once exactly those that fit are indexed', async () => {
    const group = await LimitedGroup.of(bench, { name: 'many', files: numbered(60), included: 10 });
    await Promise.all([bench.work(group.groupId), processes.other.work(group.groupId)]);
    expect([(await group.named('FRAGMENTADO')).length, (await group.named('RESUMIDO')).length]).toEqual([10, 50]);
    expect(await group.pages()).toEqual({ counted: 10, live: 10 });
    const prepared = (await bench.published()).filter(({ topic }) => topic === 'document.prepared.v1');
    expect(prepared).toHaveLength(10);
    expect(await group.asked()).toBe(1);
    expect(await bench.askAs(countCorpus, group.groupId, {}, {}, 'operations')).toEqual({
      ...{ used: 10, by_entity: [{ entity_code: 'E1', used: 10 }] },
      limit: { included: 10, on_limit: 'BLOCK' },
    });
  });

  it('a document without pages left waits before its chunks, with the reason', async () => {
    const group = await LimitedGroup.of(bench, { name: 'reason', files: { 'a.txt': 'Uno.' }, included: 0 });
    await bench.work(group.groupId);
    expect(await bench.askAs(listQueue, group.groupId, { status: 'WAITING' })).toMatchObject({
      items: [{ process: 'CHUNK', status: 'WAITING', reason: 'QUOTA' }],
      total: 1,
    });
    const document_code = await group.codeOf('a.txt');
    expect(await bench.askAs(getDocument, group.groupId, { document_code })).toMatchObject({
      ...{ status: 'SUMMARIZED', reason: 'QUOTA' },
    });
    expect(await bench.ask(ingestionProgress, group.groupId, {})).toMatchObject({ waiting: 0 });
  });

  it('another plan lets documents go on, and nothing is read again', async () => {
    const group = await LimitedGroup.of(bench, { name: 'plan', files: numbered(5), included: 2 });
    await bench.work(group.groupId);
    await bench.forget();
    await group.resume();
    expect((await group.named('FRAGMENTADO')).length).toBe(2);
    await group.include(4);
    await group.resume();
    expect([(await group.named('FRAGMENTADO')).length, await group.pages()]).toEqual([4, { counted: 4, live: 4 }]);
    await group.include(null);
    await group.resume();
    expect([(await group.named('FRAGMENTADO')).length, await group.pages()]).toEqual([5, { counted: 5, live: 5 }]);
    expect([bench.source.read, bench.cpu.count('summarise')]).toEqual([[], 0]);
    expect(await group.asked()).toBe(0);
  });

  it('a full group is not searched before its plan changes', async () => {
    const group = await LimitedGroup.of(bench, { name: 'full', files: numbered(5), included: 2 });
    await bench.work(group.groupId);
    const searched = jest.spyOn(bench.instance(CorpusStore), 'suspended');
    await group.resume();
    expect([searched.mock.calls, await group.looksIn()]).toEqual([[], 60]);
    await group.include(4);
    await bench.workStage(group.groupId, 'resume');
    await bench.work(group.groupId);
    expect([searched.mock.calls.length, (await group.named('FRAGMENTADO')).length]).toEqual([1, 4]);
  });

  it('a deletion lets the oldest document that fits go on, by its order', async () => {
    const files = { 'a.txt': paged(2), 'b.txt': 'Dos.' };
    const group = await LimitedGroup.of(bench, { name: 'deletion', files, included: 3 });
    await bench.work(group.groupId);
    writeFileSync(join(group.root, 'large.txt'), paged(3, 'Plano'));
    await group.ingest();
    for (const name of ['c.txt', 'd.txt', 'e.txt']) {
      writeFileSync(join(group.root, name), `Tres ${name}.`);
      await group.ingest();
    }
    expect(await group.named('RESUMIDO')).toEqual(['c.txt', 'd.txt', 'e.txt', 'large.txt']);
    await group.sql(`update ingestion.document set ingestion_order = 1 where group_id = $1 and name = 'e.txt'`);
    await group.delete('a.txt');
    expect(await group.pages()).toEqual({ counted: 1, live: 1 });
    await group.resume();
    expect(await group.named('RESUMIDO')).toEqual(['d.txt', 'large.txt']);
    expect(await group.pages()).toEqual({ counted: 3, live: 3 });
  });

  it('an indexed document is never stopped, with more pages neither', async () => {
    const group = await LimitedGroup.of(bench, { name: 'revised', files: { 'a.txt': 'Uno.' }, included: 1 });
    await bench.work(group.groupId);
    await group.include(0);
    writeFileSync(join(group.root, 'a.txt'), paged(3));
    await group.ingest();
    expect([await group.named('FRAGMENTADO'), await group.pages()]).toEqual([['a.txt'], { counted: 3, live: 3 }]);
    writeFileSync(join(group.root, 'a.txt'), 'Otra vez.');
    await group.ingest();
    expect(await group.pages()).toEqual({ counted: 1, live: 1 });
  });

  it('with ALLOW pages are counted, and nothing waits', async () => {
    const group = await LimitedGroup.of(bench, { name: 'allowed', files: {}, included: 0 });
    await group.include(1, 'ALLOW');
    for (const [name, text] of Object.entries(numbered(3))) writeFileSync(join(group.root, name), text);
    await group.ingest();
    expect(await group.pages()).toEqual({ counted: 3, live: 3 });
    expect(await group.asked()).toBe(0);
  });

  it('missing, unreadable and failed documents have no pages', async () => {
    const files = { ...numbered(3), 'kept.txt': 'Queda.' };
    const group = await LimitedGroup.of(bench, { name: 'gone', files, included: 9 });
    await bench.work(group.groupId);
    unlinkSync(join(group.root, 'f0.txt'));
    writeFileSync(join(group.root, 'f1.txt'), '');
    await group.ingest();
    await group.sql(
      `update ingestion.document set status = 'ERROR', handed_over = null where group_id = $1 and name = 'f2.txt'`,
    );
    expect(await group.named('NO_ENCONTRADO')).toEqual(['f0.txt']);
    expect(await group.pages()).toEqual({ counted: 1, live: 1 });
  });

  it('a comparison corrects a wrong count', async () => {
    const group = await LimitedGroup.of(bench, { name: 'drift', files: numbered(3), included: 9 });
    await bench.work(group.groupId);
    await group.sql('update ingestion.corpus set pages = 7 where group_id = $1');
    bench.inventory = [];
    const hasDiffered = async (): Promise<boolean> => {
      await group.sql(`update ingestion.task set not_before = now() where group_id = $1 and stage = 'reconcile'`);
      await bench.workStage(group.groupId, 'reconcile');
      const [row] = await group.sql<{ kinds: string | null }>(
        `select report ->> 'differences' as kinds from ingestion.reconciliation where group_id = $1`,
      );
      return row?.kinds?.includes('pages.differ') === true;
    };
    await until('the end of the comparison', hasDiffered);
    bench.inventory = undefined;
    expect((await group.pages()).counted).toBe(3);
  });

  it.each([
    ['once its pages are taken', 'corpus.taken'],
    ['before the commit of its chunks', 'pipeline.before-commit'],
    ['behind the commit of its chunks', 'pipeline.committed'],
  ] as const)(
    'a document whose process is killed %s counts once',
    async (_when, place) => {
      let deaths = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const group = await LimitedGroup.of(bench, { name: `${place}-${kill}`, files: numbered(24), included: 12 });
        // A quick machine commits a batch at once.
        const passage = place === 'corpus.taken' ? 1 + (kill % 12) : 1;
        deaths += await processes.workBroken(group.groupId, 'acquire', { place, passage });
        await processes.other.work(group.groupId);
        expect([(await group.named('FRAGMENTADO')).length, await group.pages()]).toEqual([
          12,
          { counted: 12, live: 12 },
        ]);
      }
      expect(deaths).toBe(KILLS);
    },
    60_000 + KILLS * 5_000,
  );
});

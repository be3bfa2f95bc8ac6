import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Call, type CallerName, countAreaLinks, ScopeClaims } from '@acervo/contracts';
import { AuditTrail, CallServer } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import { Embedders, HashingEmbedder } from '@acervo/models';
import { Failpoints, Outbox } from '@acervo/platform-messaging';
import { DirectoryObjectStore } from '@acervo/platform-object-store';
import { Metrics } from '@acervo/platform-observability';
import { StageRunner, stagesOf, Tasks } from '@acervo/platform-queue';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, silent, type TestDatabase } from '@acervo/platform-testing';
import { Scope, WorkScope } from '@acervo/rbac';
import { composeIngestion } from '../src';
import { ingestionMigrations } from '../src/migrations';
import { Cpu, runJob } from '../src/workers/cpu';
import type { JobInput, JobName, JobOutput } from '../src/workers/jobs';
import { CountingSource } from './counting-source';

/** Works where it is called, and counts how often each job ran. */
export class CountingCpu extends Cpu {
  readonly runs: JobName[] = [];
  override run<N extends JobName>(name: N, input: JobInput<N>): Promise<JobOutput<N>> {
    this.runs.push(name);
    return runJob(name, input);
  }
  count(name: JobName): number {
    return this.runs.filter((ran) => ran === name).length;
  }
}

class NoTrail extends AuditTrail {
  override record(): Promise<void> {
    return Promise.resolve();
  }
}

type Plain = Record<string, unknown>;

/** The ingestion service on a real database, with its stages driven by hand. */
export class Bench {
  readonly cpu = new CountingCpu();
  readonly source = new CountingSource();
  readonly place = mkdtempSync(join(tmpdir(), 'acervo-ingestion-'));
  readonly server: CallServer;
  readonly objects = new DirectoryObjectStore(join(this.place, 'objects'));
  /** Whether bells are said to ring. */
  isRinging = false;
  /** Areas that are linked to folders. */
  areaLinks = 0;
  private readonly stages;
  private readonly runner: StageRunner;

  private constructor(
    readonly engine: TestDatabase,
    readonly database: Database,
    embedders: Embedders,
    private readonly rescanSeconds: number,
  ) {
    const tasks = new Tasks('ingestion', database);
    const engines = {
      database,
      background: database,
      tasks,
      objects: this.objects,
      outbox: new Outbox('ingestion'),
      doorbells: { ring: () => Promise.resolve(), isRinging: () => Promise.resolve(this.isRinging) },
      failpoints: Failpoints.none,
    };
    const logger = silent;
    const config = {
      publicUrl: 'http://test',
      cursorKey: 'a key of the test for cursors',
      extractionFileMb: 10,
      extractionDepth: 4,
      largestFileMb: 20,
      languages: 'es,en,de,fr,pt,it',
      reconcileSeconds: 240,
      reconcileSettleSeconds: 20,
      rescanSeconds,
      objectGraceHours: 24,
      folderRoots: `G1=${join(this.place, 'opened')}`,
      keptDirectory: join(this.place, 'kept'),
    };
    const workers = { cpu: this.cpu, source: this.source };
    // Retrieval is away here: what is compared with it waits. Auth counts the links that a test says there are.
    const calls = {
      send: <I extends object, O extends object>({ code }: Call<I, O>): Promise<O> =>
        code === countAreaLinks.code
          ? Promise.resolve({ areas: this.areaLinks } as unknown as O)
          : Promise.reject(new Error('Nobody answers.')),
    };
    const parts = { config, engines, embedders, logger, calls, metrics: new Metrics('reconciler') };
    const providers = composeIngestion(parts, workers);
    this.server = new CallServer({ service: 'ingestion', database, audit: new NoTrail(), providers });
    this.stages = stagesOf(providers);
    this.runner = new StageRunner({ service: 'ingestion', tasks, database, logger, metrics: new Metrics('test') });
  }

  static async open(embedders = new Embedders(new HashingEmbedder()), rescanSeconds = 900): Promise<Bench> {
    const engine = await openTestDatabase({ ingestion: migrationsOf('ingestion', ingestionMigrations) });
    return new Bench(engine, engine.database('ingestion'), embedders, rescanSeconds);
  }

  /** Another replica of the service, on the same database. */
  beside(rescanSeconds = this.rescanSeconds): Bench {
    const embedders = new Embedders(new HashingEmbedder());
    return new Bench(this.engine, this.engine.database('ingestion'), embedders, rescanSeconds);
  }

  /** The stages that the service works. */
  get stageNames(): string[] {
    return this.stages.map(({ stage }) => stage.name);
  }

  async close(): Promise<void> {
    await this.engine.close();
    rmSync(this.place, { recursive: true, force: true });
  }

  folder(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
    const root = join(this.place, name);
    mkdirSync(root, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  }

  ask(call: Call, groupId: string, input: Plain, caller: CallerName = 'standalone'): Promise<Plain> {
    return this.server.dispatch({ code: call.code, caller, scope: new WorkScope(groupId, 'test', 'test'), input });
  }

  /** As a user whose claims are those of an administrator, changed as told. */
  askAs(
    call: Call,
    groupId: string,
    input: Plain,
    claims: Partial<ScopeClaims> = {},
    caller: CallerName = 'gateway',
  ): Promise<Plain> {
    const whole = Object.assign(new ScopeClaims(), {
      groupId,
      entities: ['E1'],
      activeEntity: null,
      locationRoots: null,
      ...claims,
    });
    return this.server.dispatch({ code: call.code, caller, scope: new Scope(whole, 'token'), input });
  }

  /** Works every stage until nothing waits; answers how many pieces of work that were. */
  async work(groupId: string): Promise<number> {
    let total = 0;
    for (let again = true; again;) {
      again = false;
      for (const stage of this.stages) {
        const taken = await this.runner.runBatch(stage, groupId);
        total += taken;
        again ||= taken > 0;
      }
    }
    return total;
  }

  /** Works the urgent work of every stage until none waits; answers how many pieces of work that were. */
  async workUrgent(groupId: string): Promise<number> {
    let total = 0;
    for (let again = true; again;) {
      again = false;
      for (const stage of this.stages) {
        const taken = await this.runner.runBatch(stage, groupId, true);
        total += taken;
        again ||= taken > 0;
      }
    }
    return total;
  }

  /** Works one stage until nothing waits for it; answers how many pieces of work that were. */
  async workStage(groupId: string, name: string): Promise<number> {
    const bound = this.stages.find(({ stage }) => stage.name === name);
    if (bound === undefined) throw new Error(`There is no stage ${name}.`);
    let total = 0;
    for (let taken = -1; taken !== 0; total += taken) taken = await this.runner.runBatch(bound, groupId);
    return total;
  }

  /** Works as long as failed work is tried again, without the waits between. */
  async exhaust(groupId: string): Promise<void> {
    const sooner = `update ingestion.task set not_before = now() where group_id = $1 and status = 'WAITING' and stage not in ('reconcile', 'rescan')`;
    do await this.database.write({ groupId }, (tx) => tx.query(sooner, [groupId]));
    while ((await this.work(groupId)) > 0);
  }

  /** As if what failed had failed an hour ago and more. */
  async letFailuresRest(groupId: string): Promise<void> {
    const earlier = `update ingestion.document set failed_at = failed_at - interval '61 minutes' where group_id = $1`;
    await this.database.write({ groupId }, (tx) => tx.query(earlier, [groupId]));
  }

  /** What was published about documents, oldest first. */
  published(): Promise<Plain[]> {
    return this.engine.asOwner(
      'ingestion',
      `select topic, payload from ingestion.outbox where topic not in ('audit.recorded.v1', 'location.described.v1') order by id`,
    );
  }

  /** What was published about folders of a group, oldest first. */
  async toldFolders(groupId: string, topic = 'location.described.v1'): Promise<Plain[]> {
    const rows = await this.engine.asOwner(
      'ingestion',
      `select payload from ingestion.outbox where topic = $2 and group_id = $1 order by id`,
      [groupId, topic],
    );
    return rows.map(({ payload }) => payload as Plain);
  }

  /** The objects that a group has. */
  async objectKeys(groupId: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of this.objects.list({ groupId })) keys.push(key);
    return keys.sort();
  }

  /** Their kinds, sorted. */
  async kept(groupId: string): Promise<string[]> {
    return (await this.objectKeys(groupId)).map((key) => key.split('/')[2] ?? '').sort();
  }

  async forget(): Promise<void> {
    await this.engine.asOwner('ingestion', 'delete from ingestion.outbox');
    this.cpu.runs.length = 0;
    this.source.read.length = 0;
  }
}

export const newGroup = (): string => randomUUID();

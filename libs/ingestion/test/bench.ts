import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Abstract } from '@nestjs/common';
import type { Call, CallerName, Event, ScopeClaims } from '@acervo/contracts';
import { TextSource } from '@acervo/extraction';
import { Embedders, HashingEmbedder } from '@acervo/models';
import type { CallServer } from '@acervo/platform-calls';
import { BackgroundDatabase, Database, EventsDatabase } from '@acervo/platform-database';
import { ObjectStore } from '@acervo/platform-object-store';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { type BoundStage, StageRunner, Tasks } from '@acervo/platform-queue';
import { migrationsOf } from '@acervo/platform-service';
import { administratorOf, type Override, ServiceTestBed } from '@acervo/platform-test-bed';
import { openTestDatabase, silent, type TestDatabase } from '@acervo/platform-testing';
import { WorkScope } from '@acervo/rbac';
import { Cpu, DirectFileAccess, FileAccess, ingestionMigrations, IngestionModule, ingestionService } from '../src';
import { FusionLimit } from '../src/pipeline/fused-steps';
import { CountingCpu } from './counting-cpu';
import { CountingSource } from './counting-source';
import { Neighbours } from './neighbours';

type JsonObject = Record<string, unknown>;

/** The resources that two replicas of the service share, and their differences. */
interface Replica {
  readonly engine: TestDatabase;
  readonly embedders: Embedders;
  readonly rescanSeconds: number;
  /** The place of the objects; that of the replica itself where it is absent. */
  readonly objects?: string;
  /** Settings and replacements beside those of every bench. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly overrides?: readonly Override[];
}

/** The ingestion service on a real database; tests drive its stages. */
export class Bench extends Neighbours {
  readonly cpu = new CountingCpu();
  readonly files = new DirectFileAccess();
  readonly source = new CountingSource();
  readonly place = mkdtempSync(join(tmpdir(), 'acervo-ingestion-'));
  readonly engine: TestDatabase;
  readonly database: Database;
  private composed: ServiceTestBed | undefined;

  private constructor(private readonly replica: Replica) {
    super();
    this.engine = replica.engine;
    this.database = replica.engine.database('ingestion');
  }

  static async open(
    embedders = new Embedders(new HashingEmbedder()),
    rescanSeconds = 900,
    more: Pick<Replica, 'environment' | 'overrides'> = {},
  ): Promise<Bench> {
    const engine = await openTestDatabase({ ingestion: migrationsOf('ingestion', ingestionMigrations) });
    return new Bench({ engine, embedders, rescanSeconds, ...more }).compose();
  }

  /** Another replica of the service, on the same database. */
  beside(rescanSeconds = this.replica.rescanSeconds, settings: Readonly<Record<string, string>> = {}): Promise<Bench> {
    const embedders = new Embedders(new HashingEmbedder());
    const objects = this.objectsPlace;
    const environment = { ...this.replica.environment, ...settings };
    return new Bench({ ...this.replica, embedders, rescanSeconds, objects, environment }).compose();
  }

  private get objectsPlace(): string {
    return this.replica.objects ?? join(this.place, 'objects');
  }

  private async compose(): Promise<this> {
    const { database } = this;
    this.composed = await ServiceTestBed.open({
      ...{ service: ingestionService, module: IngestionModule, engine: this.engine },
      ...{ environment: this.environment(), neighbours: this.calls() },
      overrides: [
        ...[Database, BackgroundDatabase, EventsDatabase].map((token): Override => [token, database]),
        [Cpu, this.cpu],
        [FileAccess, this.files],
        [TextSource, this.source],
        [Embedders, this.replica.embedders],
        // Otherwise a document leaves its lease on a busy machine.
        [FusionLimit, new FusionLimit(Infinity)],
        ...(this.replica.overrides ?? []),
      ],
    });
    return this;
  }

  private get bed(): ServiceTestBed {
    if (this.composed === undefined) throw new Error('The bench is not composed yet.');
    return this.composed;
  }

  private get stages(): readonly BoundStage[] {
    return this.bed.stages;
  }

  /** The stages of the signals that were sent. */
  get signals(): string[] {
    return this.bed.signals.stages;
  }

  /** Whether a signal is reported as pending. */
  set isPending(isPending: boolean) {
    this.bed.signals.isPending = isPending;
  }

  private environment(): Readonly<Record<string, string>> {
    return {
      ACERVO_PUBLIC_URL: 'http://test',
      ACERVO_CURSOR_KEY: 'a key of the test for cursors',
      ACERVO_EXTRACTION_FILE_MB: '10',
      ACERVO_EXTRACTION_DEPTH: '4',
      ACERVO_LARGEST_FILE_MB: '20',
      ACERVO_RESCAN_SECONDS: String(this.replica.rescanSeconds),
      ACERVO_FOLDER_ROOTS: `G1=${join(this.place, 'opened')}`,
      ACERVO_KEPT_DIRECTORY: join(this.place, 'kept'),
      ACERVO_OBJECTS_DIRECTORY: this.objectsPlace,
      ...this.replica.environment,
    };
  }

  /** Delivers an event of another service. */
  async deliver<P extends object>(event: Event<P>, groupId: string, payload: P): Promise<void> {
    await this.bed.deliver(event, groupId, payload);
  }

  get server(): CallServer {
    return this.bed.server;
  }

  get objects(): ObjectStore {
    return this.get<ObjectStore>(ObjectStore);
  }

  private get runner(): StageRunner {
    return this.get(StageRunner);
  }

  /** A provider of the service. */
  instance<T>(token: Abstract<T>): T {
    return this.get(token);
  }

  private get<T>(token: Abstract<T>): T {
    return this.bed.get(token);
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

  ask(call: Call, groupId: string, input: JsonObject, caller: CallerName = 'standalone'): Promise<JsonObject> {
    return this.server.dispatch({ code: call.code, caller, scope: new WorkScope(groupId, 'test', 'test'), input });
  }

  /** A user with the claims of an administrator who follows the work, changed by `claims`. */
  askAs(
    call: Call,
    groupId: string,
    input: JsonObject,
    claims: Partial<ScopeClaims> = {},
    caller: CallerName = 'gateway',
  ): Promise<JsonObject> {
    const scope = administratorOf(groupId, { functions: ['PROCESS_PIPELINE'], ...claims });
    return this.server.dispatch({ code: call.code, caller, scope, input });
  }

  /** Works every stage until no task waits; answers the number of tasks. */
  work(groupId: string): Promise<number> {
    return this.workOpenStages(groupId);
  }

  /** Works the urgent tasks of every stage until none waits; answers their number. */
  workUrgent(groupId: string): Promise<number> {
    return this.workOpenStages(groupId, true);
  }

  /** Works every stage in its order until none has work; asks no stage whose tasks are all done. */
  private async workOpenStages(groupId: string, urgent = false): Promise<number> {
    let total = 0;
    let open = await this.openStages(groupId);
    for (let again = true; again;) {
      again = false;
      for (const bound of this.stages) {
        if (!open.has(bound.stage.name)) continue;
        const ingested = await this.runner.runBatch(bound, groupId, urgent);
        if (ingested === 0) continue;
        total += ingested;
        again = true;
        open = await this.openStages(groupId);
      }
    }
    return total;
  }

  /** The stages with a task that waits or is leased: every other claim is empty. */
  private openStages(groupId: string): Promise<ReadonlySet<string>> {
    return this.database.read({ groupId }, async (tx) => {
      const rows = await tx.query<{ stage: string }>(
        `select distinct stage from ingestion.task where group_id = $1 and status in ('WAITING', 'LEASED')`,
        [groupId],
      );
      return new Set(rows.map(({ stage }) => stage));
    });
  }

  /** Works one batch of a stage in a process that ends once the work has `begun`. */
  async workInterrupted(groupId: string, name: string, begun: Promise<void>): Promise<void> {
    const runner = new StageRunner(
      'ingestion',
      this.get(Tasks),
      this.database,
      new Telemetry(silent, new Metrics('test')),
    );
    const working = runner.runBatch(this.bed.stageOf(name), groupId);
    await begun;
    runner.interrupt();
    await working;
  }

  /** Works one stage until no task of it waits; answers the number of tasks. */
  async workStage(groupId: string, name: string): Promise<number> {
    const bound = this.bed.stageOf(name);
    let total = 0;
    for (let ingested = -1; ingested !== 0; total += ingested) ingested = await this.runner.runBatch(bound, groupId);
    return total;
  }

  /** Works as long as failed tasks are retried, without the delays between. Those that wait for a model wait on. */
  async exhaust(groupId: string): Promise<void> {
    const sooner = `update ingestion.task set not_before = now() where group_id = $1 and status = 'WAITING'
      and stage not in ('reconcile', 'rescan') and coalesce(reason, '') not like 'Model%'`;
    do await this.database.write({ groupId }, (tx) => tx.query(sooner, [groupId]));
    while ((await this.work(groupId)) > 0);
  }

  /** Dates all failures more than an hour back. */
  async letFailuresRest(groupId: string): Promise<void> {
    const earlier = `update ingestion.document set failed_at = failed_at - interval '61 minutes' where group_id = $1`;
    await this.database.write({ groupId }, (tx) => tx.query(earlier, [groupId]));
  }

  /** The published events that say where documents stand, oldest first; not those that start processes. */
  published(): Promise<JsonObject[]> {
    return this.engine.asOwner(
      'ingestion',
      `select topic, payload from ingestion.outbox where topic not in ('audit.recorded.v1', 'location.described.v1', 'document.classified.v1', 'process.requested.v1')
       order by id`,
    );
  }

  /** The published events about folders of a group, oldest first. */
  async publishedFolders(groupId: string, topic = 'location.described.v1'): Promise<JsonObject[]> {
    const rows = await this.engine.asOwner(
      'ingestion',
      `select payload from ingestion.outbox where topic = $2 and group_id = $1 order by id`,
      [groupId, topic],
    );
    return rows.map(({ payload }) => payload as JsonObject);
  }

  /** The object keys of a group. */
  async objectKeys(groupId: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of this.objects.list({ groupId })) keys.push(key);
    return keys.sort();
  }

  /** The kinds of its objects, sorted. */
  async storedObjects(groupId: string): Promise<string[]> {
    return (await this.objectKeys(groupId)).map((key) => key.split('/')[2] ?? '').sort();
  }

  async forget(): Promise<void> {
    await this.engine.asOwner('ingestion', 'delete from ingestion.outbox');
    this.cpu.runs.length = 0;
    this.source.read.length = 0;
  }
}

export { newGroup } from '@acervo/platform-test-bed';

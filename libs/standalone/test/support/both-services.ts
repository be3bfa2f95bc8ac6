import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Call, ScopeClaims, services } from '@acervo/contracts';
import { InlineSource } from '@acervo/extraction';
import {
  composeIngestion,
  Cpu,
  ingestionMigrations,
  type JobInput,
  type JobName,
  type JobOutput,
  runJob,
} from '@acervo/ingestion';
import { Embedders, HashingEmbedder } from '@acervo/models';
import { AuditTrail, CallServer, type Calls, type LocalCalls, RoutedCalls } from '@acervo/platform-calls';
import { readConfig } from '@acervo/platform-config';
import { ownerRole, appRole, type Database, Provisioner, RELAY_ROLE } from '@acervo/platform-database';
import { Consumer, EmbeddedRelay, Outbox, subscriptionsOf } from '@acervo/platform-messaging';
import { DirectoryObjectStore } from '@acervo/platform-object-store';
import { Metrics } from '@acervo/platform-observability';
import { type BoundStage, StageRunner, stagesOf, Tasks } from '@acervo/platform-queue';
import { migrationsOf, type ObjectStoreConfig, type ServiceKit } from '@acervo/platform-service';
import { openTestDatabase, silent, type TestDatabase } from '@acervo/platform-testing';
import { Scope, WorkScope } from '@acervo/rbac';
import { retrievalMigrations, retrievalService } from '@acervo/retrieval';

type Plain = Record<string, unknown>;
type Both = 'ingestion' | 'retrieval';

type Hook = (name: string) => Promise<void>;

/** Works where it is called; a test may step in after each job. */
class InlineCpu extends Cpu {
  constructor(private readonly after: Hook) {
    super();
  }

  override async run<N extends JobName>(name: N, input: JobInput<N>): Promise<JobOutput<N>> {
    const output = await runJob(name, input);
    await this.after(name);
    return output;
  }
}
class NoTrail extends AuditTrail {
  override record(): Promise<void> {
    return Promise.resolve();
  }
}

const unreachable = { send: (): Promise<never> => Promise.reject(new Error('Everybody lives here.')) };

/** One service of the two, with its stages and events driven by hand. */
interface Part {
  readonly stages: readonly BoundStage[];
  readonly runner: StageRunner;
  consumer: Consumer;
}

/** Stages that always wait in a group that has folders. */
export const UPKEEP: readonly string[] = ['reconcile', 'rescan'];

/** Both services that hold documents, over one database: nothing moves between them unless it is told to. */
export class BothServices {
  readonly place = mkdtempSync(join(tmpdir(), 'acervo-both-'));
  readonly objects = new DirectoryObjectStore(join(this.place, 'objects'));
  readonly ingestion: Database;
  readonly retrieval: Database;
  /** Called after each job of the processor, in the middle of the step that it belongs to. */
  afterJob: Hook = () => Promise.resolve();
  /** Called at each failpoint. */
  atFailpoint: (name: string) => void = () => undefined;
  /** Every event about documents that was brought anywhere. */
  private readonly events: Plain[] = [];
  private readonly local: LocalCalls = new Map();
  private readonly provisioner: Provisioner;
  private readonly relay: EmbeddedRelay;
  private readonly parts: Record<Both, Part>;
  readonly calls: Calls;

  private constructor(readonly engine: TestDatabase) {
    this.ingestion = engine.database('ingestion');
    this.retrieval = engine.database('retrieval');
    this.provisioner = new Provisioner(engine.connection(ownerRole('retrieval')));
    this.relay = new EmbeddedRelay({ connection: engine.connection(RELAY_ROLE), logger: silent });
    this.calls = new RoutedCalls('standalone', this.local, unreachable, new Metrics('standalone'));
    this.parts = { ingestion: this.openIngestion(), retrieval: this.openRetrieval() };
  }

  static async open(): Promise<BothServices> {
    const own = { ingestion: ingestionMigrations, retrieval: retrievalMigrations };
    const all = services.map((name) => [name, migrationsOf(name, name in own ? own[name as Both] : [])]);
    return new BothServices(await openTestDatabase(Object.fromEntries(all) as Parameters<typeof openTestDatabase>[0]));
  }

  async close(): Promise<void> {
    await this.relay.stop();
    await this.provisioner.close();
    await this.engine.close();
    rmSync(this.place, { recursive: true, force: true });
  }

  folder(name: string, files: Readonly<Record<string, string>>): string {
    const root = join(this.place, name);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  }

  /** As the program that runs them. */
  ask(call: Call, groupId: string, input: Plain): Promise<Plain> {
    return this.dispatch(call, { caller: 'standalone', scope: new WorkScope(groupId, 'standalone', 'test'), input });
  }

  /** As an administrator. */
  askAs(call: Call, groupId: string, input: Plain): Promise<Plain> {
    const claims = { groupId, entities: ['E1'], activeEntity: null, locationRoots: null, functions: ['DOCUMENTS'] };
    const scope = new Scope(Object.assign(new ScopeClaims(), claims), 'token');
    const [caller = 'operations'] = call.callers;
    return this.dispatch(call, { caller, scope, input });
  }

  /** Works one batch of a stage; answers how many pieces of work that were. */
  workOnce(groupId: string, name: string): Promise<number> {
    for (const { stages, runner } of Object.values(this.parts)) {
      const bound = stages.find(({ stage }) => stage.name === name);
      if (bound !== undefined) return runner.runBatch(bound, groupId);
    }
    throw new Error(`There is no stage ${name}.`);
  }

  /** Brings events to those who listen and has them handled; answers how many. */
  async deliver(): Promise<number> {
    await this.move();
    const { ingestion, retrieval } = this.parts;
    return (await ingestion.consumer.drain()) + (await retrieval.consumer.drain());
  }

  /** Brings events to those who listen, who leave them alone for now. */
  async move(): Promise<void> {
    for (const service of ['ingestion', 'retrieval'] as const)
      this.events.push(
        ...(await this.engine.asOwner(
          service,
          `select group_id, topic, event_key, payload, cause from ${service}.outbox where topic like 'document.%' order by id`,
        )),
      );
    await this.relay.moveAll();
  }

  /** Delivers every event about the documents of a group once more, as if it were another one. */
  async replay(groupId: string): Promise<number> {
    const own = this.events.filter(({ group_id }) => group_id === groupId);
    for (const { topic, event_key, payload, cause } of own) {
      const to = /prepared|described|withdrawn/.test(String(topic)) ? 'retrieval' : 'ingestion';
      await this[to].write({ groupId }, (tx) =>
        tx.query(
          `insert into ${to}.incoming (group_id, topic, event_key, payload, cause) values ($1, $2, $3, $4::jsonb, $5)`,
          [groupId, topic, event_key, JSON.stringify(payload), cause],
        ),
      );
    }
    await this.deliver();
    return own.length;
  }

  /** Works and delivers until nothing is left that may begin now, except what is kept back. */
  async settle(groupId: string, held: readonly string[] = UPKEEP): Promise<void> {
    for (let moved = 1; moved > 0;) {
      moved = await this.deliver();
      for (const name of this.stageNames) if (!held.includes(name)) moved += await this.workOnce(groupId, name);
    }
  }

  get stageNames(): string[] {
    return Object.values(this.parts).flatMap(({ stages }) => stages.map(({ stage }) => stage.name));
  }

  /** Has the database of a service answer without any delay that work or a retry would wait for. */
  async hasten(service: Both, groupId: string, stage: string): Promise<void> {
    await this.sql(
      service,
      groupId,
      `update ${service}.task set not_before = now() where group_id = $1 and stage = '${stage}'`,
    );
  }

  sql(service: Both, groupId: string, text: string): Promise<Plain[]> {
    return this[service].write({ groupId }, (tx) => tx.query<Plain>(text, text.includes('$1') ? [groupId] : []));
  }

  /** The processes begin anew: everything that is only in their memory is gone, and their leases have run out. */
  async restart(): Promise<void> {
    for (const service of ['ingestion', 'retrieval'] as const)
      await this.engine.asOwner(service, `update ${service}.consumer_lease set held_until = '-infinity'`);
    this.parts.ingestion = this.openIngestion();
    this.parts.retrieval = this.openRetrieval();
  }

  async objectKeys(groupId: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of this.objects.list({ groupId })) keys.push(key);
    return keys.sort();
  }

  private dispatch(call: Call, sent: Omit<Parameters<CallServer['dispatch']>[0], 'code'>): Promise<Plain> {
    const owner = this.local.get(call.owner);
    if (owner === undefined) throw new Error(`${call.owner} is not there.`);
    return owner.dispatch({ code: call.code, ...sent });
  }

  private enginesOf(service: Both): ServiceKit<ObjectStoreConfig>['engines'] {
    const database = this[service];
    const engines = {
      ...{ database, background: database, provisioner: this.provisioner, objects: this.objects },
      ...{
        outbox: new Outbox(service),
        tasks: new Tasks(service, database),
        failpoints: { hit: (name: string) => this.atFailpoint(name) },
      },
      doorbells: { ring: () => Promise.resolve(), isRinging: () => Promise.resolve(false) },
    };
    return engines as unknown as ServiceKit<ObjectStoreConfig>['engines'];
  }

  private openIngestion(): Part {
    const config = {
      ...{ publicUrl: 'http://test', extractionFileMb: 10, extractionDepth: 4, largestFileMb: 20 },
      ...{
        languages: 'es,en,de,fr,pt,it',
        cursorKey: 'a key of the test for cursors',
        reconcileSeconds: 240,
        reconcileSettleSeconds: 20,
        rescanSeconds: 900,
        objectGraceHours: 24,
        folderRoots: '',
        keptDirectory: null,
      },
    };
    const engines = this.enginesOf('ingestion');
    const calls = new RoutedCalls('ingestion', this.local, unreachable, new Metrics('test'));
    const embedders = new Embedders(new HashingEmbedder());
    const parts = { config, engines, calls, embedders, logger: silent, metrics: new Metrics('test') };
    return this.part(
      'ingestion',
      composeIngestion(parts, { cpu: new InlineCpu((name) => this.afterJob(name)), source: new InlineSource() }),
    );
  }

  private openRetrieval(): Part {
    const kit = {
      config: readConfig(retrievalService.config, { ACERVO_EMBEDDER: 'hashing' }),
      ...{ logger: silent, metrics: new Metrics('test'), engines: this.enginesOf('retrieval') },
    };
    return this.part('retrieval', retrievalService.compose(kit as unknown as ServiceKit<never>).providers);
  }

  private part(service: Both, providers: readonly object[]): Part {
    const database = this[service];
    this.local.set(service, new CallServer({ service, database, audit: new NoTrail(), providers }));
    const { tasks } = this.enginesOf(service);
    const metrics = new Metrics('test');
    const runner = new StageRunner({ service, tasks, database, logger: silent, metrics, backoffMs: 1 });
    const consumer = new Consumer({
      ...{ service, database, logger: silent, metrics },
      connection: this.engine.connection(appRole(service)),
      subscriptions: subscriptionsOf(service, providers),
    });
    return { stages: stagesOf(providers), runner, consumer };
  }
}

export const newGroup = (): string => randomUUID();

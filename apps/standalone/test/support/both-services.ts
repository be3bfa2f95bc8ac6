import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Call, services } from '@acervo/contracts';
import { InlineSource, TextSource } from '@acervo/extraction';
import {
  Cpu,
  FileAccess,
  FusionLimit,
  ingestionMigrations,
  IngestionModule,
  ingestionService,
} from '@acervo/ingestion';
import {
  type Calls,
  CallServer,
  HttpTransport,
  type LocalCalls,
  RoutedCalls,
  WriteContexts,
} from '@acervo/platform-calls';
import {
  appRole,
  BackgroundDatabase,
  Database,
  EventsDatabase,
  ownerRole,
  Provisioner,
  RELAY_ROLE,
} from '@acervo/platform-database';
import { Consumer, EmbeddedRelay, Failpoints, Notifications, subscriptionsOf } from '@acervo/platform-messaging';
import { DirectoryObjectStore, ObjectStore } from '@acervo/platform-object-store';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { type BoundStage, StageBackoff, StageRunner, Tasks } from '@acervo/platform-queue';
import { migrationsOf } from '@acervo/platform-service';
import { administratorOf, NoTrail, type Override, ServiceTestBed } from '@acervo/platform-test-bed';
import { openTestDatabase, silent, type TestDatabase } from '@acervo/platform-testing';
import { WorkScope } from '@acervo/rbac';
import { retrievalMigrations, RetrievalModule, retrievalService } from '@acervo/retrieval';
import { type Hook, InlineCpu, InlineFileAccess } from './inline-cpu';

type JsonObject = Record<string, unknown>;
type Both = 'ingestion' | 'retrieval';

const unreachable = { send: (): Promise<never> => Promise.reject(new Error('Everybody lives here.')) };

/** One of the two services; tests drive its stages and events. */
interface Part {
  readonly stages: readonly BoundStage[];
  readonly runner: StageRunner;
  consumer: Consumer;
}

/** Stages that always have a waiting task in a group with folders or spaces. */
export const UPKEEP: readonly string[] = ['reconcile', 'rescan', 'schedule-spaces'];

/** Ingestion and retrieval over one database; tests drive every move of work and events. */
export class BothServices {
  readonly place = mkdtempSync(join(tmpdir(), 'acervo-both-'));
  readonly objects = new DirectoryObjectStore(join(this.place, 'objects'));
  readonly ingestion: Database;
  readonly retrieval: Database;
  /** Runs after each job of the processor, within its step. */
  afterJob: Hook = () => Promise.resolve();
  /** Whether cheap steps follow another within the same lease. */
  fusesSteps = true;
  /** Runs at each failpoint. */
  atFailpoint: (name: string) => void = () => undefined;
  /** Every event about documents that the relay has moved. */
  private readonly events: JsonObject[] = [];
  private readonly local: LocalCalls = new Map();
  private readonly provisioner: Provisioner;
  private readonly relay: EmbeddedRelay;
  private readonly parts = {} as Record<Both, Part>;
  readonly calls: Calls;

  private constructor(readonly engine: TestDatabase) {
    this.ingestion = engine.database('ingestion');
    this.retrieval = engine.database('retrieval');
    this.provisioner = new Provisioner(engine.connection(ownerRole('retrieval')));
    this.relay = new EmbeddedRelay(engine.connection(RELAY_ROLE), silent);
    this.calls = new RoutedCalls('standalone', this.local, unreachable, new Metrics('standalone'));
  }

  static async open(): Promise<BothServices> {
    const ownMigrations = { ingestion: ingestionMigrations, retrieval: retrievalMigrations };
    const all = services.map((name) => [
      name,
      migrationsOf(name, name in ownMigrations ? ownMigrations[name as Both] : []),
    ]);
    const migrations = Object.fromEntries(all) as Parameters<typeof openTestDatabase>[0];
    const both = new BothServices(await openTestDatabase(migrations));
    await both.openParts();
    return both;
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

  /** The stages with a task of a group that can be claimed: a claim of each stage costs more than this question. */
  private async dueStages(groupId: string): Promise<ReadonlySet<string>> {
    const due = new Set<string>();
    for (const service of ['ingestion', 'retrieval'] as const) {
      const rows = await this.sql(
        service,
        groupId,
        `select distinct stage from ${service}.task where group_id = $1
           and (status = 'WAITING' and not_before <= now() or status = 'LEASED' and leased_until < now())`,
      );
      for (const { stage } of rows) due.add(String(stage));
    }
    return due;
  }

  /** Sends a Call as the standalone program. */
  ask(call: Call, groupId: string, input: JsonObject): Promise<JsonObject> {
    return this.dispatch(call, { caller: 'standalone', scope: new WorkScope(groupId, 'standalone', 'test'), input });
  }

  /** Sends a Call as an administrator. */
  askAs(call: Call, groupId: string, input: JsonObject): Promise<JsonObject> {
    const scope = administratorOf(groupId, { functions: ['DOCUMENTS'] });
    const [caller = 'operations'] = call.callers;
    return this.dispatch(call, { caller, scope, input });
  }

  /** Works one batch of a stage, in each service that has a stage of this name; returns the number of tasks. */
  async workOnce(groupId: string, name: string): Promise<number> {
    if (!this.stageNames.includes(name)) throw new Error(`There is no stage ${name}.`);
    let worked = 0;
    for (const { stages, runner } of Object.values(this.parts)) {
      const bound = stages.find(({ stage }) => stage.name === name);
      if (bound !== undefined) worked += await runner.runBatch(bound, groupId);
    }
    return worked;
  }

  /** Moves events to their consumers and handles them; returns their number. */
  async deliver(): Promise<number> {
    await this.move();
    const { ingestion, retrieval } = this.parts;
    return (await ingestion.consumer.drain()) + (await retrieval.consumer.drain());
  }

  /** Moves events to their consumers, without handling them. */
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

  /** Delivers every event about the documents of a group again, as a new event. */
  async replay(groupId: string): Promise<number> {
    const groupEvents = this.events.filter(({ group_id }) => group_id === groupId);
    for (const { topic, event_key, payload, cause } of groupEvents) {
      const to = /prepared|described|withdrawn/.test(String(topic)) ? 'retrieval' : 'ingestion';
      await this[to].write({ groupId }, (tx) =>
        tx.query(
          `insert into ${to}.incoming (group_id, topic, event_key, payload, cause) values ($1, $2, $3, $4::jsonb, $5)`,
          [groupId, topic, event_key, JSON.stringify(payload), cause],
        ),
      );
    }
    await this.deliver();
    return groupEvents.length;
  }

  /** Works and delivers until nothing is due, except in the excluded stages. */
  async settle(groupId: string, excludedStages: readonly string[] = UPKEEP): Promise<void> {
    for (let moved = 1; moved > 0;) {
      moved = await this.deliver();
      let due = await this.dueStages(groupId);
      for (const name of this.stageNames) {
        if (!due.has(name) || excludedStages.includes(name)) continue;
        moved += await this.workOnce(groupId, name);
        due = await this.dueStages(groupId);
      }
    }
  }

  get stageNames(): string[] {
    const names = Object.values(this.parts).flatMap(({ stages }) => stages.map(({ stage }) => stage.name));
    return [...new Set(names)];
  }

  /** Makes all delayed tasks of a stage due now. */
  async hasten(service: Both, groupId: string, stage: string): Promise<void> {
    await this.hastenAll(service, groupId, [stage]);
  }

  /** Makes all delayed tasks of some stages due now; returns their number. */
  async hastenAll(service: Both, groupId: string, stages: readonly string[]): Promise<number> {
    const names = stages.map((stage) => `'${stage}'`).join();
    const hastened = await this.sql(
      service,
      groupId,
      `update ${service}.task set not_before = now()
       where group_id = $1 and stage in (${names}) and not_before > now() returning stage`,
    );
    return hastened.length;
  }

  sql(service: Both, groupId: string, text: string): Promise<JsonObject[]> {
    return this[service].write({ groupId }, (tx) => tx.query<JsonObject>(text, text.includes('$1') ? [groupId] : []));
  }

  /** Restarts the processes: their memory is lost, and their leases have expired. */
  async restart(): Promise<void> {
    for (const service of ['ingestion', 'retrieval'] as const)
      await this.engine.asOwner(service, `update ${service}.consumer_lease set held_until = '-infinity'`);
    await this.openParts();
  }

  async objectKeys(groupId: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of this.objects.list({ groupId })) keys.push(key);
    return keys.sort();
  }

  private dispatch(call: Call, sent: Omit<Parameters<CallServer['dispatch']>[0], 'code'>): Promise<JsonObject> {
    const owner = this.local.get(call.owner);
    if (owner === undefined) throw new Error(`${call.owner} is not there.`);
    return owner.dispatch({ code: call.code, ...sent });
  }

  private async openParts(): Promise<void> {
    this.parts.ingestion = await this.openIngestion();
    this.parts.retrieval = await this.openRetrieval();
  }

  /** Replacements of providers that a service would open itself. */
  private overridesOf(service: Both): readonly Override[] {
    return [
      ...[Database, BackgroundDatabase, EventsDatabase].map((token): Override => [token, this[service]]),
      [Provisioner, this.provisioner],
      [ObjectStore, this.objects],
      [Failpoints, { hit: (name: string) => this.atFailpoint(name) }],
      [HttpTransport, unreachable],
    ];
  }

  private async openIngestion(): Promise<Part> {
    const bed = await ServiceTestBed.open({
      ...{ service: ingestionService, module: IngestionModule, engine: this.engine, local: this.local },
      environment: {
        ACERVO_OBJECTS_DIRECTORY: this.place,
        ACERVO_EXTRACTION_FILE_MB: '10',
        ACERVO_EXTRACTION_DEPTH: '4',
        ACERVO_LARGEST_FILE_MB: '20',
      },
      overrides: [
        ...this.overridesOf('ingestion'),
        [Cpu, new InlineCpu((name) => this.afterJob(name))],
        [FileAccess, new InlineFileAccess((name) => this.afterJob(name))],
        [TextSource, new InlineSource()],
        [FusionLimit, this.fusionLimit()],
      ],
    });
    return this.part('ingestion', bed);
  }

  private fusionLimit(): object {
    const { spentMs } = new FusionLimit();
    const fuses = (): boolean => this.fusesSteps;
    return {
      get spentMs(): number {
        return fuses() ? spentMs : 0;
      },
    };
  }

  private async openRetrieval(): Promise<Part> {
    const bed = await ServiceTestBed.open({
      ...{ service: retrievalService, module: RetrievalModule, engine: this.engine, local: this.local },
      environment: { ACERVO_OBJECTS_DIRECTORY: this.place },
      overrides: this.overridesOf('retrieval'),
    });
    return this.part('retrieval', bed);
  }

  private part(service: Both, { providers, stages }: ServiceTestBed): Part {
    const database = this[service];
    this.local.set(service, new CallServer(service, new WriteContexts(database, new NoTrail())).register(providers));
    const tasks = new Tasks(service, database);
    const telemetry = new Telemetry(silent, new Metrics('test'));
    const runner = new StageRunner(service, tasks, database, telemetry, undefined, new StageBackoff(1));
    const consumer = new Consumer(
      service,
      database,
      new Notifications(this.engine.connection(appRole(service))),
      telemetry,
    );
    consumer.subscribe(subscriptionsOf(service, providers));
    return { stages, runner, consumer };
  }
}

export { newGroup } from '@acervo/platform-test-bed';

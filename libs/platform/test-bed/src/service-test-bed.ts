import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Abstract, Type } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { type Call, type CallerName, encode, type Event, revive, type ScopeKind } from '@acervo/contracts';
import { CallServer } from '@acervo/platform-calls';
import type { Environment } from '@acervo/platform-config';
import { appRole, BackgroundDatabase, type Database } from '@acervo/platform-database';
import { Consumer, Notifications, subscriptionsOf } from '@acervo/platform-messaging';
import { Logger, Metrics, Telemetry } from '@acervo/platform-observability';
import { type BoundStage, StageBackoff, StageRunner, stagesOf, Tasks } from '@acervo/platform-queue';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase } from '@acervo/platform-testing';
import type { AnyScope, ScopeOf } from '@acervo/rbac';
import { compose, type Composition, instancesIn } from './composition';
import { RecordedSignals } from './recorded-signals';

type JsonObject = Record<string, unknown>;

/** A composition; without an engine, the bed opens one with the tables of the service. */
export type TestBedOptions = Omit<Composition, 'engine'> & Partial<Pick<Composition, 'engine'>>;

const OBJECTS = 'ACERVO_OBJECTS_DIRECTORY';

/** Settings without a default. */
const everyService = {
  ACERVO_PUBLIC_URL: 'https://acervo.test',
  ACERVO_CURSOR_KEY: 'a key of the test for cursors',
};

/** A folder for the objects of a service that has none. */
const objectsOf = (service: string, { [OBJECTS]: chosen }: Environment): string =>
  chosen ?? mkdtempSync(join(tmpdir(), `acervo-${service}-`));

/**
 * One service as its program composes it, over a real database: without listeners, workers, a queue, logs and audit
 * records. A suite sends its calls, delivers its events and works its stages.
 */
export class ServiceTestBed {
  readonly providers: readonly object[];
  /** The stages that the service works. */
  readonly stages: readonly BoundStage[];
  /** Statements of the suite itself, under the roles of the service. */
  readonly database: Database;
  private consumer: Consumer | undefined;

  private constructor(
    private readonly composition: Composition,
    readonly application: TestingModule,
    readonly signals: RecordedSignals,
    private readonly objects: string,
  ) {
    const { service, engine } = composition;
    this.providers = instancesIn(application);
    this.server.register(this.providers);
    this.stages = stagesOf(this.providers);
    this.database = engine.database(service.name);
  }

  /** @throws where a call of the service has no handler */
  static async open(options: TestBedOptions): Promise<ServiceTestBed> {
    const { name, migrations = [] } = options.service;
    const engine = options.engine ?? (await openTestDatabase({ [name]: migrationsOf(name, migrations) }));
    const { signals = new RecordedSignals() } = options;
    const objects = objectsOf(name, options.environment ?? {});
    const environment = { ...everyService, ...options.environment, [OBJECTS]: objects };
    const composition = { ...options, engine, signals, environment };
    return new ServiceTestBed(composition, await compose(composition), signals, objects);
  }

  get engine(): Composition['engine'] {
    return this.composition.engine;
  }

  get server(): CallServer {
    return this.get(CallServer);
  }

  /** A provider of the service. */
  get<T>(token: Type<T> | Abstract<T>): T {
    return this.application.get<T>(token, { strict: false });
  }

  /** The answer of a call, as its first caller gets it. @throws the errors of the call */
  async send<I extends object, O extends object, K extends ScopeKind>(
    call: Call<I, O, K>,
    scope: ScopeOf[K],
    input: I,
  ): Promise<O> {
    const [caller = 'operations'] = call.callers;
    return revive(call.output, await this.dispatch(call, scope, encode(call.input, input), caller));
  }

  /** The encoded answer of a call with an encoded input, as one of its callers gets it. */
  dispatch({ code }: Call, scope: AnyScope, input: JsonObject, caller: CallerName): Promise<JsonObject> {
    return this.server.dispatch({ code, caller, scope, input });
  }

  /** Delivers an event of a group, and handles what was delivered. @param eventId that of an event which came before */
  async deliver<P extends object>(
    event: Event<P>,
    groupId: string,
    payload: P,
    eventId: string = randomUUID(),
  ): Promise<void> {
    const { name } = this.composition.service;
    await this.engine.asOwner(
      name,
      `insert into ${name}.incoming (event_id, group_id, topic, event_key, payload, cause) values ($1, $2, $3, $4, $5, 'test')`,
      [eventId, groupId, event.topic, event.key(payload), JSON.stringify(encode(event.payload, payload))],
    );
    await this.consumerOfEvents().drain();
  }

  /** The payloads of a topic that wait in the outbox, oldest first. */
  async published(topic: string): Promise<JsonObject[]> {
    const { name } = this.composition.service;
    const sql = `select payload from ${name}.outbox where topic = $1 order by id`;
    const rows = await this.engine.asOwner(name, sql, [topic]);
    return rows.map(({ payload }) => payload as JsonObject);
  }

  /** Works one batch of a stage; returns the number of its tasks. @param urgent of urgent tasks alone */
  runBatch(groupId: string, name: string, urgent?: boolean): Promise<number> {
    return this.runner().runBatch(this.stageOf(name), groupId, urgent);
  }

  stageOf(name: string): BoundStage {
    const bound = this.stages.find(({ stage }) => stage.name === name);
    if (bound === undefined) throw new Error(`There is no stage ${name}.`);
    return bound;
  }

  async close(): Promise<void> {
    await this.application.close();
    await this.engine.close();
    rmSync(this.objects, { recursive: true, force: true });
  }

  /** Retries without a delay. */
  private runner(): StageRunner {
    const { name } = this.composition.service;
    const background = this.get(BackgroundDatabase);
    return new StageRunner(name, this.get(Tasks), background, this.telemetry(), undefined, new StageBackoff(0));
  }

  private consumerOfEvents(): Consumer {
    const { name } = this.composition.service;
    const notifications = new Notifications(this.engine.connection(appRole(name)));
    this.consumer ??= new Consumer(name, this.database, notifications, this.telemetry()).subscribe(
      subscriptionsOf(name, this.providers),
    );
    return this.consumer;
  }

  private telemetry(): Telemetry {
    return new Telemetry(this.get<Logger>(Logger), new Metrics(this.composition.service.name));
  }
}

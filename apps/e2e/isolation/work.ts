import { randomUUID } from 'node:crypto';
import { ModulesContainer } from '@nestjs/core';
import { encode, PreparedChunks, revive, type ServiceName, userDependentsDeleted } from '@acervo/contracts';
import { type Subscription, subscriptionsOf } from '@acervo/platform-messaging';
import { DirectoryObjectStore } from '@acervo/platform-object-store';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { type BoundStage, StageRunner, stagesOf, Tasks } from '@acervo/platform-queue';
import type { RunningService } from '@acervo/platform-service';
import { silent } from '@acervo/platform-testing';
import { WorkScope } from '@acervo/rbac';
import { fingerprint, type Table } from './evidence';
import type { TenantFixture } from './tenant-fixture';
import type { Installation } from './installation';
import type { Operation, PlacedSlot, Received, Values } from './operations';
import { assembled, slotsOf } from './shapes';
import type { Group } from './tenants';

/** The objects of a running service that may have handlers. */
const providersOf = ({ app }: RunningService): object[] => {
  const wrapped = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.providers.values()]);
  const instances = new Set(wrapped.map(({ instance }) => instance as unknown));
  return [...instances].filter(
    (each): each is object => typeof each === 'object' && each !== null && Object.getPrototypeOf(each) !== null,
  );
};

const nameOf = ({ name }: RunningService): ServiceName => name as ServiceName;
const inputOf = (values: Values): Record<string, unknown> =>
  assembled([...values].map(([slot, value]) => [slot.path, value]));
const received = (succeeded: boolean, status: string, sent: unknown): Received => ({
  ...{ succeeded, status, compared: status },
  sent: JSON.stringify(sent),
});

const common = { kind: 'work', writes: true, by: 'administrator', doors: ['nobody'] } as const;

/** Documents in hand-over, so that an event from retrieval changes them. */
const awaitAnswers = (installation: Installation, group: Group, { ids }: TenantFixture): Promise<unknown> =>
  installation
    .owner('ingestion')
    .write(group, (tx) =>
      tx.query(
        `update ingestion.document set status = 'FRAGMENTADO', handed_over = 1 where group_id = $1 and document_id = $2`,
        [tx.groupId, ids.document],
      ),
    );

/** A user in deletion, so that an event about it ends the deletion. */
const awaitServices = (installation: Installation, group: Group, { ids }: TenantFixture): Promise<unknown> =>
  installation
    .owner('auth')
    .write(group, (tx) =>
      tx.query(`update auth.app_user set state = 'ELIMINANDO' where group_id = $1 and user_id = $2`, [
        tx.groupId,
        ids.user,
      ]),
    );

/** An event for one consumer, as if the calling group had published it. */
const consumerOperation = (
  installation: Installation,
  service: ServiceName,
  tables: readonly Table[],
  { event, handle }: Subscription,
): Operation => ({
  ...common,
  name: `${service} hears ${event.topic}`,
  writesTo: service,
  slots: slotsOf(event.payload).map((slot) => ({ ...slot, place: 'input' })),
  ready: async (group, fixture) => {
    if (service === 'ingestion') await awaitAnswers(installation, group, fixture);
    if (event === userDependentsDeleted) await awaitServices(installation, group, fixture);
  },
  ask: async (values, _door, { groupId }) => {
    const input = inputOf(values);
    const scope = new WorkScope(groupId, service, 'isolation');
    const ownTables = tables.filter(({ schema }) => schema === service);
    const before = await fingerprint(installation, ownTables, groupId);
    try {
      await installation.as(service).write(scope, (tx) => handle(scope, tx, revive(event.payload, input)));
    } catch (error) {
      return received(false, error instanceof Error ? error.name : 'Error', input);
    }
    const after = await fingerprint(installation, ownTables, groupId);
    // Deletes the resulting tasks: each stage is tried separately.
    await installation
      .as(service)
      .write(scope, (tx) => tx.query(`delete from ${service}.task where group_id = $1`, [groupId]));
    // An event about the caller's own fixture must leave a trace; otherwise the absence of traces in the other group
    // proves nothing.
    return received(JSON.stringify(before) !== JSON.stringify(after), 'heard', input);
  },
});

const subject: PlacedSlot = {
  ...{ path: ['subject_id'], name: 'Task.subject_id', required: true, list: false, isCode: true },
  ...{ schema: { type: 'string', format: 'uuid' }, place: 'input' },
};

/** Stores the objects that a hand-over of a fixture names. */
const insertWork = async (
  installation: Installation,
  { groupId }: Group,
  { ids, word }: TenantFixture,
): Promise<void> => {
  const objects = new DirectoryObjectStore(installation.directory.objects);
  const chunk = { ordinal: 0, page: null, start: 0, end: 4, text: `Agua ${word}`, context: '', language: 'es' };
  const chunks = JSON.stringify(encode(PreparedChunks, { chunks: [chunk] }));
  await objects.put({ groupId }, `group/${groupId}/chunks/${ids.document}`, Buffer.from(chunks));
  const text = JSON.stringify({ text: `Agua ${word}`, pages: [] });
  await objects.put({ groupId }, `group/${groupId}/text/${ids.document}`, Buffer.from(text));
  await objects.put({ groupId }, `group/${groupId}/vectors/${ids.document}`, Buffer.alloc(384 * 4, 1));
};

/** What a space lacks for a task: a version to write, or one that is no longer read. */
const spaceTasks: Readonly<Record<string, string>> = {
  'refresh-space': 'version = 0',
  'purge-space': 'version = 2, requested = 2',
};

/** A group whose spaces are due: one was refreshed long ago. */
const awaitRound = (installation: Installation, group: Group): Promise<unknown> =>
  installation.owner('auth').write(group, (tx) =>
    tx.query(
      `insert into auth.group_parameter (group_id, code, value) values ($1, 'SPACES_REFRESH_HOURS', '1')
       on conflict (group_id, code) do update set value = excluded.value`,
      [tx.groupId],
    ),
  );

const awaitTask = (
  installation: Installation,
  group: Group,
  { space }: TenantFixture,
  lacks: string,
): Promise<unknown> =>
  installation
    .owner('retrieval')
    .write(group, (tx) =>
      tx.query(`update retrieval.space set ${lacks} where group_id = $1 and space_id = $2`, [tx.groupId, space]),
    );

/** One task of a stage, as if the calling group had it. */
const stageOperation = (installation: Installation, service: ServiceName, bound: BoundStage): Operation => ({
  ...common,
  name: `${service} works ${bound.stage.name}`,
  writesTo: service,
  slots: [
    subject,
    ...(bound.stage.payload === undefined ? [] : slotsOf(bound.stage.payload)).map((slot): PlacedSlot => ({
      ...slot,
      path: ['payload', ...slot.path],
      place: 'input',
    })),
  ],
  ready: async (group, fixture) => {
    if (bound.stage.payload !== undefined || bound.stage.name.endsWith('skill'))
      await insertWork(installation, group, fixture);
    if (bound.stage.name === 'schedule-spaces') await awaitRound(installation, group);
    const lacks = spaceTasks[bound.stage.name];
    if (lacks !== undefined) await awaitTask(installation, group, fixture, lacks);
  },
  ask: async (values, _door, { groupId }) => {
    const { subject_id: subjectId, payload = {} } = inputOf(values);
    const database = installation.as(service);
    const scope = new WorkScope(groupId, service, 'isolation');
    const ownTables = [groupId, subjectId, bound.stage.name];
    await database.write(scope, (tx) =>
      tx.query(
        `insert into ${service}.task (group_id, subject_id, stage, generation, payload, priority) values ($1, $2, $3, 1, $4::jsonb, 99)
         on conflict (group_id, subject_id, stage, generation) do update set status = 'WAITING', not_before = now(), reason = null, attempts = 0`,
        [...ownTables, JSON.stringify(payload)],
      ),
    );
    const telemetry = new Telemetry(silent, new Metrics(`isolation-${randomUUID()}`));
    const runner = new StageRunner(service, new Tasks(service, database), database, telemetry);
    await runner.runBatch(bound, groupId);
    const [left] = await database.write(scope, (tx) =>
      tx.query<{ reason: string | null }>(
        `delete from ${service}.task where group_id = $1 and subject_id = $2 and stage = $3 returning reason`,
        ownTables,
      ),
    );
    const reason = left?.reason ?? null;
    return received(reason === null, reason ?? 'worked', { subjectId, payload });
  },
});

/** All background work of the services: an event for each consumer, and a task for each stage. */
export const workOf = (installation: Installation, tables: readonly Table[]): Operation[] =>
  installation.services.flatMap((running) => {
    const service = nameOf(running);
    const providers = providersOf(running);
    return [
      ...[...subscriptionsOf(service, providers).values()].map((subscription) =>
        consumerOperation(installation, service, tables, subscription),
      ),
      ...stagesOf(providers).map((bound) => stageOperation(installation, service, bound)),
    ];
  });

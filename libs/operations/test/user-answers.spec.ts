import { randomUUID } from 'node:crypto';
import { allEvents, ScopeClaims, servicesWithUserData, userDependents, userDependentsDeleted } from '@acervo/contracts';
import { CallServer, type WriteContexts } from '@acervo/platform-calls';
import { Outbox, subscriptionsOf } from '@acervo/platform-messaging';
import { Scope, WorkScope } from '@acervo/rbac';
import { Idempotency } from '../src/execution/idempotency';
import { IdempotencyStore } from '../src/execution/idempotency.store';
import { UserAnswersStore } from '../src/execution/user-answers.store';
import { UserProcessesStore } from '../src/processes/user-processes.store';
import { UserDeletionConsumer } from '../src/user-deletion/user-deletion.consumer';
import { UserDeletionHandlers } from '../src/user-deletion/user-deletion.handlers';
import { type Opened, openOperations } from './support';

let opened: Opened;
let idempotency: Idempotency;
let handlers: UserDeletionHandlers;
let consumer: UserDeletionConsumer;
beforeAll(async () => {
  opened = await openOperations();
  const store = new UserAnswersStore();
  const processes = new UserProcessesStore();
  idempotency = new Idempotency(opened.database, new IdempotencyStore());
  handlers = new UserDeletionHandlers(opened.database, store, processes);
  consumer = new UserDeletionConsumer(store, processes, new Outbox('operations'));
});
afterAll(() => opened.db.close());

const code = 'ana@example.test';
const [userId, otherId, groupId, otherGroup] = Array.from({ length: 4 }, () => randomUUID());
const scope = (over: Partial<ScopeClaims> = {}): Scope =>
  new Scope(Object.assign(new ScopeClaims(), { groupId, userId, credentialId: 'key', ...over }), 'token');
const count = async (caller: Scope): Promise<number | undefined> =>
  (await handlers.count(caller, { userId: userId ?? '', code })).dependencies[0]?.count;
const hear = (): Promise<void> =>
  opened.database.write({ groupId: groupId ?? '' }, (tx) =>
    consumer.delete(new WorkScope(groupId ?? '', 'operations', 'test'), tx, { userId: userId ?? '', code }),
  );
const stored = async (group: string | undefined): Promise<unknown[]> =>
  opened.database.read({ groupId: group ?? '' }, (tx) =>
    tx.query('select user_id as "userId", credential_id as credential, key from operations.idempotency order by key'),
  );

describe('the stored answers of a deleted user', () => {
  it('those of all keys and sessions of the user are counted, of no other user or group', async () => {
    const answer = async (): Promise<Record<string, unknown>> => ({ done: true });
    await idempotency.run(scope(), 'a', {}, answer);
    await idempotency.run(scope({ credentialId: 'session' }), 'b', {}, answer);
    await idempotency.run(scope({ userId: otherId ?? '', credentialId: 'theirs' }), 'c', {}, answer);
    await idempotency.run(scope({ groupId: otherGroup ?? '' }), 'd', {}, answer);
    const lost = idempotency.run(scope(), 'in doubt', {}, () => Promise.reject(new Error('lost')));
    await expect(lost).rejects.toThrow('lost');
    expect(await count(scope())).toBe(2);
    expect(await count(scope({ groupId: otherGroup ?? '' }))).toBe(1);
  });
  it('exactly those are deleted, with the requests in doubt, and each event is acknowledged', async () => {
    for (let delivery = 0; delivery < 2; delivery += 1) await hear();
    expect(await stored(groupId)).toEqual([{ userId: otherId, credential: 'theirs', key: 'c' }]);
    expect(await stored(otherGroup)).toHaveLength(1);
    expect(await count(scope())).toBe(0);
    const events = await opened.db.asOwner(
      'operations',
      'select group_id, topic, event_key, payload from operations.outbox where topic = $1',
      [userDependentsDeleted.topic],
    );
    const acknowledged = { group_id: groupId, topic: userDependentsDeleted.topic, event_key: userId };
    const event = { ...acknowledged, payload: { user_id: userId, service: 'operations' } };
    expect(events).toEqual([event, event]);
  });
  it('an answer that arrives after the deletion is not stored', async () => {
    const deleting = async (): Promise<Record<string, unknown>> => {
      await hear();
      return { deleted: true };
    };
    await expect(idempotency.run(scope(), 'itself', {}, deleting)).resolves.toEqual({ deleted: true });
    expect(await stored(groupId)).toHaveLength(1);
  });
});

describe('a service with data of users', () => {
  it.each(servicesWithUserData)('%s does not start without counting and deleting them', (service) => {
    const server = new CallServer(service, {} as WriteContexts);
    expect(() => server.register([])).toThrow(userDependents[service].code);
    const topics = allEvents().flatMap(({ topic, subscribers }) => (subscribers.includes(service) ? [topic] : []));
    expect(topics).toContain('user.deletion_started.v1');
    expect(() => subscriptionsOf(service, [])).toThrow(/does not listen to .*user\.deletion_started\.v1/);
  });
});

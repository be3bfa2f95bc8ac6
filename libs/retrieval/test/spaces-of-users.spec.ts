import { randomUUID } from 'node:crypto';
import { ScopeClaims, spaceDeleted, userDependentsDeleted } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import { Failpoints, Outbox } from '@acervo/platform-messaging';
import { Tasks } from '@acervo/platform-queue';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { Scope, WorkScope } from '@acervo/rbac';
import { retrievalMigrations } from '../src/migrations';
import { MemberStore } from '../src/space-members/member.store';
import { PurgeSpaceStage } from '../src/spaces/purge-space.stage';
import { PURGE_SPACE_STAGE } from '../src/space-members/stages';
import { UserSpacesConsumer } from '../src/spaces/user-spaces.consumer';
import { UserSpacesHandlers } from '../src/spaces/user-spaces.handlers';
import { UserSpacesStore } from '../src/spaces/user-spaces.store';

const code = 'ana@example.test';
const [userId, otherId, groupId, otherGroup] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const MANY = 2_300;

describe('the spaces of a deleted user', () => {
  let db: TestDatabase;
  let database: Database;
  let tasks: Tasks;
  let purge: PurgeSpaceStage;
  let consumer: UserSpacesConsumer;
  let handlers: UserSpacesHandlers;
  beforeAll(async () => {
    db = await openTestDatabase({ retrieval: migrationsOf('retrieval', retrievalMigrations) });
    database = db.database('retrieval');
    tasks = new Tasks('retrieval', database);
    purge = new PurgeSpaceStage(database, tasks, new MemberStore(), Failpoints.none);
    const store = new UserSpacesStore();
    consumer = new UserSpacesConsumer(store, tasks, new Outbox('retrieval'));
    handlers = new UserSpacesHandlers(database, store);
    await add(groupId, 1, 'AREA', userId, MANY);
    await add(groupId, 2, 'AREA', otherId, 3);
    await add(groupId, 3, 'ESPACIO', userId, 3);
    await add(groupId, 4, 'AREA', userId, 0);
    await add(otherGroup, 1, 'AREA', userId, 3);
  });
  afterAll(() => db.close());

  const add = (group: string, id: number, type: string, owner: string, members: number): Promise<void> =>
    database.write({ groupId: group }, async (tx) => {
      await tx.query(
        `insert into retrieval.space (group_id, space_id, name, description, type, owner_id, version)
         values ($1, $2, 'Obras', '', $3, $4, 2)`,
        [group, id, type, owner],
      );
      await tx.query(
        `insert into retrieval.space_member (group_id, space_id, version, document_id)
         select $1, $2, 2 - n % 2, gen_random_uuid() from generate_series(1, $3::int) n`,
        [group, id, members],
      );
    });
  const spaces = (group: string): Promise<unknown[]> =>
    database.read({ groupId: group }, (tx) =>
      tx.query(
        `select space_id as id, owner_id as owner, (select count(*)::int from retrieval.space_member m
           where m.group_id = s.group_id and m.space_id = s.space_id) as members
         from retrieval.space s where group_id = $1 order by 1`,
        [group],
      ),
    );
  const members = async (): Promise<number> =>
    (await database.read({ groupId }, (tx) => tx.query('select from retrieval.space_member'))).length;
  const count = (group: string): Promise<unknown> =>
    handlers.count(new Scope(Object.assign(new ScopeClaims(), { groupId: group }), 'token'), { userId, code });
  const hear = (): Promise<void> =>
    database.write({ groupId }, (tx) =>
      consumer.release(new WorkScope(groupId, 'retrieval', 'test'), tx, { userId, code }),
    );
  const workMembers = async (): Promise<number> => {
    const scope = new WorkScope(groupId, 'retrieval', 'test');
    await database.write(scope, (tx) => tx.query('update retrieval.task set not_before = now()'));
    const leases = await tasks.claim(scope, PURGE_SPACE_STAGE.name, 4, 30);
    await purge.purge(scope, leases, new AbortController().signal);
    return leases.length;
  };
  const counted = (areas: number, shared: number) => ({
    dependencies: [
      { kind: 'areas_de_trabajo', count: areas },
      { kind: 'espacios_compartidos', count: shared },
    ],
  });

  it('the preview counts the spaces that the user owns in the group', async () => {
    expect([await count(groupId), await count(otherGroup)]).toEqual([counted(2, 1), counted(1, 0)]);
  });

  it('working sets are deleted, shared spaces belong to the administrators', async () => {
    for (let delivery = 0; delivery < 2; delivery += 1) await hear();
    expect(await spaces(groupId)).toEqual([
      { id: 2, owner: otherId, members: 3 },
      { id: 3, owner: null, members: 3 },
    ]);
    expect([await count(groupId), await spaces(otherGroup)]).toEqual([
      counted(0, 0),
      [{ id: 1, owner: userId, members: 3 }],
    ]);
  });

  it('each event is answered', async () => {
    const events = await db.asOwner('retrieval', 'select group_id, payload from retrieval.outbox where topic = $1', [
      userDependentsDeleted.topic,
    ]);
    const answer = { group_id: groupId, payload: { user_id: userId, service: 'retrieval' } };
    expect(events).toEqual([answer, answer]);
  });

  it('each deleted set is announced once, and no other space', async () => {
    const sql = 'select group_id, payload from retrieval.outbox where topic = $1 order by id';
    const announced = (await db.asOwner('retrieval', sql, [spaceDeleted.topic])).map(({ payload }) => payload);
    expect(announced).toEqual(expect.arrayContaining([{ space_id: 1 }, { space_id: 4 }]));
    expect(announced).toHaveLength(2);
  });

  it('members of deleted sets are removed in the background, others stay', async () => {
    expect(await members()).toBe(MANY + 6);
    expect([await workMembers(), await workMembers()]).toEqual([2, 0]);
    expect(await members()).toBe(6);
  });
});

import { randomUUID } from 'node:crypto';
import {
  ask,
  documentDeleted,
  getConversation,
  listConversations,
  NotFound,
  type Question,
  repeatAnswer,
  userDeletionStarted,
  userDependents,
} from '@acervo/contracts';
import { administratorOf, newGroup, type ServiceTestBed } from '@acervo/platform-test-bed';
import { GroupRounds } from '@acervo/platform-service';
import type { Scope } from '@acervo/rbac';
import { openBed } from '../../test/bed';
import { DocumentsWorld } from '../../test/documents-world';
import { rowsOf, stores } from '../../test/rows';
import { Upkeep } from './upkeep';

const RENT = 'La renta del local de la calle Mayor es de 850 euros al mes.';
const WATER = 'Los turnos de noche empiezan a las diez y duran cuatro horas.';
const ASKED_RENT = '¿Cuál es la renta del local de la calle Mayor?';
const ASKED_WATER = '¿A qué hora empiezan los turnos de noche?';
const DELETED = { documentId: randomUUID(), revision: 4, code: 'D1' };

const world = new DocumentsWorld();
let bed: ServiceTestBed;
beforeAll(async () => {
  bed = await openBed({ neighbours: world });
});
afterAll(() => bed.close());
beforeEach(() => world.reset({ D1: RENT, D2: WATER }));

const person = (groupId = newGroup()): Scope => {
  if (!world.groups.includes(groupId)) world.groups.push(groupId);
  return administratorOf(groupId, { userId: randomUUID(), credentialId: 'k', functions: ['CHAT-USER'] });
};
const asking = (question: string): Question => ({ question, mode: 'default' });
const asked = (scope: Scope, question: string, more: Partial<Question> = {}) =>
  bed.send(ask, scope, { ...asking(question), ...more });
const answersOf = async (scope: Scope, conversationId: number): Promise<string[]> =>
  (await bed.send(getConversation, scope, { conversationId })).messages
    .filter(({ role }) => role === 'ASSISTANT')
    .map(({ text }) => text);
const upkeep = (): Promise<void> => bed.get(Upkeep).round();
const change = ({ groupId }: Scope, sql: string, ...more: unknown[]): Promise<unknown> =>
  bed.database.write({ groupId }, (tx) => tx.query(sql, [groupId, ...more]));

it('rounds begin with the service and end with it', () => {
  const [start, stop] = [jest.spyOn(GroupRounds.prototype, 'start'), jest.spyOn(GroupRounds.prototype, 'stop')];
  const service = bed.get(Upkeep);
  service.onModuleInit();
  expect([start.mock.calls.length, stop.mock.calls.length]).toEqual([1, 0]);
  service.onModuleDestroy();
  expect(stop.mock.contexts).toEqual(start.mock.contexts);
});

describe('the deletion of a document', () => {
  it('erases the answers that cite it, and no other', async () => {
    const scope = person();
    const { conversationId } = await asked(scope, ASKED_RENT);
    await asked(scope, ASKED_WATER, { conversationId });
    expect(await rowsOf(bed, scope.groupId)).toEqual({ conversation: 1, message: 4, citation: 2 });
    await bed.deliver(documentDeleted, scope.groupId, DELETED);
    expect(await rowsOf(bed, scope.groupId)).toEqual({ conversation: 1, message: 4, citation: 1 });
    expect(await stores(bed, scope.groupId, '850')).toBe(false);
    const [rent, water] = await answersOf(scope, conversationId);
    expect([rent?.includes('850'), water?.includes('a las diez')]).toEqual([false, true]);
  });
  it('stays withdrawn when the document comes back', async () => {
    const scope = person();
    const { conversationId } = await asked(scope, ASKED_RENT);
    await bed.deliver(documentDeleted, scope.groupId, DELETED);
    expect((await answersOf(scope, conversationId))[0]).not.toContain('850');
  });
  it('erases nothing twice when its event comes again', async () => {
    const scope = person();
    const { conversationId } = await asked(scope, ASKED_RENT);
    const eventId = randomUUID();
    await bed.deliver(documentDeleted, scope.groupId, DELETED, eventId);
    const before = await rowsOf(bed, scope.groupId);
    const again = await asked(scope, ASKED_RENT, { conversationId });
    await bed.deliver(documentDeleted, scope.groupId, DELETED, eventId);
    expect(again.answer).toContain('850');
    expect((await answersOf(scope, conversationId)).map((text) => text.includes('850'))).toEqual([false, true]);
    expect(before).toEqual({ conversation: 1, message: 2 });
    await bed.deliver(documentDeleted, scope.groupId, DELETED);
    await bed.deliver(documentDeleted, scope.groupId, DELETED);
    expect(await rowsOf(bed, scope.groupId)).toEqual({ conversation: 1, message: 4 });
  });
  it('erases a refusal that names the document', async () => {
    const scope = person();
    await asked(scope, '¿Quién pintó el retablo de la ermita?');
    expect(await stores(bed, scope.groupId, 'D1.txt')).toBe(true);
    await bed.deliver(documentDeleted, scope.groupId, DELETED);
    expect(await stores(bed, scope.groupId, 'D1.txt')).toBe(false);
  });
  it('reaches the answer that an idempotency key finds', async () => {
    const scope = person();
    const idempotencyKey = 'once';
    await bed.server.dispatch({
      ...{ code: ask.code, caller: 'gateway', scope, idempotencyKey },
      input: { ...asking(ASKED_RENT) },
    });
    await bed.deliver(documentDeleted, scope.groupId, DELETED);
    const { answer } = await bed.send(repeatAnswer, scope, { ...asking(ASKED_RENT), idempotencyKey });
    expect([answer.length > 0, answer.includes('850')]).toEqual([true, false]);
  });
  it('leaves answers of another group unchanged', async () => {
    const [scope, other] = [person(), person()];
    for (const each of [scope, other]) await asked(each, ASKED_RENT);
    await bed.deliver(documentDeleted, scope.groupId, DELETED);
    expect(await rowsOf(bed, other.groupId)).toEqual({ conversation: 1, message: 2, citation: 1 });
  });
});

describe('an answer that is stored after the deletion of its document', () => {
  it('is never shown, and erased by upkeep', async () => {
    const scope = person();
    world.untilSearched = async () => {
      world.untilSearched = () => Promise.resolve();
      await bed.deliver(documentDeleted, scope.groupId, DELETED);
    };
    const { conversationId } = await asked(scope, ASKED_RENT);
    world.documents.delete('D1');
    expect(await stores(bed, scope.groupId, '850')).toBe(true);
    expect((await answersOf(scope, conversationId))[0]).not.toContain('850');
    await upkeep();
    expect(await stores(bed, scope.groupId, '850')).toBe(false);
    expect(await rowsOf(bed, scope.groupId)).toEqual({ conversation: 1, message: 2 });
  });
  it('is erased where the event never came, and other answers stay', async () => {
    const [scope, other] = [person(), person()];
    for (const each of [scope, other]) {
      await asked(each, ASKED_RENT);
      await asked(each, ASKED_WATER);
    }
    world.documents.delete('D1');
    await upkeep();
    for (const { groupId } of [scope, other])
      expect(await rowsOf(bed, groupId)).toEqual({ conversation: 2, message: 4, citation: 1 });
  });
});

describe('the retention of conversations', () => {
  const aged = async (scope: Scope, days: number): Promise<number> => {
    const { conversationId } = await asked(scope, ASKED_RENT);
    const sql = `update chat.conversation set updated_at = now() - make_interval(days => $3)
      where group_id = $1 and conversation_id = $2`;
    await change(scope, sql, conversationId, days);
    return conversationId;
  };
  const listed = async (scope: Scope): Promise<number[]> =>
    (await bed.send(listConversations, scope, { limit: 200 })).conversations.map((each) => each.conversationId);

  it('older ones are deleted with all that belongs to them', async () => {
    const scope = person();
    await aged(scope, 31);
    const recent = await aged(scope, 29);
    world.parameters.set('CONVERSATION_RETENTION_DAYS', '30');
    await upkeep();
    expect(await listed(scope)).toEqual([recent]);
    expect(await rowsOf(bed, scope.groupId)).toEqual({ conversation: 1, message: 2, citation: 1 });
  });
  it('all older ones are deleted, however many there are', async () => {
    const scope = person();
    await change(
      scope,
      `insert into chat.conversation (group_id, conversation_id, user_id, function_code, mode, title, layers, updated_at)
       select $1, n, $2, 'CHAT-USER', 'default', '', '[]', now() - interval '9 days' from generate_series(1, 120) n`,
      scope.userId,
    );
    world.parameters.set('CONVERSATION_RETENTION_DAYS', '8');
    await upkeep();
    expect(await rowsOf(bed, scope.groupId)).toEqual({});
  });
  it('without a number of days nothing is deleted', async () => {
    const scope = person();
    const old = await aged(scope, 4_000);
    await upkeep();
    expect(await listed(scope)).toEqual([old]);
  });
  it('a question to a conversation that is deleted meanwhile is refused, and stores nothing', async () => {
    const scope = person();
    const conversationId = await aged(scope, 31);
    world.parameters.set('CONVERSATION_RETENTION_DAYS', '30');
    world.untilSearched = upkeep;
    await expect(asked(scope, ASKED_RENT, { conversationId })).rejects.toThrow(NotFound);
    expect(await rowsOf(bed, scope.groupId)).toEqual({});
  });
});

describe('the deletion of a user', () => {
  const identity = (scope: Scope) => ({ userId: scope.userId, code: 'ana@example.test' });

  it('an answer that is stored after it is deleted by upkeep', async () => {
    const scope = person();
    const other = person(scope.groupId);
    await asked(other, ASKED_RENT);
    world.untilSearched = async () => {
      world.untilSearched = () => Promise.resolve();
      await bed.deliver(userDeletionStarted, scope.groupId, identity(scope));
    };
    await asked(scope, ASKED_RENT);
    expect(await rowsOf(bed, scope.groupId)).toMatchObject({ conversation: 2, deleted_user: 1 });
    await upkeep();
    expect(await rowsOf(bed, scope.groupId)).toEqual({ conversation: 1, message: 2, citation: 1, deleted_user: 1 });
    await change(
      scope,
      `with gone as (delete from chat.deleted_user where group_id = $1 returning *)
       insert into chat.deleted_user select group_id, gen_random_uuid(), now() - interval '25 hours' from gone`,
    );
    await upkeep();
    expect(await rowsOf(bed, scope.groupId)).toEqual({ conversation: 1, message: 2, citation: 1 });
  });
  it('conversations in other groups are deleted by upkeep', async () => {
    const scope = person();
    const elsewhere = person();
    const bystander = person(elsewhere.groupId);
    const visiting = administratorOf(elsewhere.groupId, {
      ...{ userId: scope.userId, credentialId: 'k', functions: ['CHAT-USER'] },
    });
    for (const each of [visiting, bystander]) await asked(each, ASKED_RENT);
    await bed.deliver(userDeletionStarted, scope.groupId, identity(scope));
    await upkeep();
    expect(await rowsOf(bed, elsewhere.groupId)).toEqual({ conversation: 1, message: 2, citation: 1 });
  });
  it.each([
    [true, 2],
    [false, 1],
    [undefined, 1],
  ])('conversations elsewhere are counted for SYSTEM alone (%s)', async (isSystem, count) => {
    const scope = person();
    const visiting = administratorOf(person().groupId, {
      ...{ userId: scope.userId, credentialId: 'k', functions: ['CHAT-USER'] },
    });
    for (const each of [scope, visiting]) await asked(each, ASKED_RENT);
    const counted = { ...identity(scope), ...(isSystem === undefined ? {} : { isSystem }) };
    const { dependencies } = await bed.send(userDependents.chat, scope, counted);
    expect(dependencies).toEqual([{ kind: 'conversaciones', count }]);
  });
  it('another group that fails leaves the work of this one done', async () => {
    const scope = person();
    const { conversationId } = await asked(scope, ASKED_RENT);
    await bed.deliver(userDeletionStarted, scope.groupId, { ...identity(scope), userId: randomUUID() });
    world.groups.push('no-uuid');
    world.documents.delete('D1');
    await upkeep();
    expect((await answersOf(scope, conversationId))[0]).not.toContain('850');
    expect(await stores(bed, scope.groupId, '850')).toBe(false);
  });
});

describe('upkeep', () => {
  it('a group that fails does not stop the others', async () => {
    const [broken, scope] = [person(), person()];
    for (const each of [broken, scope]) await asked(each, ASKED_RENT);
    world.groups.splice(0, 1, 'no-uuid');
    world.documents.delete('D1');
    await upkeep();
    expect(await stores(bed, scope.groupId, '850')).toBe(false);
    expect(await stores(bed, broken.groupId, '850')).toBe(true);
  });
});

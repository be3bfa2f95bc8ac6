import { randomUUID } from 'node:crypto';
import { NotFound, processRequested } from '@acervo/contracts';
import type { Database, Transaction } from '@acervo/platform-database';
import { migrationsOf } from '@acervo/platform-service';
import { administratorOf } from '@acervo/platform-test-bed';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { Outbox } from '@acervo/platform-messaging';
import type { Scope } from '@acervo/rbac';
import { ConversationStore } from '../conversations/conversation.store';
import { CounterStore } from '../conversations/counter.store';
import { MessageStore } from '../conversations/message.store';
import { chatMigrations } from '../migrations';
import { OFFER } from './support-offer';
import { SupportRequestStore } from './support-request.store';
import { SupportRequests } from './support-requests';

const counter = new CounterStore();
const conversations = new ConversationStore(counter);
const messages = new MessageStore(counter);
const support = new SupportRequests(new SupportRequestStore(counter), new Outbox('chat'));

let engine: TestDatabase;
let database: Database;
beforeAll(async () => {
  engine = await openTestDatabase({ chat: migrationsOf('chat', chatMigrations) });
  database = engine.database('chat');
});
afterAll(() => engine.close());

const newUser = (): Scope => administratorOf(randomUUID(), { userId: randomUUID() });

const add = (tx: Transaction, conversationId: number, question: string, answer: string) =>
  messages.append(tx, { conversationId, question, answer, language: 'es', state: 'ABSTAINED', citations: [] });

/** A conversation of a user with a question that help did not settle. */
const unsettled = (scope: Scope, question = '¿De qué color es?'): Promise<number> =>
  database.write(scope, async (tx) => {
    const opened = { userId: scope.userId, functionCode: 'CHAT-USER', mode: 'help', title: '' } as const;
    const conversationId = await conversations.open(tx, { ...opened, model: null, layers: [] });
    await add(tx, conversationId, question, OFFER.es);
    return conversationId;
  });

const accept = (scope: Scope, conversationId: number, language = 'es') =>
  database.write(scope, (tx) => support.register(tx, scope, { conversationId, question: 'sí', language }));

const requestsOf = (scope: Scope) =>
  database.read(scope, (tx) =>
    tx.query<Readonly<Record<string, unknown>>>(
      `select code, user_id as "userId", conversation_id as "conversationId", question, state from chat.support_request
       where group_id = $1 order by code`,
      [scope.groupId],
    ),
  );

describe('a support request', () => {
  it('an acceptance registers the question of the offer under a code', async () => {
    const scope = newUser();
    const conversationId = await unsettled(scope);
    expect(await accept(scope, conversationId)).toEqual({
      code: 'S1',
      text: 'La solicitud de soporte S1 está registrada.',
    });
    expect(await requestsOf(scope)).toEqual([
      { code: 'S1', userId: scope.userId, conversationId, question: '¿De qué color es?', state: 'OPEN' },
    ]);
  });
  it('it becomes a process of its user under the same code', async () => {
    const scope = newUser();
    await accept(scope, await unsettled(scope));
    const sql = `select payload from chat.outbox where topic = $1 and group_id = $2`;
    const events = await engine.asOwner('chat', sql, [processRequested.topic, scope.groupId]);
    expect(events.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ code: 'S1', subject: 'S1', user_id: scope.userId, description: '¿De qué color es?' }),
    ]);
  });
  it('a second acceptance of an offer gets the same code', async () => {
    const scope = newUser();
    const conversationId = await unsettled(scope);
    const codes = await Promise.all([1, 2, 3].map(() => accept(scope, conversationId, 'en')));
    expect(new Set(codes.map(({ text }) => text))).toEqual(new Set(['The support request S1 is registered.']));
    expect(await requestsOf(scope)).toHaveLength(1);
  });
  it('a later offer of the conversation has a request of its own', async () => {
    const scope = newUser();
    const conversationId = await unsettled(scope);
    const first = await accept(scope, conversationId);
    await database.write(scope, (tx) => add(tx, conversationId, '¿Y de qué tamaño?', OFFER.en));
    const second = await accept(scope, conversationId);
    expect(second.code).not.toBe(first.code);
    expect((await requestsOf(scope)).map(({ question }) => question)).toEqual([
      '¿De qué color es?',
      '¿Y de qué tamaño?',
    ]);
  });
  it('a conversation without an offer, or of another user, has none', async () => {
    const scope = newUser();
    const conversationId = await unsettled(scope);
    const other = administratorOf(scope.groupId, { userId: randomUUID() });
    const settled = await database.write(scope, async (tx) => {
      const opened = { userId: scope.userId, functionCode: 'CHAT-USER', mode: 'help', title: '' } as const;
      const id = await conversations.open(tx, { ...opened, model: null, layers: [] });
      await add(tx, id, '¿Qué hace Acervo?', `Acervo busca. ${OFFER.es}`);
      return id;
    });
    await expect(accept(other, conversationId)).rejects.toThrow(NotFound);
    await expect(accept(newUser(), conversationId)).rejects.toThrow(NotFound);
    await expect(accept(scope, settled)).rejects.toThrow(NotFound);
    expect(await requestsOf(scope)).toEqual([]);
  });
  it('a transaction that fails registers nothing', async () => {
    const scope = newUser();
    const conversationId = await unsettled(scope);
    const failing = database.write(scope, async (tx) => {
      await support.register(tx, scope, { conversationId, question: 'sí', language: 'es' });
      throw new Error('The pair was not stored.');
    });
    await expect(failing).rejects.toThrow('The pair was not stored.');
    expect(await requestsOf(scope)).toEqual([]);
  });
});

describe('the end of a support request', () => {
  it('it is deleted with its conversation, and with its user', async () => {
    const scope = newUser();
    const [other, gone] = [await unsettled(scope), await unsettled(scope)];
    for (const conversationId of [other, gone]) await accept(scope, conversationId);
    await database.write(scope, (tx) => conversations.delete(tx, scope.userId, gone));
    expect((await requestsOf(scope)).map((row) => row['conversationId'])).toEqual([other]);
    await database.write(scope, (tx) => conversations.deleteAll(tx, scope.userId));
    expect(await requestsOf(scope)).toEqual([]);
  });
});

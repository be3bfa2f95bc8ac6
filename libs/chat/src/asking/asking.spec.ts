import { randomUUID } from 'node:crypto';
import {
  ask,
  Conflict,
  deleteConversation,
  DoneBefore,
  getConversation,
  listConversations,
  NotFound,
  openConversation,
  type Question,
  QuotaExceeded,
  repeatAnswer,
  type ScopeClaims,
  userDeletionStarted,
  userDependents,
} from '@acervo/contracts';
import { administratorOf, newGroup, type ServiceTestBed } from '@acervo/platform-test-bed';
import type { Scope } from '@acervo/rbac';
import { openBed } from '../../test/bed';
import { DocumentsWorld } from '../../test/documents-world';

const RENT = 'La renta del local de la calle Mayor es de 850 euros al mes. Se paga el día 5.';
const WATER = 'Los turnos de noche empiezan a las diez y duran cuatro horas.';
const QUESTION = '¿Cuál es la renta del local de la calle Mayor?';

const world = new DocumentsWorld();
let bed: ServiceTestBed;
beforeAll(async () => {
  bed = await openBed({ neighbours: world });
  world.dispatchToChat = (sent) => bed.server.dispatch(sent);
});
afterAll(() => bed.close());
beforeEach(() => world.reset({ D1: RENT, D2: WATER }));

const person = (claims: Partial<ScopeClaims> = {}): Scope =>
  administratorOf(newGroup(), { userId: randomUUID(), credentialId: 'k', functions: ['CHAT-USER'], ...claims });
const asking = (question: Partial<Question> = {}): Question => ({ question: QUESTION, mode: 'default', ...question });
const asked = (scope: Scope, question: Partial<Question> = {}) => bed.send(ask, scope, asking(question));
const keyed = (scope: Scope, idempotencyKey: string, question: Partial<Question> = {}) =>
  bed.server.dispatch({
    ...{ code: ask.code, caller: 'gateway', scope, idempotencyKey },
    input: { question: QUESTION, mode: 'default', ...question },
  });
const messagesOf = async (scope: Scope, conversationId: number) =>
  (await bed.send(getConversation, scope, { conversationId })).messages;

describe('a question', () => {
  it('its answer is a sentence of a document with its source', async () => {
    const { answer } = await asked(person());
    expect(answer).toBe(
      'La renta del local de la calle Mayor es de 850 euros al mes [1].\n\nFuentes:\n[1] D1.txt: https://acervo.test/app/D1',
    );
  });
  it('one that the documents do not answer is refused without marks and links', async () => {
    const { answer } = await asked(person(), { question: '¿Quién pintó el retablo de la ermita?' });
    expect(answer).toContain('D1.txt; D2.txt');
    expect(answer).not.toMatch(/\[\d|https?:/);
  });
  it('it is stored with its answer, and the conversation is named after it', async () => {
    const scope = person();
    const { conversationId, messageId, userMessageId } = await asked(scope);
    const { conversations, total } = await bed.send(listConversations, scope, { limit: 50 });
    expect({ total, ...conversations[0] }).toMatchObject({
      ...{ total: 1, conversationId, title: QUESTION, messageCount: 2, functionCode: 'CHAT-USER', mode: 'default' },
    });
    expect(await messagesOf(scope, conversationId)).toMatchObject([
      { messageId: userMessageId, role: 'USER', text: QUESTION, citations: [] },
      {
        messageId,
        role: 'ASSISTANT',
        citations: [{ number: 1, documentCode: 'D1', quote: RENT.split('. ')[0] + '.' }],
      },
    ]);
  });
  it('one that refers back is searched with the words of those before it', async () => {
    const scope = person();
    const { conversationId } = await asked(scope);
    await asked(scope, { question: '¿Y qué día se paga?', conversationId });
    expect(world.searches.map(({ query }) => query)[1]).toMatch(/paga.*renta/);
    expect(await messagesOf(scope, conversationId)).toHaveLength(4);
  });
  it('one without a quota left stores nothing', async () => {
    const scope = person();
    world.retrievalsLeft = 0;
    await expect(asked(scope)).rejects.toThrow(QuotaExceeded);
    expect((await bed.send(listConversations, scope, { limit: 50 })).total).toBe(0);
  });
  it('it costs one retrieval, and help costs none', async () => {
    const scope = person();
    await asked(scope);
    await asked(scope, { mode: 'help', question: '¿Qué es un espacio?' });
    expect(world.searches).toHaveLength(1);
  });
  it('help is refused where the group does without it', async () => {
    world.parameters.set('HELP_ENABLED', 'false');
    await expect(asked(person(), { mode: 'help' })).rejects.toThrow(Conflict);
  });
  it('a function that the caller lacks is not found', async () => {
    await expect(asked(person(), { functionCode: 'CHAT-FINAL-USER' })).rejects.toThrow(NotFound);
  });
  it('the conversation of another user is not found', async () => {
    const scope = person();
    const { conversationId } = await asked(scope);
    const other = person({ groupId: scope.groupId });
    for (const attempt of [
      asked(other, { conversationId }),
      bed.send(getConversation, other, { conversationId }),
      bed.send(deleteConversation, other, { conversationId }),
    ])
      await expect(attempt).rejects.toThrow(NotFound);
  });
});

describe('a repeated request', () => {
  it('it stores one pair and gets its answer', async () => {
    const scope = person();
    const first = await keyed(scope, 'once');
    await expect(keyed(scope, 'once')).rejects.toThrow(DoneBefore);
    const again = await bed.send(repeatAnswer, scope, { ...asking(), idempotencyKey: 'once' });
    expect(again).toEqual({
      ...{ answer: first['answer'], conversationId: first['conversation_id'] },
      ...{ messageId: first['message_id'], userMessageId: first['user_message_id'] },
    });
    expect((await bed.send(listConversations, scope, { limit: 50 })).conversations).toMatchObject([
      { messageCount: 2 },
    ]);
  });
  it('of two at once one is answered, and the other costs nothing', async () => {
    const scope = person();
    const settled = await Promise.allSettled([keyed(scope, 'once'), keyed(scope, 'once')]);
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(settled.find((each) => each.status === 'rejected')?.reason).toBeInstanceOf(DoneBefore);
    expect(world.searches.length - world.refunds).toBe(1);
    expect((await bed.send(listConversations, scope, { limit: 50 })).conversations).toMatchObject([
      { messageCount: 2 },
    ]);
  });
  it('another question under its key is refused', async () => {
    const scope = person();
    await keyed(scope, 'once');
    const other = { ...asking({ question: 'Otra cosa' }), idempotencyKey: 'once' };
    await expect(bed.send(repeatAnswer, scope, other)).rejects.toThrow(Conflict);
  });
  it('its answer is hidden once a document is out of reach', async () => {
    const scope = person();
    await keyed(scope, 'once');
    world.hidden.add('D1');
    const { answer } = await bed.send(repeatAnswer, scope, { ...asking(), idempotencyKey: 'once' });
    expect(answer).not.toContain('850');
  });
});

describe('an answer that fails', () => {
  it('one that cannot be stored is refunded', async () => {
    const scope = person();
    await bed.engine.asOwner('chat', 'alter table chat.counter rename to away');
    try {
      await expect(asked(scope)).rejects.toThrow();
    } finally {
      await bed.engine.asOwner('chat', 'alter table chat.away rename to counter');
    }
    expect([world.searches.length, world.refunds]).toEqual([1, 1]);
    expect((await bed.send(listConversations, scope, { limit: 50 })).total).toBe(0);
  });
  it('one that breaks behind its search is a pair that says so, and its key asks again', async () => {
    const scope = person();
    world.isDamaged = true;
    await expect(keyed(scope, 'once')).rejects.toThrow();
    expect([world.searches.length, world.refunds]).toEqual([1, 1]);
    const { conversations } = await bed.send(listConversations, scope, { limit: 50 });
    const [{ conversationId = 0 } = {}] = conversations;
    expect(await messagesOf(scope, conversationId)).toMatchObject([
      { text: QUESTION },
      { text: 'No se ha podido responder por un error del servicio. Vuelve a intentarlo.', citations: [] },
    ]);
    world.isDamaged = false;
    expect((await keyed(scope, 'once'))['answer']).toContain('850 euros');
  });
});

describe('the language of a short question', () => {
  it.each([
    ['Otra cosa', 'es', /^No encuentro/],
    ['Vespasiano', 'es', /^No encuentro/],
    ['Vespasiano', 'en', /^The answer is not/],
    ['¿Quién?', 'en', /^No encuentro/],
  ])('%s in a group that prefers %s', async (question, language, answer) => {
    world.parameters.set('LANGUAGE', language);
    expect((await asked(person(), { question })).answer).toMatch(answer);
  });
});

describe('what was answered from a document out of reach', () => {
  it('the answer is a fixed sentence without citations', async () => {
    const scope = person();
    const { conversationId } = await asked(scope);
    world.hidden.add('D1');
    const [, answer] = await messagesOf(scope, conversationId);
    expect(answer).toMatchObject({ citations: [] });
    expect(answer?.text).not.toMatch(/850|D1/);
    world.hidden.clear();
    expect((await messagesOf(scope, conversationId))[1]?.text).toContain('850');
  });
  it('a refusal that names it is hidden too', async () => {
    const scope = person();
    const { conversationId } = await asked(scope, { question: '¿Quién pintó el retablo de la ermita?' });
    expect((await messagesOf(scope, conversationId))[1]).toMatchObject({ citations: [] });
    world.hidden.add('D2');
    expect((await messagesOf(scope, conversationId))[1]?.text).not.toContain('D1.txt');
  });
});

describe('help', () => {
  it('a question that it does not settle is registered once on request', async () => {
    const scope = person();
    const { conversationId } = await asked(scope, { mode: 'help', question: '¿De qué color es el cielo en Marte?' });
    const accepted = await asked(scope, { mode: 'help', question: 'Sí, por favor', conversationId });
    expect(accepted.answer).toMatch(/S1/);
    expect(await messagesOf(scope, conversationId)).toHaveLength(4);
  });
});

describe('conversations of a user', () => {
  it('an opened one is empty until its first question', async () => {
    const scope = person();
    const opened = await bed.send(openConversation, scope, { functionCode: 'CHAT-USER' });
    expect(opened).toMatchObject({ functionCode: 'CHAT-USER', title: '' });
    await asked(scope, { conversationId: opened.conversationId });
    expect((await bed.send(getConversation, scope, opened)).title).toBe(QUESTION);
  });
  it('a deleted one takes its messages and requests along', async () => {
    const scope = person();
    const { conversation_id: conversationId } = await keyed(scope, 'once');
    await bed.send(deleteConversation, scope, { conversationId: Number(conversationId) });
    for (const table of ['conversation', 'message', 'citation', 'asked_request'])
      expect(
        await bed.database.read(scope, (tx) =>
          tx.query(`select 1 from chat.${table} where group_id = $1`, [scope.groupId]),
        ),
      ).toEqual([]);
  });
  it('they are counted, and deleted with their user', async () => {
    const scope = person();
    const other = person({ groupId: scope.groupId });
    for (const each of [scope, scope, other]) await asked(each);
    const identity = { userId: scope.userId, code: 'ana@example.test' };
    expect(await bed.send(userDependents.chat, scope, identity)).toEqual({
      dependencies: [{ kind: 'conversaciones', count: 2 }],
    });
    await bed.deliver(userDeletionStarted, scope.groupId, identity);
    expect((await bed.send(listConversations, scope, { limit: 50 })).total).toBe(0);
    expect((await bed.send(listConversations, other, { limit: 50 })).total).toBe(1);
  });
});

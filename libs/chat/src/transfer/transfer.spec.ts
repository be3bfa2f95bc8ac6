import { randomUUID } from 'node:crypto';
import {
  ask,
  dropConversationsSnapshot,
  exportConversations,
  getConversation,
  importConversations,
  listConversations,
  type Question,
  snapshotConversations,
  transferredConversations,
} from '@acervo/contracts';
import { NotTransferred, type Row } from '@acervo/platform-database';
import { administratorOf, newGroup, type ServiceTestBed } from '@acervo/platform-test-bed';
import { type Scope, WorkScope } from '@acervo/rbac';
import { openBed } from '../../test/bed';
import { DocumentsWorld } from '../../test/documents-world';
import { rowsOf } from '../../test/rows';
import { Upkeep } from '../upkeep/upkeep';
import { conversationTables, leftBehind } from './tables';

const RENT = 'La renta del local de la calle Mayor es de 850 euros al mes.';
const QUESTION = '¿Cuál es la renta del local de la calle Mayor?';

type Exported = Readonly<Record<string, readonly Row[]>>;

const world = new DocumentsWorld();
const [userId, credentialId] = [randomUUID(), 'k'];
let [source, target]: [ServiceTestBed, ServiceTestBed] = [] as never;
beforeAll(async () => {
  [source, target] = [await openBed({ neighbours: world }), await openBed({ neighbours: world })];
});
afterAll(async () => {
  await source.close();
  await target.close();
});
beforeEach(() => world.reset({ D1: RENT }));

const person = (groupId = newGroup()): Scope =>
  administratorOf(groupId, { userId, credentialId, functions: ['CHAT-USER'] });
const work = ({ groupId }: Scope): WorkScope => new WorkScope(groupId, 'standalone', 'export');
const asked = (bed: ServiceTestBed, scope: Scope, question: Partial<Question> = {}) =>
  bed.send(ask, scope, { question: QUESTION, mode: 'default', ...question });
const exported = async (scope: Scope): Promise<Exported> => {
  const { snapshotId, tables } = await source.send(snapshotConversations, work(scope), {});
  const rows: Record<string, Row[]> = {};
  for (const { table, pages } of tables) {
    const all: Row[] = (rows[table] = []);
    for (let page = 0; page < pages; page += 1)
      all.push(...(await source.send(exportConversations, work(scope), { snapshotId, table, page })).rows);
  }
  await source.send(dropConversationsSnapshot, work(scope), { snapshotId });
  return rows;
};
const imports = async (scope: Scope, rows: Exported): Promise<void> => {
  for (const table of transferredConversations)
    await target.send(importConversations, work(scope), { table, rows: rows[table] ?? [] });
};

describe('the transfer of conversations to another installation', () => {
  it('every tenant table is transferred or left out with a reason', async () => {
    const tables = await source.engine.asOwner(
      'chat',
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'group_id'
       where c.relnamespace = 'chat'::regnamespace and c.relkind = 'r' and c.relforcerowsecurity order by 1`,
    );
    const listed = [...conversationTables.map(({ name }) => name), ...leftBehind];
    expect(tables.map(({ name }) => name)).toEqual([...listed].sort());
  });
  it('rows are written in the order of their tables', () => {
    expect(conversationTables.map(({ name }) => name)).toEqual(transferredConversations);
  });
  it('conversations are read again with their numbers, and new ones follow', async () => {
    const scope = person();
    const { conversationId } = await asked(source, scope);
    await asked(source, scope, { conversationId });
    const help = await asked(source, scope, { mode: 'help', question: '¿De qué color es el cielo en Marte?' });
    await asked(source, scope, { mode: 'help', question: 'Sí, por favor', conversationId: help.conversationId });
    const before = await source.send(listConversations, scope, { limit: 50 });
    const counted = { conversation: 2, message: 8, citation: 2, support_request: 1 };
    expect(await rowsOf(source, scope.groupId)).toEqual(counted);
    await imports(scope, await exported(scope));
    expect([await rowsOf(source, scope.groupId), await rowsOf(target, scope.groupId)]).toEqual([counted, counted]);
    expect(await target.send(listConversations, scope, { limit: 50 })).toEqual(before);
    for (const each of [conversationId, help.conversationId])
      expect(await target.send(getConversation, scope, { conversationId: each })).toEqual(
        await source.send(getConversation, scope, { conversationId: each }),
      );
    expect((await asked(target, scope)).conversationId).toBe(help.conversationId + 1);
  });
  it('messages of several pages are exported once each', async () => {
    const scope = person();
    const { conversationId } = await asked(source, scope);
    await source.database.write(scope, (tx) =>
      tx.query(
        `insert into chat.message (group_id, message_id, conversation_id, author, state, language, text)
         select $1, n, $2, 'USER', 'DONE', 'es', '' from generate_series(101, 260) n`,
        [scope.groupId, conversationId],
      ),
    );
    const { message = [] } = await exported(scope);
    expect([message.length, new Set(message.map((row) => row['message_id'])).size]).toEqual([162, 162]);
  });
  it('an import that is repeated changes nothing', async () => {
    const scope = person();
    await asked(source, scope);
    const rows = await exported(scope);
    await imports(scope, rows);
    const once = await rowsOf(target, scope.groupId);
    await imports(scope, rows);
    expect(await rowsOf(target, scope.groupId)).toEqual(once);
  });
  it('a table that is left behind is refused', async () => {
    const sent = source.send(importConversations, work(person()), { table: 'asked_request', rows: [] });
    await expect(sent).rejects.toThrow(NotTransferred);
  });
  it('upkeep drops the copy of an export that ended early', async () => {
    const scope = person();
    world.groups.push(scope.groupId);
    await asked(source, scope);
    await source.send(snapshotConversations, work(scope), {});
    await source.get(Upkeep).round();
    expect((await rowsOf(source, scope.groupId)).export_page).toBe(4);
    await source.database.write(scope, (tx) =>
      tx.query(
        `with aged as (delete from chat.export_page where group_id = $1 returning *)
         insert into chat.export_page (group_id, snapshot_id, table_name, page, rows, made_at)
         select group_id, snapshot_id, table_name, page + 1, rows, now() - interval '2 hours' from aged`,
        [scope.groupId],
      ),
    );
    await source.get(Upkeep).round();
    expect((await rowsOf(source, scope.groupId)).export_page).toBeUndefined();
  });
});

import { randomUUID } from 'node:crypto';
import {
  ask,
  conversationsTransfer,
  getConversation,
  listConversations,
  type Question,
  transferredConversations,
} from '@acervo/contracts';
import { NotTransferred } from '@acervo/platform-database';
import {
  administratorOf,
  carrierOf,
  type ExportedRows,
  exportedRows,
  importRows,
  newGroup,
  type ServiceTestBed,
} from '@acervo/platform-test-bed';
import { tenantTablesOf } from '@acervo/platform-testing';
import type { Scope } from '@acervo/rbac';
import { openBed } from '../../test/bed';
import { DocumentsWorld } from '../../test/documents-world';
import { rowsOf } from '../../test/rows';
import { Upkeep } from '../upkeep/upkeep';
import { conversationTables, leftBehind } from './tables';

const RENT = 'La renta del local de la calle Mayor es de 850 euros al mes.';
const QUESTION = '¿Cuál es la renta del local de la calle Mayor?';

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
const asked = (bed: ServiceTestBed, scope: Scope, question: Partial<Question> = {}) =>
  bed.send(ask, scope, { question: QUESTION, mode: 'default', ...question });
const exported = ({ groupId }: Scope): Promise<ExportedRows> => exportedRows(source, conversationsTransfer, groupId);
const imports = ({ groupId }: Scope, rows: ExportedRows): Promise<void> =>
  importRows(target, conversationsTransfer, groupId, transferredConversations, rows);

describe('the transfer of conversations to another installation', () => {
  it('every tenant table is transferred or left out with a reason', async () => {
    const listed = [...conversationTables.map(({ name }) => name), ...leftBehind];
    expect(await tenantTablesOf(source.engine, 'chat')).toEqual([...listed].sort());
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
  it('what an answer rests on is transferred with it', async () => {
    const scope = person();
    await asked(source, scope);
    const basis = { operations: ['users.list', 'usage.get'], states_records: true };
    await source.database.write(scope, (tx) =>
      tx.query(
        `update chat.message set operations = $2, states_records = $3 where group_id = $1 and author = 'ASSISTANT'`,
        [scope.groupId, basis.operations, basis.states_records],
      ),
    );
    await imports(scope, await exported(scope));
    const rows = await target.database.read(scope, (tx) =>
      tx.query('select operations, states_records from chat.message where group_id = $1 order by message_id', [
        scope.groupId,
      ]),
    );
    expect(rows).toEqual([{ operations: [], states_records: false }, basis]);
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
    const sent = source.send(conversationsTransfer.write, carrierOf(newGroup()), { table: 'asked_request', rows: [] });
    await expect(sent).rejects.toThrow(NotTransferred);
  });
  it('upkeep drops the copy of an export that ended early', async () => {
    const scope = person();
    world.groups.push(scope.groupId);
    await asked(source, scope);
    await source.send(conversationsTransfer.take, carrierOf(scope.groupId), {});
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

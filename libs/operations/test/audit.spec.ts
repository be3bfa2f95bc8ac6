import { randomUUID } from 'node:crypto';
import type { AuditRecord, AuditVerdict } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';
import type { AuditHandlers } from '../src/audit/audit.handlers';
import type { AuditStore } from '../src/audit/audit.store';
import { type AuditTrial, openAudit, record, scopeOf } from './audit-trial';
import { type Opened, openOperations } from './support';

const LINKS = 1_200;
let opened: Opened;
let trial: AuditTrial;
let audit: AuditHandlers;
let store: AuditStore;

const append = (groupId: string, over: Partial<AuditRecord> = {}): Promise<void> => trial.append(groupId, over);
const verdict = async (groupId: string): Promise<Pick<AuditVerdict, 'links' | 'broken'>> => {
  const { links, broken } = await audit.verify(scopeOf(groupId), {});
  return { links, broken };
};

beforeAll(async () => {
  opened = await openOperations();
  trial = openAudit(opened);
  ({ audit, store } = trial);
});
afterAll(async () => {
  trial.remove();
  await opened.db.close();
});

describe('the chain of audit records', () => {
  it('concurrent records of a group are numbered without a gap', async () => {
    const groupId = randomUUID();
    await Promise.all(Array.from({ length: 40 }, () => append(groupId)));
    await expect(verdict(groupId)).resolves.toEqual({ links: 40, broken: null });
  });
  it('a chain of several pages is valid', async () => {
    const groupId = randomUUID();
    await opened.database.write({ groupId }, async (tx) => {
      for (let number = 0; number < LINKS; number += 1) await store.append(tx, record());
    });
    await expect(verdict(groupId)).resolves.toEqual({ links: LINKS, broken: null });
  });
  it('a time of another precision keeps the chain valid', async () => {
    const groupId = randomUUID();
    for (const at of ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.6Z', '2026-01-02T03:04:05.678901Z'])
      await append(groupId, { at });
    await expect(verdict(groupId)).resolves.toEqual({ links: 3, broken: null });
  });
  it('the chain of a group without records is valid', async () => {
    await expect(verdict(randomUUID())).resolves.toEqual({ links: 0, broken: null });
  });

  const tampered = async (sql: string): Promise<unknown> => {
    const groupId = randomUUID();
    for (const actor of ['a@example.org', 'b@example.org', 'c@example.org', 'd@example.org'])
      await append(groupId, { actor });
    await opened.db.asOwner('operations', 'alter table operations.audit_record no force row level security');
    await opened.db.asOwner('operations', sql, [groupId]);
    await opened.db.asOwner('operations', 'alter table operations.audit_record force row level security');
    return (await verdict(groupId)).broken;
  };
  it.each([
    ['was changed', `update operations.audit_record set actor = 'x@example.org' where group_id = $1 and number = 2`, 2],
    [
      'changed its outcome',
      `update operations.audit_record set outcome = 'FAILED' where group_id = $1 and number = 3`,
      3,
    ],
    ['was deleted', 'delete from operations.audit_record where group_id = $1 and number = 2', 2],
    ['was the last and was deleted', 'delete from operations.audit_record where group_id = $1 and number = 4', 4],
    ['changed its mac', `update operations.audit_record set mac = '\\x00' where group_id = $1 and number = 1`, 1],
  ])('verification names the record that %s', async (_what, sql, broken) => {
    await expect(tampered(sql)).resolves.toBe(broken);
  });
  const planted: Readonly<Record<string, string>> = {
    group_id: `'00000000-0000-4000-8000-000000000000'`,
    number: '99',
    record_id: 'gen_random_uuid()',
    call: `'users.delete'`,
    outcome: `'REFUSED'`,
    error: `'CONFLICT'`,
    actor: `'x@example.org'`,
    cause: `'session:2'`,
    caller: `'gateway'`,
    at: `at + interval '1 millisecond'`,
    key_version: '2',
    mac: `decode(repeat('00', 32), 'hex')`,
    subject: `'x@example.org'`,
    target: `'entity:E2'`,
  };
  it('every column of a record has a planted change', async () => {
    const columns = await opened.db.asOwner(
      'operations',
      `select column_name as name from information_schema.columns where table_schema = 'operations' and table_name = 'audit_record'`,
    );
    expect(columns.map(({ name }) => name).toSorted()).toEqual(Object.keys(planted).toSorted());
  });
  it.each(Object.entries(planted))('verification detects a change of %s', async (column, value) => {
    const sql = `update operations.audit_record set ${column} = ${value} where group_id = $1 and number = 2`;
    await expect(tampered(sql)).resolves.toBe(2);
  });
  it.each([
    ['number', '3'],
    ['mac', `decode(repeat('00', 32), 'hex')`],
  ])('verification detects a change of the %s of its head', async (column, value) => {
    const groupId = randomUUID();
    for (const actor of ['a@example.org', 'b@example.org']) await append(groupId, { actor });
    await opened.db.asOwner('operations', 'alter table operations.audit_head no force row level security');
    await opened.db.asOwner('operations', `update operations.audit_head set ${column} = ${value} where group_id = $1`, [
      groupId,
    ]);
    await opened.db.asOwner('operations', 'alter table operations.audit_head force row level security');
    expect((await verdict(groupId)).broken).not.toBeNull();
  });
  it('the role of the service cannot change the chain', async () => {
    const groupId = randomUUID();
    await append(groupId);
    for (const sql of ['update operations.audit_record set actor = null', 'delete from operations.audit_record'])
      await expect(opened.database.write({ groupId }, (tx) => tx.query(sql))).rejects.toThrow(/permission denied/);
  });
});

describe('the list of audit records', () => {
  it('records are listed latest first, by page and by filter', async () => {
    const [ours, theirs] = [randomUUID(), randomUUID()];
    await append(theirs, { actor: 'secret@example.org' });
    for (const [call, outcome] of [
      ['users.create', 'SUCCEEDED'],
      ['users.delete', 'REFUSED'],
      ['users.create', 'FAILED'],
    ] as const)
      await append(ours, { call, outcome });
    const list = (over: object = {}) =>
      opened.database.read({ groupId: ours }, (tx) => store.list(tx, { limit: 50, ...over }));
    const numbers = async (over: object) => (await list(over)).records.map(({ number }) => number);
    expect(await numbers({})).toEqual([3, 2, 1]);
    expect(await numbers({ limit: 1, before: 3 })).toEqual([2]);
    expect(await numbers({ operation: 'users.create' })).toEqual([3, 1]);
    expect(await numbers({ outcome: 'REFUSED' })).toEqual([2]);
    expect(await numbers({ actor: 'secret@example.org' })).toEqual([]);
    expect((await list({ limit: 1 })).total).toBe(3);
  });
  it('the list shows public names alone', async () => {
    const groupId = randomUUID();
    const subject = 'bea@example.org';
    await append(groupId, { call: 'users.add_role', cause: 'api_key:0CjI8J0Rq7wj', subject, target: 'role:USUARIO' });
    await append(groupId, { call: 'roles.update', target: 'role:10001' });
    await append(groupId, { call: 'batches.finish', caller: 'ingestion', actor: 'service:ingestion', cause: 'work:x' });
    const scope = { groupId } as Scope;
    const { records } = await audit.list(scope, { limit: 50 });
    expect(records).toMatchObject([
      { operation: null, actor: null, subject: null, target: null },
      { operation: null, actor: 'ana@example.org', target: null },
      { operation: 'users.add_role', actor: 'ana@example.org', subject, target: 'role:USER' },
    ]);
    const names = ['actor', 'at', 'error', 'number', 'operation', 'outcome', 'subject', 'target'];
    expect(records.map((each) => Object.keys(each).toSorted())).toEqual(records.map(() => names));
    expect(JSON.stringify(records)).not.toMatch(/0CjI8J0Rq7wj|ingestion|batches|roles\.update|caller|cause/);
    const total = async (over: object) => (await audit.list(scope, { limit: 50, ...over })).total;
    expect(await total({ operation: 'users.add_role' })).toBe(1);
    expect(await total({ subject: 'BEA@example.org' })).toBe(1);
    expect(await total({ operation: 'batches.finish' })).toBe(0);
    expect(await total({ actor: 'service:ingestion' })).toBe(0);
  });
});

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditVerdict } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { verifyAuditIn } from '../src/admin-commands/verify-audit';
import { type AuditTrial, KEY, openAudit, scopeOf } from './audit-trial';
import { type Opened, openOperations } from './support';

let opened: Opened;
let trial: AuditTrial;
let groupId: string;

beforeAll(async () => {
  opened = await openOperations();
  trial = openAudit(opened);
});
afterAll(async () => {
  trial.remove();
  await opened.db.close();
});
beforeEach(() => {
  groupId = randomUUID();
});

const appendMany = async (count: number, at?: string): Promise<void> => {
  for (let each = 0; each < count; each += 1) await trial.append(groupId, at === undefined ? {} : { at });
};
/** What `--verify-audit` prints and answers. */
const verified = async (by = trial): Promise<{ isWhole: boolean; printed: string }> => {
  const calls = { send: () => by.audit.verify(scopeOf(groupId), {}) } as unknown as Calls;
  const lines: string[] = [];
  const isWhole = await verifyAuditIn(calls, scopeOf(groupId), (line) => lines.push(line));
  return { isWhole, printed: lines.join('\n') };
};
const verdict = (): Promise<AuditVerdict> => trial.audit.verify(scopeOf(groupId), {});
const folder = (): string => join(trial.directory, 'group', groupId, 'audit-anchor');
const files = (): string[] => readdirSync(folder()).sort();
const today = (): string => new Date().toISOString().slice(0, 10);
/** Moves the anchors of today to an earlier day, signed by the same key, as if they were written then. */
const anchorOn = async (day: string): Promise<void> => {
  const head = await opened.database.read({ groupId }, (tx) => trial.store.soundHead(tx));
  if (head === undefined) throw new Error('There is no record.');
  await trial.anchors.create({ ...head, day });
};
/** Runs statements as a person who can write the tables and has no key. */
const tamper = async (...statements: string[]): Promise<void> => {
  const tables = ['audit_record', 'audit_head'].map((name) => `operations.${name}`);
  for (const table of tables) await opened.db.asOwner('operations', `alter table ${table} no force row level security`);
  for (const sql of statements) await opened.db.asOwner('operations', sql, [groupId]);
  for (const table of tables) await opened.db.asOwner('operations', `alter table ${table} force row level security`);
};
const cutAfter = (number: number): Promise<void> =>
  tamper(
    `delete from operations.audit_record where group_id = $1 and number > ${number}`,
    `update operations.audit_head h set (number, mac) = (select r.number, r.mac from operations.audit_record r
       where r.group_id = $1 and r.number = ${number}) where h.group_id = $1`,
  );

describe('an audit anchor', () => {
  it('a chain that grew is confirmed by its anchor', async () => {
    await appendMany(3);
    expect(await trial.anchor(groupId)).toBe(true);
    expect(await verified()).toEqual({
      isWhole: true,
      printed: `Audit: 3 records, each as it was written.\nAudit: 1 signed heads in the object store agree; records up to 3 (${today()}) are confirmed.`,
    });
  });
  it('a day has one anchor, its last; a day without records has none', async () => {
    await appendMany(2);
    await anchorOn('2026-03-01');
    await appendMany(1);
    await anchorOn('2026-03-03');
    for (let round = 0; round < 3; round += 1) {
      await appendMany(1);
      await trial.anchor(groupId);
    }
    expect(files().map((name) => name.slice(0, 8))).toEqual(['20260301', '20260303', today().replaceAll('-', '')]);
    expect(await verdict()).toMatchObject({ anchors: 3, lastAnchor: { day: today(), number: 6 }, flawed: [] });
  });
  it('a chain that stands still gets no task and no anchor', async () => {
    await appendMany(1);
    await trial.anchor(groupId);
    const before = files();
    expect(await trial.anchor(groupId)).toBe(false);
    expect(files()).toEqual(before);
  });
  it('an anchor that exists is never replaced', async () => {
    await appendMany(1);
    await trial.anchor(groupId);
    const path = join(folder(), files()[0] ?? '');
    writeFileSync(path, 'as it was');
    await anchorOn(today());
    expect(readFileSync(path, 'utf8')).toBe('as it was');
  });
  it('a store that deletes nothing keeps every anchor', async () => {
    const denied = jest.spyOn(trial.objects, 'delete').mockRejectedValue(new Error('AccessDenied'));
    for (let round = 0; round < 2; round += 1) {
      await appendMany(1);
      await trial.anchor(groupId);
    }
    denied.mockRestore();
    expect(await verdict()).toMatchObject({ anchors: 2, lastAnchor: { number: 2 }, flawed: [] });
  });
  it('a new chain without anchors is reported, and does not fail', async () => {
    await appendMany(2, new Date().toISOString());
    expect(await verified()).toEqual({
      isWhole: true,
      printed: expect.stringMatching(
        /^Audit: 2 records, each as it was written\.\nAudit: no signed head .* would not be noticed\./,
      ) as string,
    });
  });
  it('a record that arrives while its anchor is written gets the next one', async () => {
    await appendMany(1);
    const create = trial.anchors.create.bind(trial.anchors);
    jest.spyOn(trial.anchors, 'create').mockImplementationOnce(async (head) => {
      await appendMany(1);
      await create(head);
    });
    await trial.anchor(groupId);
    expect(await trial.anchor(groupId)).toBe(true);
    expect(await verdict()).toMatchObject({ anchors: 1, lastAnchor: { number: 2 } });
  });
});

describe('the check of audit anchors', () => {
  it('records cut from the end are missed, with number and day', async () => {
    await appendMany(4);
    await anchorOn('2026-03-01');
    await appendMany(4);
    await anchorOn('2026-03-02');
    await cutAfter(5);
    const { isWhole, printed } = await verified();
    expect(isWhole).toBe(false);
    expect(printed).toMatch(/^Audit: 5 records, each as it was written\.$/m);
    expect(printed).toMatch(/the signed head of 2026-03-02 names record 8, which is missing/);
    expect(printed).toMatch(/records 6 to 8 are missing; the last confirmed one is 4\. On 2026-03-02 or later/);
  });
  it('records whose anchors were deleted fail two days later', async () => {
    await appendMany(2, '2020-03-01T10:00:00.000Z');
    await trial.anchor(groupId);
    await appendMany(1, '2020-03-02T10:00:00.000Z');
    const unconfirmed = (await verified()).printed;
    rmSync(folder(), { recursive: true });
    const deleted = await verified();
    expect(unconfirmed).toContain('no signed head confirms record 3 (2020-03-02) and those after it');
    expect(deleted.isWhole).toBe(false);
    expect(deleted.printed).toContain('no signed head confirms record 1 (2020-03-01) and those after it');
    await trial.anchor(groupId);
    expect((await verified()).isWhole).toBe(true);
  });
  it('a deleted chain is missed', async () => {
    await appendMany(2);
    await trial.anchor(groupId);
    await tamper(
      'delete from operations.audit_record where group_id = $1',
      'delete from operations.audit_head where group_id = $1',
    );
    expect((await verified()).printed).toMatch(/records 1 to 2 are missing; no record is confirmed/);
  });
  it('an older copy of the table with new records is detected', async () => {
    await appendMany(3);
    await anchorOn('2026-03-01');
    await appendMany(3);
    await anchorOn('2026-03-02');
    await cutAfter(4);
    await appendMany(5);
    const { isWhole, printed } = await verified();
    expect(isWhole).toBe(false);
    expect(printed).toMatch(/signed head of 2026-03-02 names another record 6 than the one that is there/);
    expect(printed).toMatch(/records were replaced; the last confirmed one is 3\. On 2026-03-02 or later/);
  });
  it('a rolled back chain keeps the anchors that prove it', async () => {
    await appendMany(6);
    await trial.anchor(groupId);
    await cutAfter(4);
    await appendMany(1);
    await trial.anchor(groupId);
    expect(files()).toHaveLength(2);
    await appendMany(4);
    await trial.anchor(groupId);
    expect((await verdict()).flawed).toMatchObject([{ flaw: 'RECORD_DIFFERS', names: { number: 6 } }]);
  });
  it('a head that is not the last record gets no signature', async () => {
    await appendMany(2);
    await tamper(`update operations.audit_head set number = 9 where group_id = $1`);
    await expect(trial.anchor(groupId)).rejects.toThrow(/newest audit record is not as it was written/);
  });

  const forgeries: readonly (readonly [string, (text: string) => string])[] = [
    ['another number', (text) => text.replace('"number":2', '"number":1')],
    ['another day', (text) => text.replace(/"day":"[\d-]+"/, '"day":"2026-01-01"')],
    ['another mac', (text) => text.replace(/"mac":"(.)/, (_, digit) => `"mac":"${digit === '0' ? '1' : '0'}`)],
    ['another group', (text) => text.replace(/"group":"[^"]+"/, `"group":"${randomUUID()}"`)],
    ['another signature', (text) => text.replace(/"signature":"../, '"signature":"zz')],
    ['no JSON', () => 'half a'],
    ['JSON of another shape', () => '[1, 2]'],
  ];
  it.each(forgeries)('a forged anchor with %s is named', async (_what, forge) => {
    await appendMany(2);
    await trial.anchor(groupId);
    const [name = ''] = files();
    const path = join(folder(), name);
    writeFileSync(path, forge(readFileSync(path, 'utf8')));
    const { isWhole, printed } = await verified();
    expect(isWhole).toBe(false);
    expect(printed).toContain(`group/${groupId}/audit-anchor/${name} is no signed head of this group, or was changed.`);
  });
  it('an anchor that lies under another key is named', async () => {
    await appendMany(2);
    await trial.anchor(groupId);
    const [name = ''] = files();
    writeFileSync(join(folder(), name.replace(/^\d{8}/, '20260101')), readFileSync(join(folder(), name)));
    expect((await verdict()).flawed).toMatchObject([{ flaw: 'FORGED' }]);
  });

  it('anchors of a rotated audit key are checked with their version', async () => {
    await appendMany(2);
    await anchorOn('2026-03-01');
    const rotated = openAudit(opened, `${KEY},2:another key of sixteen and more`, trial.directory);
    await rotated.append(groupId);
    await rotated.anchor(groupId);
    expect((await verified(rotated)).isWhole).toBe(true);
    const withoutOld = openAudit(opened, '2:another key of sixteen and more', trial.directory);
    expect((await verified(withoutOld)).printed).toMatch(/signed with version 1 of ACERVO_AUDIT_KEY, which is not set/);
  });
  it('anchors of other groups stay out of the check', async () => {
    await appendMany(2);
    await trial.anchor(groupId);
    const other = groupId;
    groupId = randomUUID();
    await appendMany(1);
    expect(await verdict()).toMatchObject({ anchors: 0, flawed: [] });
    rmSync(join(trial.directory, 'group', other), { recursive: true });
  });
});

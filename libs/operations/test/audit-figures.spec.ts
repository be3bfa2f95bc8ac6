import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processRequested } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { Outbox } from '@acervo/platform-messaging';
import { Metrics } from '@acervo/platform-observability';
import { silent } from '@acervo/platform-testing';
import { AuditAlarm } from '../src/audit/audit-alarm';
import { AuditFigures } from '../src/audit/audit-figures';
import type { VerifiedChains } from '../src/audit/verified-chains';
import { type AuditTrial, openAudit, scopeOf } from './audit-trial';
import { type Opened, openOperations } from './support';

const DAY_MS = 86_400_000;
const MANY = 1_000_000;
let opened: Opened;
let trial: AuditTrial;
let groupId: string;
let now: number;
let chains: VerifiedChains;

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
  now = 1_000_000;
  chains = trial.chains(() => now);
});

const appendMany = async (count: number, to = groupId): Promise<void> => {
  for (let at = 0; at < count; at += 1) await trial.append(to);
};
const step = (most = MANY): Promise<string> => chains.step(scopeOf(groupId), most);
/** Runs statements as a person who can write the tables and has no key. */
const tamper = async (sql: string, at = groupId): Promise<void> => {
  await opened.db.asOwner('operations', 'alter table operations.audit_record no force row level security');
  await opened.db.asOwner('operations', sql, [at]);
  await opened.db.asOwner('operations', 'alter table operations.audit_record force row level security');
};
const change = (number: number): Promise<void> =>
  tamper(`update operations.audit_record set actor = 'eve@example.org' where group_id = $1 and number = ${number}`);

describe('the proof of a chain, step by step', () => {
  it('a chain that grew is proved from where it was proved', async () => {
    await appendMany(3);
    expect(await step()).toBe('verified');
    const walked = jest.spyOn(trial.store, 'page');
    await appendMany(2);
    now += 60_000;
    expect(await step()).toBe('verified');
    expect(walked.mock.calls.map(([, after]) => after)).toEqual([3]);
    expect(chains.verifiedAt).toBe(now);
  });
  it('a long chain is proved in pieces, and counts once its head is reached', async () => {
    await appendMany(501);
    expect(await step(500)).toBe('under way');
    expect(chains.verifiedAt).toBeUndefined();
    expect(await step(500)).toBe('verified');
  });
  it.each<[string, () => Promise<void>]>([
    ['an added record is changed', async () => (await appendMany(2), change(5))],
    [
      'the last proved record is missing',
      () => tamper('delete from operations.audit_record where group_id = $1 and number = 4'),
    ],
    [
      'an anchor names another record',
      async () => {
        await appendMany(1);
        await trial.anchor(groupId);
        const place = join(trial.directory, 'group', groupId, 'audit-anchor');
        for (const name of readdirSync(place)) writeFileSync(join(place, name), 'forged');
      },
    ],
  ])('where %s, the time stands still until it is repaired', async (_what, damage) => {
    await appendMany(4);
    await step();
    const before = chains.verifiedAt;
    await damage();
    for (let round = 0; round < 2; round += 1) {
      now += 60_000;
      expect(await step()).toBe('broken');
      expect(chains.verifiedAt).toBe(before);
    }
  });
  it('a record that was proved and is changed later is found within a day', async () => {
    await appendMany(4);
    await step();
    await change(2);
    now += DAY_MS - 1;
    expect(await step()).toBe('verified');
    now += 1;
    expect(await step()).toBe('broken');
  });
  it('a chain that was broken is verified once it is repaired', async () => {
    await appendMany(2);
    await change(2);
    expect(await step()).toBe('broken');
    expect(chains.verifiedAt).toBe(0);
    await tamper(`update operations.audit_record set actor = 'ana@example.org' where group_id = $1 and number = 2`);
    expect(await step()).toBe('verified');
    expect(chains.verifiedAt).toBe(now);
  });
});

describe('the figure of verified audit records', () => {
  const figuresOf = (
    groups: readonly string[],
  ): { round: () => Promise<void>; text: () => Promise<string>; sent: () => number } => {
    const metrics = new Metrics('operations');
    const send = jest.fn(() => Promise.resolve({ groups: groups.map((each) => ({ groupId: each })) }));
    const alarm = new AuditAlarm(opened.database, new Outbox('operations'));
    const figures = new AuditFigures(chains, alarm, { send } as unknown as Calls, silent, metrics);
    return {
      round: () => figures.round(),
      text: () => metrics.registry.metrics(),
      sent: () => send.mock.calls.length,
    };
  };

  it('it is the time of the group that was verified longest ago, without the group', async () => {
    const other = randomUUID();
    await appendMany(1);
    await appendMany(1, other);
    const figures = figuresOf([groupId, other]);
    expect(await figures.text()).not.toMatch(/^acervo_audit_verified_timestamp\{/m);
    await figures.round();
    now += 500_000;
    expect(await figures.text()).toContain('acervo_audit_verified_timestamp{service="operations"} 1000');
    await step();
    const text = await figures.text();
    expect(text).toContain('acervo_audit_verified_timestamp{service="operations"} 1000');
    expect(text).not.toContain(groupId);
  });
  it('a group whose records were changed asks for a person, and no other one does', async () => {
    const other = randomUUID();
    await appendMany(2);
    await appendMany(2, other);
    await change(2);
    const figures = figuresOf([groupId, other]);
    await figures.round();
    const sql = 'select group_id, payload from operations.outbox where topic = $1 and group_id = any($2)';
    expect(await opened.db.asOwner('operations', sql, [processRequested.topic, [groupId, other]])).toEqual([
      {
        group_id: groupId,
        payload: expect.objectContaining({ process_type: 'AUDIT', priority: 'URGENT' }) as object,
      },
    ]);
  });
  it('all groups are listed once in a pass, whatever the number of rounds', async () => {
    const figures = figuresOf([groupId]);
    for (let round = 0; round < 3; round += 1) await figures.round();
    expect(figures.sent()).toBe(1);
  });
  it('a round without the object store proves nothing, and the next one goes on', async () => {
    await appendMany(1);
    const figures = figuresOf([groupId]);
    jest.spyOn(trial.objects, 'page').mockRejectedValueOnce(new Error('away'));
    await figures.round();
    expect(await figures.text()).not.toMatch(/^acervo_audit_verified_timestamp\{/m);
    await figures.round();
    expect(await figures.text()).toContain('acervo_audit_verified_timestamp{service="operations"} 1000');
  });
  afterEach(() => rmSync(join(trial.directory, 'group', groupId), { recursive: true, force: true }));
});

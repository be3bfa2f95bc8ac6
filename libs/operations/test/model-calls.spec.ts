import { randomUUID } from 'node:crypto';
import {
  admitModelCall,
  assignPlan,
  countCorpus,
  countRetrievals,
  getUsage,
  listGroups,
  type ModelCall,
  modelCallEnded,
  Plan,
  type PlanQuota,
  processRequested,
  type QuotaUsage,
  readParameters,
} from '@acervo/contracts';
import { CallUnanswered, leavingWithin } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { administratorOf, newGroup, type ServiceTestBed } from '@acervo/platform-test-bed';
import { type Scope, WorkScope } from '@acervo/rbac';
import { ModelCallStore } from '../src/plans/model-call.store';
import { ModelTokenStore } from '../src/plans/model-token.store';
import { UsageClock } from '../src/plans/model-usage';
import { PlanStore } from '../src/plans/plan.store';
import { Upkeep } from '../src/upkeep/upkeep';
import { openBed } from './bed';

/** The other services: what they count, the groups, and how long rows stay. */
const world = {
  groups: [] as { groupId: string; code: string; first: boolean }[],
  days: '0',
  send({ code }: { readonly code: string }): Promise<never> {
    const answers: Readonly<Record<string, object>> = {
      [listGroups.code]: { groups: this.groups },
      [countCorpus.code]: { used: 0, byEntity: [] },
      [countRetrievals.code]: {
        ...{ planCode: null, included: null, onLimit: 'BLOCK', used: 0, byEntity: [] },
        ...{ periodStart: '2026-11-01', periodEnd: '2026-11-30' },
      },
      [readParameters.code]: { values: [{ parameterCode: 'MODEL_CALL_RETENTION_DAYS', value: this.days }] },
    };
    return Promise.resolve(answers[code] as never);
  },
};
const clock = { now: () => Date.parse('2026-11-26T12:00:00Z') };

let bed: ServiceTestBed;
const open = (environment = {}) =>
  openBed({
    ...{ neighbours: world as never, overrides: [[UsageClock, clock]] },
    environment: { ACERVO_AUDIT_KEY: 'a key of the test for records', ...environment },
  });
beforeAll(async () => (bed = await open({ ACERVO_CHAT_MODEL: 'small' })));
afterAll(() => bed.close());
beforeEach(() => Object.assign(world, { groups: [], days: '0' }));
const at = (moment: string): void => void Object.assign(clock, { now: () => Date.parse(moment) });
afterEach(() => at('2026-11-26T12:00:00Z'));

const layer = { kind: 'SKILL', code: 'KEY-DATES', version: '1', sha256: 'a'.repeat(64) } as const;
const callOf = (more: Partial<ModelCall> = {}): ModelCall => ({
  ...{ callId: randomUUID(), entityCode: 'E1', purpose: 'KEY-DATES', layers: [layer], model: 'small' },
  ...{ mostTokens: 100, timeoutMs: 60_000, ...more },
});
const newAdministrator = (): Scope => {
  const scope = administratorOf(newGroup(), { entities: ['E1', 'E2'] });
  world.groups.push({ groupId: scope.groupId, code: 'G', first: false });
  return scope;
};
const admit = async ({ groupId }: Scope, more: Partial<ModelCall> = {}) => {
  const call = callOf(more);
  const { isAdmitted } = await bed.send(admitModelCall, new WorkScope(groupId, 'chat', 'test'), call);
  return { callId: call.callId, isAdmitted };
};
const end = ({ groupId }: Scope, callId: string, tokens: number, eventId?: string) =>
  bed.deliver(
    modelCallEnded,
    groupId,
    { callId, outcome: 'COMPLETED', tokensIn: tokens, tokensOut: 0, milliseconds: 9 },
    eventId,
  );
let plans = 0;
const give = async ({ groupId }: Scope, quota: Partial<PlanQuota>, startDay = 1): Promise<void> => {
  const code = `PLAN-${(plans += 1)}`;
  const quotas = [{ feature: 'MODEL_TOKENS', included: null, onLimit: 'BLOCK', ...quota }] as const;
  const plan = Object.assign(new Plan(), { code, startDay, quotas });
  await bed.database.ungrouped((tx) => new PlanStore().add(tx, plan));
  await bed.send(assignPlan, new WorkScope(groupId, 'auth', 'test'), { planCode: code });
};
const usage = async (scope: Scope, of = bed): Promise<QuotaUsage | undefined> =>
  (await of.send(getUsage, scope, {})).quotas.find(({ feature }) => feature === 'MODEL_TOKENS');
const used = async (scope: Scope): Promise<number | undefined> => (await usage(scope))?.used;
const rows = (scope: Scope) =>
  bed.database.read(scope, (tx) =>
    tx.query<Record<string, unknown>>(
      `select service, entity_code as entity, purpose, layers, model, outcome, tokens_in::int as "tokensIn",
         tokens_out::int as "tokensOut", milliseconds, counted::int as counted
       from operations.model_call order by created_at, call_id`,
    ),
  );

describe('a call of a chat model', () => {
  it('it leaves a row with its layers and what it took', async () => {
    const scope = newAdministrator();
    const { callId } = await admit(scope);
    const begun = { service: 'chat', entity: 'E1', purpose: 'KEY-DATES', layers: [layer], model: 'small' };
    const nothing = { tokensIn: null, tokensOut: null, milliseconds: null };
    expect(await rows(scope)).toEqual([{ ...begun, outcome: 'RUNNING', counted: 100, ...nothing }]);
    await end(scope, callId, 30);
    const took = { outcome: 'COMPLETED', tokensIn: 30, tokensOut: 0, milliseconds: 9, counted: 30 };
    expect(await rows(scope)).toEqual([{ ...begun, ...took }]);
  });

  it('its most tokens count until its end, then what it took', async () => {
    const scope = newAdministrator();
    const { callId } = await admit(scope);
    expect(await used(scope)).toBe(100);
    await end(scope, callId, 30);
    await end(scope, callId, 70);
    expect(await used(scope)).toBe(30);
  });

  it('an end that was never admitted counts nothing', async () => {
    const scope = newAdministrator();
    await end(scope, randomUUID(), 30);
    expect([await used(scope), await rows(scope)]).toEqual([0, []]);
  });

  it('one whose caller no longer waits is not admitted and counts nothing', async () => {
    const scope = newAdministrator();
    await expect(leavingWithin(-1, () => admit(scope))).rejects.toThrow(CallUnanswered);
    expect([await used(scope), await rows(scope)]).toEqual([0, []]);
  });

  it('entities of the caller and calls without one add up', async () => {
    const scope = newAdministrator();
    for (const entityCode of ['E1', 'E2', 'E2', null])
      await end(scope, (await admit(scope, { entityCode })).callId, 10);
    expect(await usage(scope)).toEqual({
      ...{ feature: 'MODEL_TOKENS', unit: 'tokens', included: null, onLimit: 'BLOCK', used: 40 },
      byEntity: [
        { entityCode: 'E1', used: 10 },
        { entityCode: 'E2', used: 20 },
        { entityCode: null, used: 10 },
      ],
    });
  });

  it('an installation without a chat model shows no tokens', async () => {
    const without = await open();
    expect(await usage(newAdministrator(), without)).toBeUndefined();
    await without.close();
  });
});

describe('a plan with tokens', () => {
  it('a call is refused once nothing is left, and its row says so', async () => {
    const scope = newAdministrator();
    await give(scope, { included: 150 });
    const admitted = [await admit(scope), await admit(scope), await admit(scope)];
    expect(admitted.map(({ isAdmitted }) => isAdmitted)).toEqual([true, true, false]);
    expect((await rows(scope)).map(({ outcome, counted }) => [outcome, counted])).toContainEqual(['PLAN', 0]);
    // What the others did not take is left for further ones.
    for (const { callId } of admitted) await end(scope, callId, 40);
    expect([await used(scope), (await admit(scope)).isAdmitted]).toEqual([80, true]);
  });

  it('refused calls of one purpose leave one row for each quota of a period', async () => {
    const scope = newAdministrator();
    const refuse = (purpose: string) => Promise.all([1, 2, 3].map(() => admit(scope, { purpose })));
    const refused = async () =>
      (await rows(scope)).flatMap(({ outcome, purpose }) => (outcome === 'PLAN' ? [purpose] : []));
    await give(scope, { included: 0 });
    await refuse('KEY-DATES');
    await refuse('CHAT-ANSWER');
    expect(await refused()).toEqual(['KEY-DATES', 'CHAT-ANSWER']);
    await give(scope, { included: 50 });
    await refuse('KEY-DATES');
    expect(await refused()).toEqual(['KEY-DATES', 'CHAT-ANSWER', 'KEY-DATES']);
    at('2026-12-01T00:00:00Z');
    await give(scope, { included: 0 });
    await refuse('KEY-DATES');
    expect(await refused()).toHaveLength(4);
  });

  it('the first refused call of a purpose in a period asks for a person', async () => {
    const scope = newAdministrator();
    const asked = async () =>
      (await bed.published(processRequested.topic)).filter(({ subject }) => subject === 'MODEL_TOKENS:2027-02-15');
    at('2027-03-01T00:00:00Z');
    await give(scope, { included: 100 }, 15);
    await admit(scope);
    expect(await asked()).toEqual([]);
    await admit(scope);
    await admit(scope);
    expect(await asked()).toMatchObject([{ process_type: 'QUOTA', priority: 'URGENT' }]);
  });

  it('of many calls at once one goes over the limit, by its most tokens', async () => {
    const scope = newAdministrator();
    await give(scope, { included: 1_050 });
    const calls = await Promise.all(Array.from({ length: 50 }, () => admit(scope)));
    const admitted = calls.filter(({ isAdmitted }) => isAdmitted);
    expect([admitted.length, await used(scope)]).toEqual([11, 1_100]);
    for (const { callId } of admitted) await end(scope, callId, 100);
    expect([await used(scope), (await admit(scope)).isAdmitted]).toEqual([1_100, false]);
  });

  it('a plan that includes none refuses the first call', async () => {
    const scope = newAdministrator();
    await give(scope, { included: 0 });
    expect((await admit(scope)).isAdmitted).toBe(false);
  });

  it('a plan that allows goes on and counts', async () => {
    const scope = newAdministrator();
    await give(scope, { included: 1, onLimit: 'ALLOW' });
    const calls = [await admit(scope), await admit(scope)];
    expect(calls.every(({ isAdmitted }) => isAdmitted)).toBe(true);
    expect(await usage(scope)).toMatchObject({ included: 1, onLimit: 'ALLOW', used: 200 });
  });

  it('a new period begins with nothing used, a late end counts in its own', async () => {
    const scope = newAdministrator();
    await give(scope, { included: 100 });
    const { callId } = await admit(scope);
    expect((await admit(scope)).isAdmitted).toBe(false);
    at('2026-12-01T00:00:00Z');
    expect([await used(scope), (await admit(scope)).isAdmitted]).toEqual([0, true]);
    await end(scope, callId, 10);
    expect(await used(scope)).toBe(100);
  });

  it('a plan of another start day keeps what the period used', async () => {
    const scope = newAdministrator();
    await give(scope, { included: 500 });
    const [first, second] = [await admit(scope), await admit(scope)];
    await end(scope, first.callId, 60);
    await give(scope, { included: 500 }, 15);
    expect(await used(scope)).toBe(160);
    await end(scope, second.callId, 40);
    expect(await usage(scope)).toMatchObject({ used: 100, byEntity: [{ entityCode: 'E1', used: 100 }, {}, {}] });
    await give(scope, { included: 500 });
    await admit(scope);
    expect(await used(scope)).toBe(200);
    at('2026-12-01T00:00:00Z');
    expect(await used(scope)).toBe(0);
  });
});

describe('upkeep of calls of chat models', () => {
  const age = (scope: Scope, callId: string, interval: string) =>
    bed.database.write(scope, (tx) =>
      tx.query(
        `update operations.model_call set created_at = now() - $2::interval, ends_by = now() - $2::interval where call_id = $1`,
        [callId, interval],
      ),
    );
  const outcomes = async (scope: Scope) => (await rows(scope)).map(({ outcome }) => outcome);

  it('a killed call keeps its most tokens, until a late end arrives', async () => {
    const scope = newAdministrator();
    const [lost, running] = [await admit(scope), await admit(scope)];
    await age(scope, lost.callId, '1 hour');
    await bed.get(Upkeep).round();
    expect([(await outcomes(scope)).toSorted(), await used(scope)]).toEqual([['LOST', 'RUNNING'], 200]);
    await end(scope, lost.callId, 30);
    await end(scope, running.callId, 30);
    expect([await outcomes(scope), await used(scope)]).toEqual([['COMPLETED', 'COMPLETED'], 60]);
  });

  it('it locks the count of the group before its calls', async () => {
    const scope = newAdministrator();
    const lock = jest.spyOn(bed.get(ModelTokenStore), 'lock');
    const giveUp = jest.spyOn(bed.get(ModelCallStore), 'giveUp');
    await age(scope, (await admit(scope)).callId, '1 hour');
    await bed.get(Upkeep).round();
    expect([giveUp.mock.calls, await outcomes(scope)]).toEqual([lock.mock.calls, ['LOST']]);
    expect(lock.mock.invocationCallOrder[0]).toBeLessThan(giveUp.mock.invocationCallOrder[0] ?? 0);
    jest.restoreAllMocks();
  });

  it('a round opens one transaction where nothing is deleted', async () => {
    const scope = newAdministrator();
    const write = jest.spyOn(bed.get(Database), 'write');
    await bed.get(Upkeep).round();
    expect(write.mock.calls.filter(([{ groupId }]) => groupId === scope.groupId)).toHaveLength(1);
    jest.restoreAllMocks();
  });

  it('old rows go as the group allows, and what they count stays', async () => {
    const scope = newAdministrator();
    const [old, recent] = [await admit(scope), await admit(scope)];
    for (const { callId } of [old, recent]) await end(scope, callId, 30);
    await age(scope, old.callId, '31 days');
    await bed.get(Upkeep).round();
    expect(await outcomes(scope)).toHaveLength(2);
    world.days = '30';
    await bed.get(Upkeep).round();
    expect([await outcomes(scope), await used(scope)]).toEqual([['COMPLETED'], 60]);
  });
});

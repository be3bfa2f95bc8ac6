import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assignPlan, type Call, countCorpus, countRetrievals, planAssigned, ScopeClaims } from '@acervo/contracts';
import { type AuditTrail, type Calls, WriteContext } from '@acervo/platform-calls';
import { Outbox } from '@acervo/platform-messaging';
import { type AdminCommandContext, groupWith } from '@acervo/platform-service';
import { Scope, WorkScope } from '@acervo/rbac';
import { operationsAdminCommands } from '../src/admin-commands/operations.admin-commands';
import { ModelCallStore } from '../src/plans/model-call.store';
import { ModelTokenStore } from '../src/plans/model-token.store';
import { ModelUsage, UsageClock } from '../src/plans/model-usage';
import { PlanStore } from '../src/plans/plan.store';
import { PlansHandlers } from '../src/plans/plans.handlers';
import { UsageHandlers } from '../src/plans/usage.handlers';
import { type Opened, openOperations } from './support';

const RETRIEVALS = { feature: 'RETRIEVALS', included: 100, on_limit: 'BLOCK' };
const CORPUS = { feature: 'ACTIVE_CORPUS', included: 5_000, on_limit: 'ALLOW' };
const basic = { code: 'BASIC', start_day: 1, quotas: [RETRIEVALS, CORPUS] };
const byEntity = [
  { entityCode: 'E1', used: 3 },
  { entityCode: null, used: 1 },
];

describe('plans', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-plans-'));
  const store = new PlanStore();
  const modelUsage = new ModelUsage(store, new ModelTokenStore(), new ModelCallStore(), new UsageClock());
  const plans = new PlansHandlers(store, new Outbox('operations'), modelUsage);
  const groupId = randomUUID();
  const audited: string[] = [];
  const trail: AuditTrail = { record: (_tx, { call }) => Promise.resolve(void audited.push(call)) };
  let opened: Opened;
  /** What retrieval answers. */
  let retrievals: object;
  /** The limit that ingestion answers, if it knows one. */
  let corpusLimit: object;

  const send = (call: Call, scope: WorkScope, input: never): Promise<unknown> => {
    if (call === countCorpus)
      return Promise.resolve({ used: 42, byEntity: [{ entityCode: 'E1', used: 42 }], ...corpusLimit });
    if (call === countRetrievals) return Promise.resolve(retrievals);
    const context = new WriteContext({ call, scope, input, caller: 'operator' }, opened.database, trail);
    return plans.assign(scope, input, context);
  };
  const calls = { send } as unknown as Calls;

  beforeAll(async () => {
    opened = await openOperations();
  });
  afterAll(async () => {
    rmSync(place, { recursive: true });
    await opened.db.close();
  });
  beforeEach(() => {
    corpusLimit = {};
    retrievals = {
      ...{ planCode: null, included: null, onLimit: 'BLOCK', used: 4, byEntity },
      ...{ periodStart: '2026-11-01', periodEnd: '2026-11-30' },
    };
  });

  /** Executes a command as the program does; returns what it printed. */
  const execute = async (name: string, value: string): Promise<string[]> => {
    const printed: string[] = [];
    const print = (line: string): void => void printed.push(line);
    const named = (code: string): Promise<WorkScope> =>
      Promise.resolve(new WorkScope(groupWith([{ groupId, code: 'G1' }], code).groupId, 'operator', name));
    const context = { calls, groups: { named }, database: opened.database, cause: name, value, print };
    await operationsAdminCommands
      .find((command) => command.name === name)
      ?.execute(context as unknown as AdminCommandContext);
    return printed;
  };
  const add = (content: unknown): Promise<string[]> => {
    const file = join(place, 'plans.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return execute('plans', file);
  };
  const usage = (group = groupId) =>
    new UsageHandlers(opened.database, store, calls, modelUsage, { chatModel: null }).usage(
      new Scope(Object.assign(new ScopeClaims(), { groupId: group }), 'token'),
      {},
    );
  const published = () =>
    opened.db.asOwner(
      'operations',
      `select payload from operations.outbox where topic = '${planAssigned.topic}' order by id`,
    );

  it('a group without a plan has the one without limits', async () => {
    expect(await usage()).toEqual({
      ...{ planCode: 'FREE-LOCAL', periodStart: '2026-11-01', periodEnd: '2026-11-30' },
      quotas: [
        {
          ...{ feature: 'ACTIVE_CORPUS', unit: 'pages', included: null, onLimit: 'BLOCK', used: 42 },
          byEntity: [{ entityCode: 'E1', used: 42 }],
        },
        { feature: 'RETRIEVALS', unit: 'calls', included: null, onLimit: 'BLOCK', used: 4, byEntity },
      ],
    });
  });

  it('a limit from before plans is shown as the plan that it became', async () => {
    retrievals = { ...retrievals, planCode: 'EARLIER-LIMIT', included: 9 };
    const { planCode, quotas } = await usage();
    expect([planCode, quotas[1]?.included]).toEqual(['EARLIER-LIMIT', 9]);
  });

  it('the limit of pages is the one that documents meet', async () => {
    corpusLimit = { limit: { included: 7, onLimit: 'ALLOW' } };
    const { quotas } = await usage();
    expect(quotas[0]).toMatchObject({ feature: 'ACTIVE_CORPUS', included: 7, onLimit: 'ALLOW', used: 42 });
  });

  it('a plan may block at a number of pages', async () => {
    const few = { ...basic, code: 'FEW', quotas: [{ ...CORPUS, on_limit: 'BLOCK' }] };
    expect(await add([few])).toEqual(['Plans: FEW. Assign one with --plan GROUP=CODE.']);
  });

  it('plans are added once, and never change', async () => {
    expect(await add([basic])).toEqual(['Plans: BASIC. Assign one with --plan GROUP=CODE.']);
    await add([{ quotas: basic.quotas, code: 'BASIC' }]);
    const changed = [
      { ...basic, code: 'OTHER' },
      { ...basic, start_day: 15 },
    ];
    await expect(add(changed)).rejects.toThrow('BASIC exists with other content');
    expect(await opened.database.ungrouped((tx) => store.find(tx, 'OTHER'))).toBeUndefined();
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /is no JSON file/],
    ['no list', { plans: [] }, /It needs a list of plans/],
    ['an unknown field', [{ ...basic, price: 1 }], /unknown_field_count/],
    ['an unknown feature', [{ ...basic, quotas: [{ ...CORPUS, feature: 'SEATS' }] }], /invalid_fields/],
    ['a start day that not every month has', [{ ...basic, start_day: 29 }], /start_day/],
    ['two quotas of a feature', [{ ...basic, quotas: [CORPUS, CORPUS] }], /two quotas of one feature/],
  ])('a file with %s is refused with a reason', async (_what, content, reason) => {
    await expect(add(content)).rejects.toThrow(reason);
  });

  it('a missing file of plans is refused as unreadable', async () => {
    await expect(execute('plans', join(place, 'missing.json'))).rejects.toThrow('the file cannot be read (ENOENT)');
  });

  it('an assigned plan is published with its quotas, and audited', async () => {
    await add([basic, { ...basic, code: 'MORE', start_day: 15 }]);
    expect(await execute('plan', 'G1=BASIC')).toEqual([
      'Group G1 has the plan BASIC. What it used in the running period stays counted.',
    ]);
    await execute('plan', 'G1=MORE');
    expect((await published()).map(({ payload }) => payload)).toEqual([
      { revision: 1, plan_code: 'BASIC', start_day: 1, quotas: [RETRIEVALS, CORPUS] },
      { revision: 2, plan_code: 'MORE', start_day: 15, quotas: [RETRIEVALS, CORPUS] },
    ]);
    expect(audited).toEqual([assignPlan.code, assignPlan.code]);
    const { planCode, quotas } = await usage();
    expect([planCode, quotas[0]?.included, quotas[0]?.onLimit]).toEqual(['MORE', 5_000, 'ALLOW']);
    expect((await usage(randomUUID())).planCode).toBe('FREE-LOCAL');
  });

  it.each([
    ['G1=NOTHING', 'no plan NOTHING'],
    ['G9=BASIC', 'no group G9'],
    ['G1', 'takes the code of a group'],
    ['=BASIC', 'takes the code of a group'],
  ])('--plan %s is refused with a reason', async (value, reason) => {
    await expect(execute('plan', value)).rejects.toThrow(reason);
  });

  it('the service cannot change a plan', async () => {
    const changing = opened.database.ungrouped((tx) => tx.query(`update operations.plan set content = '{}'`));
    await expect(changing).rejects.toThrow('permission denied');
  });
});

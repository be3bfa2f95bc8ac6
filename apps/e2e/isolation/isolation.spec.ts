import { allEvents } from '@acervo/contracts';
import { changedByAskingAgain } from './asked-again';
import { unservedRoutes } from './contract-coverage';
import { IsolationSuite } from './isolation-suite';
import { KeyGrammar } from './keys';
import { liveViolations } from './live-catalogue';
import { grantViolations } from './live-grants';
import { type Operation, operationsOf } from './operations';
import { routesWithoutFactor } from './missing-factor';
import { plantCall, plantsIn } from './planted-operations';
import { Plans } from './plans';
import { changedByReprocessing } from './reprocessing';
import { servedBy } from './routes';
import { predicatesIn, Statements } from './statements';

const statements = Statements.watch();
const keys = KeyGrammar.watch();

let suite: IsolationSuite;
beforeAll(async () => {
  suite = await IsolationSuite.open();
}, 300_000);
afterAll(() => suite.close());

const are =
  (wanted: Operation['kind']) =>
  ({ kind }: Operation): boolean =>
    kind === wanted;
const report = (line: string): void => void process.stdout.write(`${line}\n`);

/** Routes that a service serves and the suite does not try. */
const unknownRoutes = (): string[] => {
  const routeNames = suite.operations.filter(are('route')).map(({ name }) => name);
  const served = suite.installation.services.flatMap(servedBy);
  const described = served.filter((route) => !/^\w+ \/(docs|openapi)/.test(route));
  return described.filter((route) => !routeNames.includes(route));
};

describe('the contract', () => {
  it('every route is served', () => {
    expect(unservedRoutes(suite.installation.services)).toEqual([]);
  });
});

describe('the live catalogue', () => {
  it('every table is secured, or listed as shared between groups', async () => {
    expect(await liveViolations(suite.installation)).toEqual([]);
  });

  it('no login has privileges beyond the listed ones', async () => {
    expect(await grantViolations(suite.installation)).toEqual([]);
  });

  it('an unlisted privilege is reported', async () => {
    const owner = suite.installation.owner('auth');
    await owner.ungrouped((tx) => tx.query('grant update on auth.global_role to auth_app'));
    expect(await grantViolations(suite.installation)).toEqual([
      'auth_app has SELECT, UPDATE on auth.global_role, and should have SELECT.',
    ]);
    await owner.ungrouped((tx) => tx.query('revoke update on auth.global_role from auth_app'));
  });

  it('a new unsecured table is reported', async () => {
    const owner = suite.installation.owner('chat');
    await owner.ungrouped((tx) => tx.query('create table chat.forgotten (id int primary key)'));
    expect(await liveViolations(suite.installation)).toEqual([
      'chat.forgotten has no group_id that is never null, and is not listed as a table without group.',
      'chat.forgotten does not force row level security.',
      'chat.forgotten lacks the policy own_group with USING and WITH CHECK.',
      'chat.forgotten has the key forgotten_pkey without group_id.',
    ]);
    await owner.ungrouped((tx) => tx.query('drop table chat.forgotten'));
  });
});

describe('a service that stores users', () => {
  it('an unlisted service that names users is reported', async () => {
    const owner = suite.installation.owner('gateway');
    await owner.ungrouped((tx) => tx.query('create table gateway.planted (user_id uuid)'));
    expect(await liveViolations(suite.installation)).toContain(
      'gateway.planted.user_id names a user in a service that servicesWithUserData does not list.',
    );
    await owner.ungrouped((tx) => tx.query('drop table gateway.planted'));
  });
});

describe('a session that owes its second factor', () => {
  it('it reaches the routes of the factor and logout only', async () => {
    const { routes, reached } = await routesWithoutFactor(suite.context);
    report(`second factor owed: ${reached.length} of ${routes.length} routes reached`);
    expect(routes.length).toBeGreaterThan(60);
    expect(reached.toSorted()).toEqual([
      'GET /auth/mfa/factors',
      'POST /auth/logout',
      'POST /auth/mfa/challenge',
      'POST /auth/mfa/verify',
    ]);
  });
});

describe('work on documents of one group', () => {
  it('reworking documents changes nothing in a group with the same ids', async () => {
    expect(await changedByReprocessing(suite.context)).toEqual([]);
  });
});

describe('answers that are asked for again', () => {
  it('repeated questions and support requests change nothing in another group', async () => {
    expect(await changedByAskingAgain(suite.context)).toEqual([]);
  });
});

/** Calls are tried in parts: each is short beside the limit that finds a hang. */
const PARTS = [1, 2, 3, 4];

describe('two groups with the same identifiers', () => {
  // First, because each check of a stage costs more, the more rows earlier checks have left.
  it('every event and every stage is tried with two groups', () => {
    const names = suite.operations.filter(are('work')).map(({ name }) => name);
    const deliveries = allEvents().flatMap(({ topic, subscribers }) => subscribers.map((to) => `${to} hears ${topic}`));
    expect(deliveries.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => name.includes(' works ')).length).toBeGreaterThan(10);
  });

  it('no event or task crosses to another group', async () => {
    const { wrong, pairs, controls } = await suite.tryAll(suite.operations.filter(are('work')));
    expect(wrong).toEqual([]);
    report(`messages and work: 0 of ${pairs} pairs differ, beside ${controls} controls`);
  }, 300_000);

  it('every served route is tried with two groups', () => {
    expect(unknownRoutes()).toEqual([]);
    expect(suite.operations.filter(are('route')).length).toBeGreaterThan(60);
  });

  it('no field of a route crosses to another group', async () => {
    const { wrong, pairs, controls } = await suite.tryAll(suite.operations.filter(are('route')));
    expect(wrong).toEqual([]);
    report(`routes: 0 of ${pairs} pairs differ, beside ${controls} controls`);
  }, 600_000);

  it.each(PARTS)(
    'no field of a Call crosses to another group, part %i',
    async (part) => {
      const calls = suite.operations.filter(are('call')).filter((_, place) => place % PARTS.length === part - 1);
      const { wrong, pairs, controls } = await suite.tryAll(calls);
      expect(wrong).toEqual([]);
      report(`calls: 0 of ${pairs} pairs differ, beside ${controls} controls`);
    },
    600_000,
  );
});

describe('two groups with the same identifiers over MCP', () => {
  it('no argument of a tool that reads crosses to another group', async () => {
    const tools = suite.operations.filter(are('tool'));
    expect(tools.length).toBeGreaterThan(40);
    const { wrong, pairs, controls } = await suite.tryAll(tools);
    expect(wrong).toEqual([]);
    report(`tools: 0 of ${pairs} pairs differ, beside ${controls} controls`);
  }, 300_000);
});

describe('statements, keys and tasks of the checks', () => {
  it('every statement names the group of every table it reads', async () => {
    const plans = await Plans.of(suite.installation);
    expect(await plans.unboundOf(statements.sent)).toEqual([]);
  });

  it('every table of conversations is read by a statement with its group', () => {
    const read = [...statements.sent].filter((sql) => predicatesIn(sql) > 0);
    const tables = ['conversation', 'message', 'citation', 'asked_request', 'support_request'];
    expect(tables.filter((name) => !read.some((sql) => sql.includes(`chat.${name} `)))).toEqual([]);
  });

  it('removing any group predicate from a statement is noticed', async () => {
    const plans = await Plans.of(suite.installation);
    const { mutants, doubled, missed } = await plans.mutants(statements.sent);
    report(`plans: ${mutants} predicates taken away, ${doubled} of them said twice, ${missed.length} not noticed`);
    expect(missed).toEqual([]);
  });

  it('no stage receives tasks with undeclared fields', () => {
    const declared = suite.operations
      .filter(({ name, slots }) => name.includes(' works ') && slots.length > 1)
      .map(({ name }) => name.split(' ').at(-1));
    expect([...keys.observed].filter((stage) => !declared.includes(stage))).toEqual([]);
    expect(keys.observed.size).toBeGreaterThan(0);
  });

  it('every object, job, message and counter key contains its group', () => {
    report(`keys: ${JSON.stringify(keys.seen)}`);
    expect(keys.wrong).toEqual([]);
    for (const kind of ['objects', 'foreign', 'jobs', 'messages', 'counts'] as const)
      expect([kind, keys.seen[kind]]).not.toEqual([kind, 0]);
  });
});

describe('planted mistakes', () => {
  it('every planted crossing and every untriable operation is reported', async () => {
    const { installation, tenants } = suite.context;
    for (const [operation, words] of plantsIn(installation, tenants)) {
      const { wrong } = await suite.tryOne(operation);
      expect([operation.name, wrong.filter((line) => words.test(line)).length > 0, wrong]).toEqual([
        operation.name,
        true,
        expect.anything(),
      ]);
    }
  });

  it('a planted Call and a planted route are reported without own tests', async () => {
    const code = plantCall();
    const found = operationsOf(suite.installation).filter(({ name }) => name === code);
    expect(found).toHaveLength(1);
    for (const operation of found) expect((await suite.tryOne(operation)).wrong).not.toEqual([]);
    const [service] = suite.installation.services;
    service?.app.getHttpAdapter().get('/v1/planted', (_request: unknown, response: { end(): void }) => response.end());
    expect(unknownRoutes()).toEqual(['GET /v1/planted']);
  });
});

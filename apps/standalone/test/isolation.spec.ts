import { allEvents } from '@acervo/contracts';
import { ProvingGround } from './isolation/ground';
import { KeyGrammar } from './isolation/keys';
import { liveViolations } from './isolation/live-catalogue';
import { grantViolations } from './isolation/live-grants';
import { type Operation, operationsOf } from './isolation/operations';
import { plantCall, plantsIn } from './isolation/plants';
import { Plans } from './isolation/plans';
import { changedByRework } from './isolation/rework';
import { servedBy } from './isolation/routes';
import { Statements } from './isolation/statements';

const statements = Statements.watch();
const keys = KeyGrammar.watch();

let proving: ProvingGround;
beforeAll(async () => {
  proving = await ProvingGround.open();
}, 300_000);
afterAll(() => proving.close(), 60_000);

const are =
  (wanted: Operation['kind']) =>
  ({ kind }: Operation): boolean =>
    kind === wanted;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Routes that some service serves and the suite does not ask. */
const unknownRoutes = (): string[] => {
  const known = proving.operations.filter(are('route')).map(({ name }) => name);
  const served = proving.installation.services.flatMap(servedBy);
  const described = served.filter((route) => !/^\w+ \/(docs|openapi)/.test(route));
  return described.filter((route) => !known.includes(route));
};

describe('the live catalogue', () => {
  it('fences every table of every schema, and lists what belongs to no group', async () => {
    expect(await liveViolations(proving.installation)).toEqual([]);
  });

  it('lets no login do more than it is there for', async () => {
    expect(await grantViolations(proving.installation)).toEqual([]);
  });

  it('names a right that nobody listed', async () => {
    const owner = proving.installation.owner('auth');
    await owner.ungrouped((tx) => tx.query('grant update on auth.global_role to auth_app'));
    expect(await grantViolations(proving.installation)).toEqual([
      'auth_app has SELECT, UPDATE on auth.global_role, and should have SELECT.',
    ]);
    await owner.ungrouped((tx) => tx.query('revoke update on auth.global_role from auth_app'));
  });

  it('names a table that nobody thought of', async () => {
    const owner = proving.installation.owner('chat');
    await owner.ungrouped((tx) => tx.query('create table chat.forgotten (id int primary key)'));
    expect(await liveViolations(proving.installation)).toEqual([
      'chat.forgotten has no group_id that is never null, and is not listed as a table without group.',
      'chat.forgotten does not force row level security.',
      'chat.forgotten lacks the policy own_group with USING and WITH CHECK.',
      'chat.forgotten has the key forgotten_pkey without group_id.',
    ]);
    await owner.ungrouped((tx) => tx.query('drop table chat.forgotten'));
  });
});

describe('work on documents of one group', () => {
  it('changes nothing of another one that has documents of the same ids and codes', async () => {
    expect(await changedByRework(proving.ground)).toEqual([]);
  }, 120_000);
});

describe('two groups with the same identifiers', () => {
  it('are asked through every route that is served', () => {
    expect(unknownRoutes()).toEqual([]);
    expect(proving.operations.filter(are('route')).length).toBeGreaterThan(60);
  });

  it('never meet on a route, whichever field names something of the other one', async () => {
    const { wrong, pairs, controls } = await proving.tryAll(proving.operations.filter(are('route')));
    expect(wrong).toEqual([]);
    say(`routes: 0 of ${pairs} pairs differ, beside ${controls} controls`);
  }, 600_000);

  it('never meet in a call, whichever field names something of the other one', async () => {
    const { wrong, pairs, controls } = await proving.tryAll(proving.operations.filter(are('call')));
    expect(wrong).toEqual([]);
    say(`calls: 0 of ${pairs} pairs differ, beside ${controls} controls`);
  }, 600_000);

  it('are told of by every event and worked on by every stage that services know', () => {
    const names = proving.operations.filter(are('work')).map(({ name }) => name);
    const told = allEvents().flatMap(({ topic, subscribers }) => subscribers.map((to) => `${to} hears ${topic}`));
    expect(told.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => name.includes(' works ')).length).toBeGreaterThan(10);
  });

  it('never meet in a message or a piece of work of one that names something of the other', async () => {
    const { wrong, pairs, controls } = await proving.tryAll(proving.operations.filter(are('work')));
    expect(wrong).toEqual([]);
    say(`messages and work: 0 of ${pairs} pairs differ, beside ${controls} controls`);
  }, 300_000);
});

describe('whatever was sent meanwhile', () => {
  it('names the group of every table that it reads, so that row level security is not needed', async () => {
    const plans = await Plans.of(proving.installation);
    expect(await plans.unboundOf(statements.sent)).toEqual([]);
  }, 60_000);

  it('would be noticed without any one of the predicates that do so', async () => {
    const plans = await Plans.of(proving.installation);
    const { mutants, doubled, missed } = await plans.mutants(statements.sent);
    say(`plans: ${mutants} predicates taken away, ${doubled} of them said twice, ${missed.length} not noticed`);
    expect(missed).toEqual([]);
  }, 60_000);

  it('leaves no stage more work than it declares', () => {
    const declared = proving.operations
      .filter(({ name, slots }) => name.includes(' works ') && slots.length > 1)
      .map(({ name }) => name.split(' ').at(-1));
    expect([...keys.told].filter((stage) => !declared.includes(stage))).toEqual([]);
    expect(keys.told.size).toBeGreaterThan(0);
  });

  it('carries its group in the key of every object, job, message and count', () => {
    say(`keys: ${JSON.stringify(keys.seen)}`);
    expect(keys.wrong).toEqual([]);
    for (const kind of ['objects', 'foreign', 'jobs', 'messages', 'counts'] as const)
      expect([kind, keys.seen[kind]]).not.toEqual([kind, 0]);
  });
});

describe('what is added and wrong', () => {
  it('is noticed, whichever way it crosses, and so is what cannot be tried', async () => {
    const { installation, tenants } = proving.ground;
    for (const [operation, words] of plantsIn(installation, tenants)) {
      const { wrong } = await proving.tryOne(operation);
      expect([operation.name, wrong.filter((line) => words.test(line)).length > 0, wrong]).toEqual([
        operation.name,
        true,
        expect.anything(),
      ]);
    }
  }, 60_000);

  it('is noticed though nobody wrote a test for it: a call that is declared, a route that is served', async () => {
    const code = plantCall();
    const found = operationsOf(proving.installation).filter(({ name }) => name === code);
    expect(found).toHaveLength(1);
    for (const operation of found) expect((await proving.tryOne(operation)).wrong).not.toEqual([]);
    const [service] = proving.installation.services;
    service?.app.getHttpAdapter().get('/v1/planted', (_request: unknown, response: { end(): void }) => response.end());
    expect(unknownRoutes()).toEqual(['GET /v1/planted']);
  });
});

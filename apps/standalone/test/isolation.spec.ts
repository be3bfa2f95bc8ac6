import { ProvingGround } from './isolation/ground';
import { liveViolations } from './isolation/live-catalogue';
import type { Operation } from './isolation/operations';
import { servedBy } from './isolation/routes';

let proving: ProvingGround;
beforeAll(async () => {
  proving = await ProvingGround.open();
}, 300_000);
afterAll(() => proving.close(), 60_000);

const isRoute = ({ name }: Operation): boolean => name.includes(' ');

describe('the live catalogue', () => {
  it('fences every table of every schema, and lists what belongs to no group', async () => {
    expect(await liveViolations(proving.installation)).toEqual([]);
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

describe('two groups with the same identifiers', () => {
  it('are asked through every route that is served', () => {
    const known = proving.operations.filter(isRoute).map(({ name }) => name);
    const served = proving.installation.services.flatMap(servedBy);
    const described = served.filter((route) => !/^\w+ \/(docs|openapi)/.test(route));
    expect(described.filter((route) => !known.includes(route))).toEqual([]);
    expect(known.length).toBeGreaterThan(60);
  });

  it('never meet on a route, whichever field names something of the other one', async () => {
    const { wrong, pairs, controls } = await proving.tryAll(proving.operations.filter(isRoute));
    expect(wrong).toEqual([]);
    process.stdout.write(`routes: 0 of ${pairs} pairs differ, beside ${controls} controls\n`);
  }, 600_000);

  it('never meet in a call, whichever field names something of the other one', async () => {
    const { wrong, pairs, controls } = await proving.tryAll(proving.operations.filter((each) => !isRoute(each)));
    expect(wrong).toEqual([]);
    process.stdout.write(`calls: 0 of ${pairs} pairs differ, beside ${controls} controls\n`);
  }, 600_000);
});

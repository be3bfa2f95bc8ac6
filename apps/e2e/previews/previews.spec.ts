import fc from 'fast-check';
import { allOperations, provisionFirstGroup, type ProvisionedGroup } from '@acervo/contracts';
import { anonymous } from '@acervo/rbac';
import { type Fingerprint, fingerprint, groupTables, type Table } from '../isolation/evidence';
import { write } from '../isolation/tenant-fixture';
import { Installation } from '../isolation/installation';
import { bucketOf } from '../isolation/tenants';
import { until } from '../harness/waiting';
import { documentRows } from './document-rows';
import { evidenceOf } from './evidence';
import { answerRows, conversationRows, peopleRows } from './people-rows';
import { processRows } from './process-rows';
import { type Names, namesOf, type State, states } from './state';
import { cases } from './preview-cases';
import { indexRows, spaceRows } from './space-rows';
import { typeRows } from './type-rows';

const CASES = process.env['ACERVO_BENCH'] === undefined ? 10 : 300;

/** Number of states in which all tables and objects of the group are compared; a comparison is slow. */
const COMPARED = CASES / 5;

/** The stages of a document that the product runs itself; states contain other tasks. */
const STAGES = ['acquire', 'extract', 'classify', 'summarise', 'chunk', 'embed', 'hand-over', 'vectors'];

let installation: Installation;
let tables: readonly Table[];
let group: ProvisionedGroup;
let bucket = 0;
let number = 0;
const executed = new Map<string, number>();
let refused = 0;

beforeAll(async () => {
  installation = await Installation.start();
  const { email, password } = installation.administrator;
  group = await installation.callsOf('standalone').send(provisionFirstGroup, anonymous, {
    groupName: 'Previews',
    administrator: email,
    administratorPassword: password,
  });
  bucket = await bucketOf(installation, group);
  await installation.owner('retrieval').write(group, (tx) => write(tx, indexRows()));
  tables = await groupTables(installation);
  await useKey();
});
afterAll(() => installation.stop());

const run = async (code: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await fetch(`http://127.0.0.1:${installation.port}/v1/operations/${code}:execute`, {
    method: 'POST',
    headers: { authorization: `Bearer ${group.apiKey ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

/** The first use of a key is noted beside the requests: afterwards previews are the only requests that could write. */
const useKey = async (): Promise<void> => {
  await run('auth.parameters.list', {});
  await until('the first use of the key is noted', async () => {
    const [key] = await installation
      .owner('auth')
      .read(group, (tx) =>
        tx.query<{ used: boolean }>(
          'select bool_and(last_used_on is not null) as used from auth.api_key where group_id = $1',
          [group.groupId],
        ),
      );
    return key?.used === true;
  });
};

/** Writes a state beside the earlier ones; the administrator reads the documents of its first entity. */
const become = async (state: State): Promise<Names> => {
  const names = namesOf(state, (number += 1));
  await installation.owner('auth').write(group, async (tx) => {
    for (const rows of peopleRows(state, names)) await write(tx, rows);
    await tx.query(
      `insert into auth.user_entity (group_id, user_id, entity_code)
       select group_id, user_id, $2 from auth.app_user where group_id = $1 and email = $3`,
      [group.groupId, names.entities[0], installation.administrator.email],
    );
  });
  await installation.owner('ingestion').write(group, async (tx) => {
    for (const rows of [...documentRows(state, names), ...typeRows(state, names)]) await write(tx, rows);
  });
  await installation.owner('operations').write(group, async (tx) => {
    for (const rows of [answerRows(state, names), ...processRows(state, names)]) await write(tx, rows);
  });
  await installation.owner('chat').write(group, async (tx) => {
    for (const rows of conversationRows(state, names)) await write(tx, rows);
  });
  await installation.owner('retrieval').write(group, async (tx) => {
    for (const rows of spaceRows(state, names, bucket)) await write(tx, rows);
  });
  return names;
};

const everything = (): Promise<Fingerprint> => fingerprint(installation, tables, group.groupId);

const isOnItsWay = ([name, print]: [string, string]): boolean =>
  /\.(outbox|incoming)$/.test(name) && !/^0 /.test(print);

/** Number of deleted folders whose documents are still being removed. */
const leaving = async (): Promise<number> => {
  const rows = await installation
    .owner('ingestion')
    .read(group, (tx) =>
      tx.query(
        `select from ingestion.task where group_id = $1 and stage = 'remove-location' and status in ('WAITING', 'LEASED')`,
        [group.groupId],
      ),
    );
  return rows.length;
};

/** Blocks the tasks of documents between two fingerprints. */
const blockWork = async (): Promise<void> => {
  const isReal = `group_id = $1 and stage = any($2::text[])`;
  for (;;) {
    const leased = await installation.owner('ingestion').write(group, async (tx) => {
      await tx.query(
        `update ingestion.task set not_before = now() + interval '1 hour' where ${isReal} and status = 'WAITING'`,
        [group.groupId, STAGES],
      );
      return tx.query(`select from ingestion.task where ${isReal} and status = 'LEASED'`, [group.groupId, STAGES]);
    });
    if (leased.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Fingerprint of the whole group, once earlier work has ended. */
const atRest = async (): Promise<Fingerprint> => {
  for (let [before, now] = [await everything(), await everything()]; ; [before, now] = [now, await everything()]) {
    const isStill = JSON.stringify(before) === JSON.stringify(now) && !Object.entries(now).some(isOnItsWay);
    if (isStill && (await leaving()) === 0) return now;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** Checks that previews change nothing in a group at rest; returns their number. */
const changesNothing = async (code: string, input: Record<string, unknown>, rest: Fingerprint): Promise<number> => {
  let previews = 0;
  for (const body of [{ input }, { input, confirm: false }]) if ((await run(code, body)).status === 200) previews += 1;
  expect({ code, input, ...(await everything()) }).toEqual({ code, input, ...rest });
  return previews;
};

/** Runs preview and execution, and compares the preview with the effect in the stores. */
const tryOne = async (code: string, input: Record<string, unknown>): Promise<void> => {
  if (cases[code]?.goesOn === true) await blockWork();
  const before = await evidenceOf(installation, group.groupId);
  const preview = await run(code, { input });
  const executedNow = await run(code, { input, confirm: true });
  if (preview.status !== 200) {
    // A refused execution has a preview that is refused for the same reason.
    expect([code, executedNow.status, executedNow.body['code']]).toEqual([code, preview.status, preview.body['code']]);
    refused += 1;
    return;
  }
  executed.set(code, (executed.get(code) ?? 0) + 1);
  const foreseen = (preview.body['preview'] as Record<string, Record<string, unknown>>)['effect'] ?? {};
  if (cases[code]?.goesOn === true) await atRest();
  const after = await evidenceOf(installation, group.groupId);
  const details = (executedNow.body['details'] ?? {}) as Record<string, unknown>;
  const outcome = { input, foreseen, status: executedNow.status, details, before, after };
  expect({ code, input, ...cases[code]?.done(outcome) }).toEqual({ code, input, ...foreseen });
};

describe('the preview of an operation', () => {
  it('every operation with a preview is tried', () => {
    const previewed = allOperations().flatMap(({ code, preview }) => (preview === null ? [] : [code]));
    expect(previewed.filter((code) => cases[code] === undefined)).toEqual([]);
  });

  it('a preview changes no table, object, task or event', async () => {
    let previews = 0;
    for (const state of fc.sample(states, { numRuns: COMPARED, seed: 20 })) {
      const names = await become(state);
      const rest = await atRest();
      for (const [code, { inputs }] of Object.entries(cases))
        for (const input of inputs(state, names)) previews += await changesNothing(code, input, rest);
    }
    expect(previews).toBeGreaterThan(COMPARED * 10);
  }, 300_000);

  it('a preview equals the effect of its execution in any state', async () => {
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        const names = await become(state);
        for (const [code, { inputs }] of Object.entries(cases))
          for (const input of inputs(state, names)) await tryOne(code, input);
      }),
      { numRuns: CASES, seed: 10, endOnFailure: true },
    );
    expect([...executed.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(CASES * 5);
    expect(Object.keys(cases).filter((code) => !executed.has(code))).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  }, 600_000);
});

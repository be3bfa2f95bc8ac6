import { randomUUID } from 'node:crypto';
import { fingerprint, groupTables } from './evidence';
import type { SuiteContext } from './differential';

/** A question that help does not settle, so that it offers a support request. */
const UNSETTLED = '¿De qué color es el cielo en Marte?';

type Body = Readonly<Record<string, unknown>>;

/**
 * Tables of the other group that change while the calling group repeats a question under its key and registers a support
 * request. Both groups have conversations with the same numbers.
 */
export const changedByAskingAgain = async ({
  installation,
  tenants,
  credentials,
}: SuiteContext): Promise<readonly string[]> => {
  const bearer = await credentials.session();
  const ask = async (question: string, more: object, key?: string): Promise<Body> => {
    const answer = await fetch(`http://127.0.0.1:${installation.port}/v1/ask`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify({ question, ...more }),
    });
    if (!answer.ok) throw new Error(`A question was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
  const tables = await groupTables(installation);
  const print = () => fingerprint(installation, tables, tenants.other.groupId);
  await installation.owner('auth').write(tenants.ownGroup, (tx) =>
    tx.query(
      `insert into auth.group_parameter (group_id, code, value) values ($1, 'HELP_ENABLED', 'true')
       on conflict (group_id, code) do update set value = excluded.value`,
      [tx.groupId],
    ),
  );
  const before = await print();
  const key = randomUUID();
  const [first, repeated] = [await ask(UNSETTLED, {}, key), await ask(UNSETTLED, {}, key)];
  if (JSON.stringify(first) !== JSON.stringify(repeated)) throw new Error('A repeated question got another answer.');
  const { conversation_id } = await ask(UNSETTLED, { mode: 'help' });
  const { answer } = await ask('Sí, por favor', { mode: 'help', conversation_id });
  if (!/\bS\d+\b/.test(String(answer))) throw new Error(`No support request was registered: ${String(answer)}`);
  const after = await print();
  return Object.keys(after).filter((name) => before[name] !== after[name]);
};

import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Transaction } from '@acervo/platform-database';
import { fixtureRows, type Rows } from './fixture-rows';
import type { Installation } from './installation';
import type { Group } from './tenants';

/**
 * One of everything that an input can name, all related. A user has an entity and a role; an area of the entity reaches
 * a folder; the folder contains a document. The twin of a fixture has the same identifiers in another group.
 */
export interface TenantFixture {
  readonly entity: string;
  /** An entity without the user. */
  readonly otherEntity: string;
  /** An entity and an area without dependents. */
  readonly emptyEntity: string;
  readonly emptyArea: string;
  readonly area: string;
  readonly otherArea: string;
  readonly root: string;
  readonly location: string;
  readonly document: string;
  /** The type of the document, and one without dependents. */
  readonly documentType: string;
  readonly emptyType: string;
  readonly featureCategory: string;
  readonly feature: string;
  readonly run: number;
  readonly space: number;
  readonly conversation: number;
  /** A definition with a task, and a process of it that has the task too. */
  readonly groupProcess: string;
  readonly groupTask: string;
  readonly process: string;
  /** An address. It ends in the word of its group, because an address belongs to one person in one group. */
  readonly user: string;
  /** The role of the user, its code, and an unassigned role. */
  readonly assignedRole: number;
  readonly roleCode: string;
  readonly role: number;
  readonly key: string;
  readonly factor: string;
  readonly challenge: string;
  readonly ids: { readonly user: string; readonly document: string; readonly run: string };
  /** A word that names and contents of the fixture contain. */
  readonly word: string;
}

/** Without the letter that marks the words of groups. */
const ALPHABET = 'abcdefghijklmnoprstuvwxyz';
const letters = (count: number): string =>
  Array.from(randomBytes(count), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
const code = (letter: string): string => `${letter}${letters(8).toUpperCase()}`;

/** Strictly increasing: the thousands of numbers of one run must differ. */
const numbers = (function* () {
  for (let last = 100_000; ;) yield (last += randomInt(1, 10_000));
})();
export const number = (): number => numbers.next().value;

/** Identifiers in the format of the product that nothing has. */
export const unusedFixture = (): TenantFixture => ({
  ...{ entity: code('E'), otherEntity: code('E'), emptyEntity: code('E') },
  ...{ area: code('A'), otherArea: code('A'), emptyArea: code('A') },
  ...{ root: code('L'), location: code('L'), document: code('D'), run: number(), space: number() },
  ...{ conversation: number(), groupProcess: code('G'), groupTask: code('K'), process: code('P') },
  ...{ documentType: code('T'), emptyType: code('T'), featureCategory: code('C'), feature: code('F') },
  ...{ user: `${letters(8)}@zqc.test`, assignedRole: number(), roleCode: `role-${letters(8)}`, role: number() },
  ...{ key: letters(12), factor: randomUUID(), challenge: randomUUID(), word: `zqc${letters(8)}` },
  ids: { user: randomUUID(), document: randomUUID(), run: randomUUID() },
});

/** The words of a fixture in a group. */
export const inWordsOf = (fixture: TenantFixture, { words }: Group): TenantFixture => ({
  ...fixture,
  user: fixture.user.replace(/@zq\w/, `@${words}`),
  word: fixture.word.replace(/^zq\w/, words),
});

export const write = async (tx: Transaction, { table, rows }: Rows): Promise<void> => {
  const [first] = rows;
  if (first === undefined) return;
  const columns = ['group_id', ...Object.keys(first)].join(', ');
  const payload = JSON.stringify(rows.map((row) => ({ group_id: tx.groupId, ...row })));
  await tx.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [payload],
  );
};

const bucketOf = async (installation: Installation, group: Group): Promise<number> => {
  const [found] = await installation
    .as('retrieval')
    .read(group, (tx) =>
      tx.query<{ bucket: number }>('select bucket from retrieval.bucket_catalogue where group_id = $1', [
        group.groupId,
      ]),
    );
  return found?.bucket ?? 0;
};

/** Writes fixtures into groups: the same identifiers in each group, with the words of that group. */
export const writeFixtures = async (
  installation: Installation,
  groups: readonly Group[],
  fixtures: readonly TenantFixture[],
): Promise<void> => {
  for (const group of groups) {
    const all = fixtureRows(
      fixtures.map((each) => inWordsOf(each, group)),
      group,
      await bucketOf(installation, group),
    );
    for (const schema of ['auth', 'ingestion', 'retrieval', 'operations', 'chat'])
      await installation.owner(schema).write(group, async (tx) => {
        for (const rows of all) if (rows.table.startsWith(`${schema}.`)) await write(tx, rows);
      });
  }
};

/** Writes a pending factor of the administrator of a group; each administrator has only one. */
export const writeFactor = (installation: Installation, group: Group, { factor, word }: TenantFixture): Promise<void> =>
  installation.owner('auth').write(group, async (tx) => {
    await tx.query('delete from auth.factor where group_id = $1', [group.groupId]);
    const rows = [{ factor_id: factor, user_id: group.administrator, kind: 'webauthn', name: word }];
    await write(tx, { table: 'auth.factor', rows });
  });

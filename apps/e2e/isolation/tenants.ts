import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ingestionProgress, makeSystemUser, provisionFirstGroup, registerFolder, startRun } from '@acervo/contracts';
import { ownerRole, Provisioner } from '@acervo/platform-database';
import { anonymous, WorkScope } from '@acervo/rbac';
import { partitionsOf } from '@acervo/retrieval';
import { until } from '../harness/waiting';
import { groupTables } from './evidence';
import { writeFixtures, unusedFixture } from './tenant-fixture';
import type { Installation } from './installation';

/** A group with its people. All its contents contain its word. */
export interface Group {
  readonly groupId: string;
  readonly code: string;
  /** `zqb` or `zqa`: the prefix of names, contents and addresses. */
  readonly words: string;
  /** Id of the administrator, the same in both groups. */
  readonly administrator: string;
}

export interface Tenants {
  /** The group whose data must stay hidden. */
  readonly other: Group;
  /** The group that sends the requests. */
  readonly ownGroup: Group;
}

const SUBJECTS = ['riego', 'almazara', 'tractor', 'turnos', 'asamblea'];

const writeFolder = (folder: string): void => {
  mkdirSync(join(folder, 'zqbactas'), { recursive: true });
  SUBJECTS.forEach((subject, index) =>
    writeFileSync(
      join(folder, index % 2 === 0 ? '' : 'zqbactas', `zqb${subject}.txt`),
      `# zqbtitulo ${subject}\n\nEl zqbsecreto de ${subject}: la comunidad reparte el agua de riego cada semana zqb${index}.\n`,
    ),
  );
  writeFileSync(join(folder, 'zqbplano.dwg'), 'zqb');
};

/** The same files in another group: as long and as old, with the words of that group. */
const twinFolder = (from: string, to: string): void => {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const copy = join(to, relative(from, file).replaceAll('zqb', 'zqa'));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, readFileSync(file, 'utf8').replaceAll('zqb', 'zqa'));
    const { atime, mtime } = statSync(file);
    utimesSync(copy, atime, mtime);
  }
};

const ingestFolder = async (installation: Installation, groupId: string, folder: string): Promise<void> => {
  const calls = installation.callsOf('standalone');
  const scope = new WorkScope(groupId, 'standalone', 'test');
  const { locationCode } = await calls.send(registerFolder, scope, { path: folder, entityCode: 'E1' });
  await calls.send(startRun, scope, { locationCode, acceptDeletions: false });
  let found: unknown;
  const what = (): string =>
    `the folder is ingested: ${JSON.stringify(found)} ${installation.logged.slice(-5).join('')}`;
  await until(what, async () => {
    const { counts, waiting } = await calls.send(ingestionProgress, scope, {});
    found = counts;
    const searchable = counts.find(({ status }) => status === 'VECTORIZADO')?.documents ?? 0;
    return waiting === 0 && searchable === SUBJECTS.length;
  });
};

const REFERENCES = `select conrelid::regclass::text as one, confrelid::regclass::text as other from pg_constraint where contype = 'f'`;

/** Tables that triggers maintain, or whose rows each group writes itself: a copied audit chain is signed for another. */
const BY_THEMSELVES =
  /installation$|directory$|outbox$|incoming$|dead_letter$|parked_key$|bucket_catalogue$|pending_registration$|audit_(record|head)$/;

/** Tables with rows of a group, each after the tables that it references. */
const inOrder = async (installation: Installation): Promise<string[]> => {
  const names = (await groupTables(installation)).map(({ schema, name }) => `${schema}.${name}`);
  const references = await installation
    .owner('auth')
    .ungrouped((tx) => tx.query<{ one: string; other: string }>(REFERENCES));
  const sorted: string[] = [];
  const add = (name: string): void => {
    if (sorted.includes(name) || BY_THEMSELVES.test(name)) return;
    for (const { other } of references.filter(({ one, other }) => one === name && other !== name)) add(other);
    if (!sorted.includes(name)) sorted.push(name);
  };
  names.forEach(add);
  return sorted;
};

export const bucketOf = async (installation: Installation, group: { groupId: string }): Promise<number> => {
  const database = installation.as('retrieval');
  await database.write(group, (tx) =>
    tx.query('insert into retrieval.bucket_catalogue (group_id) values ($1) on conflict do nothing', [tx.groupId]),
  );
  const rows = await database.read(group, (tx) =>
    tx.query<{ bucket: number }>('select bucket from retrieval.bucket_catalogue where group_id = $1', [tx.groupId]),
  );
  return rows[0]?.bucket ?? 0;
};

export const makePartitions = async (installation: Installation, bucket: number): Promise<void> => {
  const provisioner = new Provisioner(installation.database.connection(ownerRole('retrieval')));
  for (const partition of partitionsOf(bucket, 384)) await provisioner.ensurePartition(partition);
  await provisioner.close();
};

/** Creates a group with the rows and objects of another: the same identifiers, other words. */
const twin = async (installation: Installation, from: Group, to: Group): Promise<void> => {
  const [bucketBefore, made] = [await bucketOf(installation, from), await bucketOf(installation, to)];
  await makePartitions(installation, made);
  const translated = (text: string): string =>
    text
      .replaceAll(from.groupId, to.groupId)
      .replaceAll('zqb', 'zqa')
      // Other words have another digest.
      .replaceAll(/"chunks_digest": "[0-9a-f]+"/g, '"chunks_digest": null')
      .replaceAll(`"bucket": ${bucketBefore},`, `"bucket": ${made},`);
  for (const table of await inOrder(installation)) {
    const database = installation.owner(table.split('.', 1)[0] ?? '');
    const [found] = await database.read(from, (tx) =>
      tx.query<{ rows: string | null }>(
        `select jsonb_agg(to_jsonb(t))::text as rows from ${table} t where group_id = $1`,
        [from.groupId],
      ),
    );
    if (found?.rows == null) continue;
    const rows = translated(found.rows);
    const text = table === 'auth.tenant_group' ? rows.replace(`"code": "${from.code}"`, `"code": "${to.code}"`) : rows;
    await database.write(to, (tx) =>
      tx.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [text]),
    );
  }
  const objects = join(installation.directory.objects, 'group');
  cpSync(join(objects, from.groupId), join(objects, to.groupId), { recursive: true });
  for (const entry of readdirSync(join(objects, to.groupId), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'latin1');
    if (text.includes('zqb')) writeFileSync(file, text.replaceAll('zqb', 'zqa'), 'latin1');
  }
};

/** Two groups with equal identifiers and different contents. */
export const populate = async (installation: Installation): Promise<Tenants> => {
  const { email: administrator, password } = installation.administrator;
  const calls = installation.callsOf('standalone');
  const provisioned = await calls.send(provisionFirstGroup, anonymous, {
    groupName: 'zqbcooperativa',
    administrator,
    administratorPassword: password,
  });
  const { groupId, groupCode } = provisioned;
  const database = installation.as('auth');
  const scope = new WorkScope(groupId, 'standalone', 'test');
  await calls.send(makeSystemUser, scope, { email: 'system@zqb.test' });
  const [admin] = await database.write(scope, async (tx) => {
    await tx.query(
      `update auth.app_user set state = 'ACTIVO', name = 'zqbsistema' where group_id = $1 and email = 'system@zqb.test'`,
      [groupId],
    );
    await tx.query(`update auth.app_user set name = 'zqbadmin' where group_id = $1 and email = $2`, [
      groupId,
      administrator,
    ]);
    await tx.query(
      `insert into auth.password (group_id, user_id, hash) select u.group_id, u.user_id, p.hash from auth.app_user u, auth.password p
       where u.group_id = $1 and p.group_id = $1 and u.email = 'system@zqb.test'`,
      [groupId],
    );
    return tx.query<{ id: string }>('select user_id as id from auth.app_user where group_id = $1 and email = $2', [
      groupId,
      administrator,
    ]);
  });
  // Outside the data directory, which must not contain documents.
  const place = dirname(installation.directory.path);
  const folder = join(place, 'zqbfolder');
  writeFolder(folder);
  twinFolder(folder, join(place, 'zqafolder'));
  await ingestFolder(installation, groupId, folder);
  // Stops background work in the other group: a comparison of its stores would repair the rows below, and a scan would
  // publish events.
  await installation
    .owner('ingestion')
    .write(scope, (tx) =>
      tx.query(`delete from ingestion.task where group_id = $1 and stage in ('reconcile', 'rescan')`, [groupId]),
    );
  const other: Group = { groupId, code: groupCode, words: 'zqb', administrator: admin?.id ?? '' };
  await writeFixtures(installation, [other], [unusedFixture(), unusedFixture()]);
  // A later group: in the order of groups or of time, the other group's rows come first.
  const ownGroup: Group = { ...other, groupId: groupId.replace(/^......../, 'ffffffff'), code: 'G2', words: 'zqa' };
  await twin(installation, other, ownGroup);
  return { other, ownGroup };
};

// Samples of an installation: memory, descriptors and lag of each process, rows of each table, bytes on disk.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HttpClient, SERVICES, Tables } from '@acervo/e2e/harness';
import { residentMemory } from '../lib/memory.mjs';

/** Tables that are meant to grow, each with what ends its growth. */
export const GROWING = {
  'operations.audit_record': 'records of writes are never deleted',
  'ingestion.run': 'the latest 500 of a folder are kept',
  'auth.api_key': 'revoked keys stay, so that their names are never used again',
  'auth.session': 'ended sessions are deleted within the hour',
  'auth.refresh_token': 'expired tokens are deleted within the hour',
  'auth.request_rate': 'one row for each credential that was used lately',
  ...Object.fromEntries(
    SERVICES.map((service) => [`${service}.inbox`, 'handled events are remembered for seven days']),
  ),
};

const TABLES = `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition`;

/** Open descriptors of a process; only Linux lists them. */
const descriptorsOf = (pid) => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
};

/** Kinds of processes that end by themselves, as readers of files do. */
const PASSING = new Set(['other', 'extraction', 'files']);

/** One sample of each lasting process. */
export const processSamples = (tree, at) =>
  tree
    .filter(({ kind }) => !PASSING.has(kind))
    .map(({ pid, kind }) => ({ at, pid, kind, megabytes: residentMemory(pid), descriptors: descriptorsOf(pid) }))
    .filter(({ megabytes, descriptors }) => megabytes > 0 && descriptors !== undefined);

/** Milliseconds of a request that does nothing: it waits as long as the loops of root and gateway are busy. */
export const lagOf = async (port) => {
  const started = performance.now();
  const { status } = await new HttpClient({ port, answersWithinMs: 20_000 }).send('GET', '/version');
  return status === 200 ? performance.now() - started : undefined;
};

/** Bytes of the files of a folder and below it. */
export const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => {
      try {
        return sum + statSync(join(entry.parentPath, entry.name)).size;
      } catch {
        return sum;
      }
    }, 0);

/** Rows of every table of the services, of all groups together; a table without groups counts once for each. */
export const rowCounts = async ({ connections, groups }, services) => {
  const counts = {};
  for (const groupId of groups) {
    const tables = new Tables((role) => connections[role], groupId);
    try {
      for (const service of services) {
        const role = `${service}_owner`;
        const names = await tables.rows(role, TABLES, [service]);
        const parts = names.map(
          ({ schema, name }) => `select '${schema}.${name}' as name, count(*)::int as n from ${schema}.${name}`,
        );
        const rows = parts.length === 0 ? [] : await tables.rows(role, parts.join(' union all '));
        for (const { name, n } of rows) counts[name] = (counts[name] ?? 0) + n;
      }
    } finally {
      await tables.close();
    }
  }
  return counts;
};

const OPEN = (service) => `select ((select count(*) from ${service}.task where group_id = $1
    and status in ('WAITING', 'LEASED') and stage not in ('reconcile', 'rescan', 'schedule-spaces'))
  + (select count(*) from ${service}.incoming))::int as open`;

/** Tasks and events of all groups that wait or are being worked on. */
export const openWork = async ({ connections, groups }) => {
  let open = 0;
  for (const groupId of groups) {
    const tables = new Tables((role) => connections[role], groupId);
    try {
      for (const service of ['ingestion', 'retrieval']) {
        const [row] = await tables.rows(`${service}_owner`, OPEN(service), [groupId]);
        open += row.open;
      }
    } finally {
      await tables.close();
    }
  }
  return open;
};

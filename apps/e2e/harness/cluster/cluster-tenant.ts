import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpClient } from '../http-client';
import { PASSWORD, People } from '../people';
import { retryUntilAvailable } from '../waiting';
import type { Cluster } from './cluster';
import type { Asked } from './traffic';

/** Who administers the first group. */
export const EMAIL = 'ana@example.test';
/** A document arrives in each of these, and its folder is scanned. */
const ARRIVAL_MS = 2_000;
const FOUND_WITHIN_MS = 180_000;

const nameOf = (index: number): string => `acta-${String(index).padStart(4, '0')}.txt`;
/** A word that stands in one document alone. */
const wordOf = (index: number): string =>
  `zeta${[...String(index)].map((digit) => 'bcdfghjklm'[Number(digit)] ?? '').join('a')}o`;

/** The names of the documents that arrived, and the scans that failed. */
export interface Arrived {
  readonly names: readonly string[];
  readonly failures: readonly string[];
}

/** The first group of a cluster: its folder, its administrator, and what its people and programs ask. */
export interface ClusterTenant {
  /** The request of a turn: searches, lists, the session of a key, and a session of a person at auth. */
  readonly mix: (turn: number) => Asked;
  /** Writes documents and asks for scans until the signal. */
  arriving(until: AbortSignal): Promise<Arrived>;
  /** Documents that are not found by their word, or more than once. */
  missing(names: readonly string[]): Promise<readonly string[]>;
}

const printed = (output: string, pattern: RegExp): string => {
  const found = pattern.exec(output)?.[0];
  if (found === undefined) throw new Error(`The first group was not made:\n${output}`);
  return found;
};

/** The first group: what asks for it, its API key, and a session of its administrator. */
interface FirstGroup {
  readonly client: HttpClient;
  readonly key: string;
  readonly session: string;
}

/** Makes the first group and starts the services. */
const openGroup = async (cluster: Cluster): Promise<FirstGroup> => {
  const { output } = await cluster.run('auth', ['--provision', EMAIL]);
  const key = printed(output, /acv_\w+/);
  const token = printed(output, /establecer-clave#\S+/).replace(/^.*#/, '');
  await cluster.start();
  const client = new HttpClient({ port: cluster.port, key, answersWithinMs: 30_000 });
  const people = new People(client);
  await people.ask('POST', '/auth/establecer-clave', { token, password: PASSWORD });
  const { access_token: session } = await people.ask('POST', '/auth/login', { email: EMAIL, password: PASSWORD });
  return { client, key, session: String(session) };
};

/** The first group of a cluster of auth and the gateway alone: it has sessions and no documents. */
export const openPeople = async (cluster: Cluster): Promise<ClusterTenant> => {
  const mix = mixOfPeople(await openGroup(cluster));
  return {
    mix: (turn) => mix[turn % mix.length] ?? mix[0],
    arriving: () => Promise.resolve({ names: [], failures: [] }),
    missing: () => Promise.resolve([]),
  };
};

/** Makes the first group, starts the services, and opens the folder of documents to the group. */
export const openClusterTenant = async (cluster: Cluster, documents: string): Promise<ClusterTenant> => {
  writeFileSync(join(documents, nameOf(0)), `La acequia del norte y ${wordOf(0)}.`);
  const group = await openGroup(cluster);
  const { client } = group;
  const created = await client.ask('POST', '/v1/operations/locations.create:execute', {
    input: { path: documents },
    confirm: true,
  });
  if (created.status !== 200) throw new Error(`The folder was not added: ${created.text}`);
  const isFound = (index: number) => async (): Promise<true | undefined> =>
    (await client.names(wordOf(index)))[0] === nameOf(index) ? true : undefined;
  await retryUntilAvailable('The first document is found', isFound(0), FOUND_WITHIN_MS);
  const { locations } = (await client.ask('GET', '/v1/locations')).body as { locations: readonly { code: string }[] };
  const location = locations[0]?.code ?? '';
  return tenantOf({ ...group, documents, location });
};

interface TenantDependencies extends FirstGroup {
  readonly documents: string;
  readonly location: string;
}

/** What auth and the gateway answer by themselves. */
const mixOfPeople = ({ key, session }: Pick<FirstGroup, 'key' | 'session'>): readonly [Asked, Asked] => [
  { name: 'session of a key', method: 'GET', path: '/v1/session', headers: { authorization: `Bearer ${key}` } },
  { name: 'keys of a person', method: 'GET', path: '/auth/api-key', headers: { authorization: `Bearer ${session}` } },
];

const tenantOf = ({ client, key, session, documents, location }: TenantDependencies): ClusterTenant => {
  const asKey = { authorization: `Bearer ${key}` };
  const search: Asked = {
    ...{ name: 'search', method: 'POST', path: '/v1/documents/search', headers: asKey },
    body: { query: 'acequia del norte', limit: 3 },
  };
  const mix: readonly Asked[] = [
    search,
    search,
    { name: 'documents', method: 'GET', path: '/v1/documents?limit=10', headers: asKey },
    { name: 'areas', method: 'GET', path: '/v1/areas', headers: asKey },
    ...mixOfPeople({ key, session }),
  ];
  const scan = async (): Promise<readonly string[]> => {
    const body = { input: { location_code: location }, confirm: true };
    const { status, text } = await client.send('POST', '/v1/operations/locations.sync:execute', body);
    return status < 500 ? [] : [`scan: ${status} ${text}`];
  };
  const namesOf = async (name: string): Promise<readonly string[]> =>
    client.names(wordOf(Number(/\d+/.exec(name)?.[0])), { limit: 10 });
  return {
    mix: (turn) => mix[turn % mix.length] ?? search,
    arriving: async (until) => {
      const [names, failures]: [string[], string[]] = [[], []];
      for (let index = 1; !until.aborted; index += 1) {
        writeFileSync(join(documents, nameOf(index)), `Consta en el libro ${wordOf(index)}.`);
        names.push(nameOf(index));
        failures.push(...(await scan()));
        await pause(ARRIVAL_MS, undefined, { signal: until }).catch(() => undefined);
      }
      failures.push(...(await scan()));
      return { names, failures };
    },
    missing: async (names) => {
      const isThere = async (name: string): Promise<boolean> =>
        (await namesOf(name)).filter((found) => found === name).length === 1;
      const absent = async (): Promise<readonly string[]> => {
        const there = await Promise.all(names.map(isThere));
        return names.filter((_, index) => there[index] !== true);
      };
      const none = async (): Promise<true | undefined> => ((await absent()).length === 0 ? true : undefined);
      await retryUntilAvailable('Every document is found', none, FOUND_WITHIN_MS).catch(() => undefined);
      return absent();
    },
  };
};

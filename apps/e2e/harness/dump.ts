import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { listGroups, services } from '@acervo/contracts';
import { appRole, type DatabaseConnection, openPool, ownerRole } from '@acervo/platform-database';
import { openKafka } from '@acervo/platform-messaging/kafka';
import { Metrics } from '@acervo/platform-observability';
import { S3ObjectStore } from '@acervo/platform-object-store/s3';
import { RedisClient } from '@acervo/platform-redis';
import { askOpenSearch, onStack, silent, stackVariable } from '@acervo/platform-testing';
import { anonymous } from '@acervo/rbac';
import type { Installation } from './installation';
import { Tables } from './tables';

/** What an installation stores, publishes or exports at one place. */
export interface Content {
  /** E.g. the name of a table or a file; it contains no content. */
  readonly place: string;
  readonly bytes: string | Buffer;
}

type Contents = AsyncGenerator<Content>;

const TABLES = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'm') and not c.relispartition and n.nspname !~ '^(pg_|information_schema$)'`;

/** The files of a folder and below it, whole. */
export async function* filesOf(folder: string): Contents {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const place = relative(folder, path);
    if (!entry.isFile()) continue;
    yield { place: `file ${place}`, bytes: await buffer(createReadStream(path)) };
  }
}

const groupsOf = async ({ running }: Installation): Promise<string[]> =>
  (await running.calls.send(listGroups, anonymous, {})).groups.map(({ groupId }) => groupId);

/** Every row that an owner of a schema reads in any group; row level security binds it, too. */
async function* rowsOfOwners(installation: Installation): Contents {
  const connection = (role: string): DatabaseConnection => installation.running.connection(role);
  for (const groupId of await groupsOf(installation)) {
    const tables = new Tables(connection, groupId);
    for (const service of services) {
      const tablesOfService = `${TABLES} and n.nspname = '${service}'`;
      for (const { name } of await tables.rows<{ name: string }>(ownerRole(service), tablesOfService)) {
        const rows = await tables.rows<{ row: string }>(ownerRole(service), `select t::text as row from ${name} t`);
        yield { place: `table ${name}`, bytes: rows.map(({ row }) => row).join('\n') };
      }
    }
    await tables.close();
  }
}

/** Every row of a database on a server, as its administrator. */
async function* rowsOfServer({ running, engines }: Installation): Contents {
  const { host, port } = running.connection(appRole('auth'));
  const [user, password] = ['USER', 'PASSWORD'].map((name) => stackVariable(`ACERVO_DATABASE_ADMIN_${name}`));
  const database = engines['ACERVO_DATABASE_NAME'] ?? '';
  const pool = openPool({ host, port, database, user: user ?? '', password: password ?? '', max: 1 });
  try {
    for (const { name } of (await pool.query<{ name: string }>(TABLES)).rows) {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
      yield { place: `table ${name}`, bytes: rows.map(({ row }) => row).join('\n') };
    }
  } finally {
    await pool.end();
  }
}

const EVERY_KEY = `
local read = { string = {'GET'}, hash = {'HGETALL'}, list = {'LRANGE', 0, -1}, set = {'SMEMBERS'},
  zset = {'ZRANGE', 0, -1, 'WITHSCORES'}, stream = {'XRANGE', '-', '+'} }
local found = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  local how = read[redis.call('TYPE', key)['ok']]
  if how then found[#found + 1] = cjson.encode({ key, redis.call(how[1], key, unpack(how, 2)) }) end
end
return found`;

async function* redisOf({ engines }: Installation): Contents {
  const redis = new RedisClient({ url: engines['ACERVO_REDIS_URL'] ?? '', prefix: 'dump' });
  try {
    yield { place: 'Redis', bytes: ((await redis.run(EVERY_KEY, 'all', [])) as string[]).join('\n') };
  } finally {
    redis.close();
  }
}

/** Silence after which a topic counts as read. */
const QUIET_MS = 3_000;
const MOST_ROUNDS = 20;

async function* kafkaOf({ engines }: Installation): Contents {
  const prefix = engines['ACERVO_KAFKA_PREFIX'] ?? '';
  const kafka = openKafka(
    {
      brokers: (engines['ACERVO_KAFKA_BROKERS'] ?? '').split(','),
      ...{ clientId: 'dump', prefix, partitions: 1, replication: -1 },
      tls: engines['ACERVO_KAFKA_TLS'] === 'true',
      ca: engines['ACERVO_KAFKA_CA'] ?? null,
      user: engines['ACERVO_KAFKA_USER'] ?? null,
      password: engines['ACERVO_KAFKA_PASSWORD'] ?? null,
    },
    silent,
  );
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
  await admin.disconnect();
  const messages: string[] = [];
  const consumer = kafka.consumer({ groupId: `${prefix}dump` });
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message: { key, value, headers } }) => {
      const named = Object.entries(headers ?? {}).map(([name, header]) => `${name}=${String(header)}`);
      messages.push([String(key), String(value), ...named].join(' '));
    },
  });
  for (let round = 0, before = 0; round < MOST_ROUNDS && (before === 0 || before < messages.length); round += 1) {
    before = messages.length;
    await pause(QUIET_MS);
  }
  await consumer.disconnect();
  yield { place: 'Kafka', bytes: messages.join('\n') };
}

async function* openSearchOf({ engines }: Installation): Contents {
  const path = `${engines['ACERVO_OPENSEARCH_PREFIX']}*/_search?size=10000`;
  yield { place: 'OpenSearch', bytes: JSON.stringify(await askOpenSearch(path)) };
}

async function* objectsOf(installation: Installation): Contents {
  const { engines } = installation;
  const settings = {
    ...{ endpoint: engines['ACERVO_S3_ENDPOINT'] ?? null, region: engines['ACERVO_S3_REGION'] ?? 'us-east-1' },
    ...{ bucket: engines['ACERVO_S3_BUCKET'] ?? '', accessKey: engines['ACERVO_S3_ACCESS_KEY'] ?? null },
    ...{ secretKey: engines['ACERVO_S3_SECRET_KEY'] ?? null, makesBucket: false },
  };
  const store = new S3ObjectStore(settings, new Metrics('dump'));
  for (const groupId of await groupsOf(installation))
    for await (const key of store.list({ groupId })) yield { place: 'S3', bytes: await store.get({ groupId }, key) };
  store.close();
}

/** Everything that a running installation has in its engines, and the metrics that it exports. */
export async function* contentsOf(installation: Installation): Contents {
  const sources = onStack() ? [rowsOfServer, redisOf, kafkaOf, openSearchOf, objectsOf] : [rowsOfOwners];
  for (const source of sources) yield* source(installation);
  yield { place: 'metrics', bytes: await installation.metrics() };
}

// Haystack with pgvector behind FastAPI, on the PostgreSQL of `npm run stack`.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedPackages } from '../lib/python-packages.mjs';
import { postgres } from '../../stack/engines/postgres.mjs';
import { freePort } from '../../stack/net.mjs';
import { ask, startServer } from './server.mjs';

const here = fileURLToPath(new URL('./haystack', import.meta.url));
const DOCUMENTS_A_REQUEST = 100;

/** PostgreSQL may run as another account, which has to reach its directory. */
const reachable = (path) => {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
  return path;
};

const startDatabase = async (context, log) => {
  const { command, args } = postgres.command(context);
  const answers = () => postgres.answers(context);
  // INT is a fast shutdown; TERM would wait for all clients to disconnect.
  const server = await startServer({ command, args, log, signal: 'SIGINT', answers });
  await postgres.ready(context);
  return server;
};

/** A system below `place`, with the vectors of `embedder`. */
export const haystack = async ({ place, embedder, print }) => {
  const requirements = join(here, 'requirements.txt');
  const python = await installedPackages({ title: 'Haystack', name: 'haystack', requirements, print });
  const [ports, secrets] = [{ postgres: await freePort() }, { postgres: randomBytes(16).toString('hex') }];
  const directory = join(place, 'postgres');
  const context = { installed: await postgres.install(print), directory, ports, secrets };
  const [port, log] = [await freePort(), join(place, 'log.txt')];
  const at = (path) => `http://127.0.0.1:${port}${path}`;
  const database = `postgresql://postgres:${secrets.postgres}@127.0.0.1:${ports.postgres}/acervo`;
  const env = { EMBEDDER_URL: embedder.url, DATABASE_URL: database, HAYSTACK_TELEMETRY_ENABLED: 'False' };
  let servers = [];
  const put = (documents) => ask(at('/ingest'), { body: { documents } });
  return {
    name: 'haystack',
    data: directory,
    prepare: () => [place, directory].forEach(reachable),
    start: async () => {
      servers = [await startDatabase(context, log)];
      const args = ['-m', 'uvicorn', 'server:app', '--app-dir', here, '--host', '127.0.0.1', '--port', String(port)];
      const answers = async () => (await fetch(at('/ready'))).ok;
      const options = { command: python, args, cwd: place, log, answers };
      servers.unshift(await startServer({ ...options, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } }));
    },
    stop: async () => {
      for (const server of servers) await server.stop();
    },
    pids: () => servers.map(({ pid }) => pid),
    feed: async (documents) => {
      for (let index = 0; index < documents.length; index += DOCUMENTS_A_REQUEST)
        await put(documents.slice(index, index + DOCUMENTS_A_REQUEST));
    },
    add: (document) => put([document]),
    search: async (query, limit) => (await ask(at('/search'), { body: { query, limit } })).names,
  };
};

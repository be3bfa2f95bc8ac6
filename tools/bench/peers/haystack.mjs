// Haystack with pgvector behind FastAPI, on the PostgreSQL of `npm run stack`.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedPackages } from '../lib/python-packages.mjs';
import { Engine } from '../../stack/engine.mjs';
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
  const engine = new Engine(postgres, context, log);
  let server;
  const put = (documents) => ask(at('/ingest'), { body: { documents } });
  return {
    name: 'haystack',
    data: directory,
    prepare: () => [place, directory].forEach(reachable),
    start: async () => {
      await engine.start();
      const args = ['-m', 'uvicorn', 'server:app', '--app-dir', here, '--host', '127.0.0.1', '--port', String(port)];
      const answers = async () => (await fetch(at('/ready'))).ok;
      const options = { command: python, args, cwd: place, log, answers };
      server = await startServer({ ...options, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } });
    },
    stop: async () => {
      await server?.stop();
      await engine.stop();
    },
    pids: () => [server.pid, engine.recorded.pid],
    feed: async (documents) => {
      for (let index = 0; index < documents.length; index += DOCUMENTS_A_REQUEST)
        await put(documents.slice(index, index + DOCUMENTS_A_REQUEST));
    },
    add: (document) => put([document]),
    search: async (query, limit) => (await ask(at('/search'), { body: { query, limit } })).names,
  };
};

// txtai behind its own HTTP API: words and vectors together, with the texts in its store.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedPackages } from '../lib/python-packages.mjs';
import { freePort } from '../../stack/net.mjs';
import { chunksOf } from './corpus.mjs';
import { ask, startServer } from './server.mjs';

const here = fileURLToPath(new URL('./txtai', import.meta.url));
const CHUNKS_A_REQUEST = 100;

const configuration = (data) => `path: ${data}/index
writable: true
embeddings:
  method: external
  transform: vectors.transform
  hybrid: true
  content: true
`;

/** A system below `place`, with the vectors of `embedder`. */
export const txtai = async ({ place, embedder, print }) => {
  const requirements = join(here, 'requirements.txt');
  const python = await installedPackages({ title: 'txtai', name: 'txtai', requirements, print });
  const [data, settings, port] = [join(place, 'data'), join(place, 'app.yml'), await freePort()];
  const at = (path) => `http://127.0.0.1:${port}${path}`;
  let server;
  const put = async (documents) => {
    const chunks = documents.flatMap(chunksOf);
    for (let index = 0; index < chunks.length; index += CHUNKS_A_REQUEST)
      await ask(at('/add'), { body: chunks.slice(index, index + CHUNKS_A_REQUEST) });
  };
  return {
    name: 'txtai',
    data,
    prepare: () => mkdirSync(data, { recursive: true }),
    start: async () => {
      writeFileSync(settings, configuration(data));
      const env = { CONFIG: settings, PYTHONPATH: here, EMBEDDER_URL: embedder.url, PYTHONDONTWRITEBYTECODE: '1' };
      const args = ['-m', 'uvicorn', 'txtai.api:app', '--host', '127.0.0.1', '--port', String(port)];
      const answers = async () => (await fetch(at('/count'))).ok;
      const offline = { HF_HUB_OFFLINE: '1', TOKENIZERS_PARALLELISM: 'false' };
      const log = join(place, 'log.txt');
      server = await startServer({ command: python, args, env: { ...env, ...offline }, cwd: place, log, answers });
    },
    stop: () => server?.stop(),
    pids: () => [server.pid],
    feed: async (documents) => {
      await put(documents);
      await ask(at('/index'));
    },
    add: async (document) => {
      await put([document]);
      await ask(at('/upsert'));
    },
    search: async (query, limit) => {
      const found = await ask(at(`/search?limit=${limit}&query=${encodeURIComponent(query)}`));
      return found.map(({ id }) => String(id).split('#')[0]);
    },
  };
};

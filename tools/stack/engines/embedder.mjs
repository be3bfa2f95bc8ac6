// The embedder of the one-machine program, installed into the shared cache and served to every process. Passages and
// queries have their own servers, so that no search waits for passages.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../lib/options.mjs';
import { answersOk } from '../net.mjs';
import { cache, Refused } from '../place.mjs';

const PROGRAM = fileURLToPath(new URL('../embedder-server.mjs', import.meta.url));
const compiled = (name) => join(root, 'apps', 'standalone', 'dist', 'embedder', `${name}.js`);
const urlOf = (port) => `http://127.0.0.1:${port}`;

export const embedder = {
  name: 'embedder',
  what: 'multilingual-e5-small',
  ports: ['embedder', 'embedderQueries'],
  secrets: [],
  install: async (print) => {
    const { installE5 } = createRequire(import.meta.url)(compiled('e5-install'));
    try {
      return await installE5(join(cache(), 'e5'), print);
    } catch (error) {
      throw new Refused(`The embedder could not be installed: ${error.message}`);
    }
  },
  command: ({ installed, ports }) => ({
    command: process.execPath,
    args: [PROGRAM, compiled('e5-process'), installed, String(ports.embedder), String(ports.embedderQueries)],
  }),
  answers: async ({ ports }) =>
    (await answersOk(`${urlOf(ports.embedder)}/health`)) && (await answersOk(`${urlOf(ports.embedderQueries)}/health`)),
  variables: ({ ports }) => ({
    ACERVO_EMBEDDER: 'e5',
    ACERVO_EMBEDDER_URL: urlOf(ports.embedder),
    ACERVO_EMBEDDER_QUERY_URL: urlOf(ports.embedderQueries),
  }),
};

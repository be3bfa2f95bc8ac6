// The embedder of the one-machine program, installed into the shared cache and served to every process.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../lib/options.mjs';
import { answersOk } from '../net.mjs';
import { cache, Refused } from '../place.mjs';

const compiled = (...path) => createRequire(import.meta.url)(join(root, ...path));
const urlOf = (port) => `http://127.0.0.1:${port}`;

export const embedder = {
  name: 'embedder',
  what: 'multilingual-e5-small',
  ports: ['embedder'],
  secrets: [],
  install: async (print) => {
    const { installE5 } = compiled('apps', 'standalone', 'dist', 'embedder', 'e5-install.js');
    const directory = join(cache(), 'e5-onnx');
    try {
      await installE5(directory, { print, file: process.env.ACERVO_EMBEDDER_E5_FILE });
      return directory;
    } catch (error) {
      throw new Refused(`The embedder could not be installed: ${error.message}`);
    }
  },
  command: ({ installed, ports }) => ({
    command: process.execPath,
    args: [compiled('libs', 'models', 'dist', 'e5', 'index.js').SERVE_PROCESS, installed, String(ports.embedder)],
  }),
  answers: ({ ports }) => answersOk(`${urlOf(ports.embedder)}/health`),
  variables: ({ ports }) => ({ ACERVO_EMBEDDER: 'e5', ACERVO_EMBEDDER_URL: urlOf(ports.embedder) }),
};

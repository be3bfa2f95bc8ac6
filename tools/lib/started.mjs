import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Starts the product in this process on a folder; returns how to use it as its administrator. */
export const startHere = async (folder, data, print = () => undefined) => {
  require('reflect-metadata');
  const { startStandalone } = require('@acervo/standalone');
  const port = 18_080 + Math.floor(Math.random() * 1_000);
  const options = { folder, sample: folder, data, port, processes: false, scanOnly: false };
  const environment = { administrator: 'admin@acervo.local', logLevel: 'warn', failpoint: undefined };
  const running = await startStandalone(options, environment, print);
  const ask = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}.`);
    return answer.json();
  };
  return { ask, ingested: running.ingested, stop: () => running.stop() };
};

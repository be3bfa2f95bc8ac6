// The product on a folder with a few documents, as its own process, and the codes of its contents.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root } from '../../lib/options.mjs';

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const writeFolder = (folder) => {
  mkdirSync(join(folder, 'actas'), { recursive: true });
  for (let number = 0; number < 12; number += 1)
    writeFileSync(
      join(folder, number % 2 === 0 ? 'actas' : '', `acta-${number}.txt`),
      `El acta ${number} dice que la comunidad reparte el agua de riego cada semana.\n`,
    );
};

const prints = (child, pattern, read) =>
  new Promise((resolve, reject) => {
    const look = () => pattern.test(read()) && resolve();
    child.stdout.on('data', look);
    child.once('exit', () => reject(new Error(`The product ended:\n${read().slice(-2_000)}`)));
  });

/** Starts the product in its own directory; returns how to reach and stop it. */
export const startProduct = async (place) => {
  const folder = join(place, 'folder');
  writeFolder(folder);
  const port = await freePort();
  const options = { folder, sample: folder, data: join(place, 'data'), port, processes: false };
  const child = spawn(
    process.execPath,
    [join(root, 'apps', 'standalone', 'dist', 'main.js'), JSON.stringify({ ...options, scanOnly: false })],
    { env: { ...process.env, ACERVO_EMBEDDER: 'hashing' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data));
  await prints(child, /^Done: /m, () => printed);
  const key = /acv_\w+/.exec(printed)[0];
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    log: join(options.data, 'logs', 'acervo.log'),
    stop: async () => {
      child.kill('SIGINT');
      await ended;
    },
  };
};

/** Every operation with its schemas, and existing codes, so that requests reach more than refusals. */
export const factsOf = async ({ url, key }) => {
  const ask = async (path) => (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })).json();
  const { operations } = await ask('/v1/operations');
  const details = [];
  for (const { code } of operations) details.push(await ask(`/v1/operations/${code}`));
  const { documents } = await ask('/v1/documents?limit=12');
  const { locations } = await ask('/v1/locations');
  const { runs } = await ask('/v1/runs');
  return {
    key,
    operations: details,
    codes: {
      document_code: documents.map(({ code }) => code),
      location_code: locations.map(({ code }) => code),
      entity_code: ['E1'],
      function_code: ['DOCUMENTS', 'CHAT-USER'],
      run: runs.map(({ run }) => run),
      code: operations.map(({ code }) => code),
    },
  };
};

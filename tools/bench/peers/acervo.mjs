// Acervo as `npm start` runs it, with a watched folder.
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, Program } from '@acervo/e2e/harness';
import { writeDocuments } from './corpus.mjs';
import { ask } from './server.mjs';

const INGESTED_WITHIN_MS = 3_600_000;
/** The published engine runs are renewed every 5 s. */
const METRIC_MS = 6_000;
const LISTENS = '0A';

/** The TCP ports of loopback that a process listens on. Only Linux reports them. */
const listenedPorts = (pid) => {
  const links = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return '';
    }
  });
  const sockets = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]).filter(Boolean));
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTENS && sockets.has(inode))
      .map(([, local]) => Number.parseInt(local.split(':')[1], 16)),
  );
};

/** Engine runs so far, from the internal port with metrics. */
const engineRuns = async (pid) => {
  await pause(METRIC_MS);
  for (const port of listenedPorts(pid)) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
    const runs = [...((await answer?.text()) ?? '').matchAll(/^acervo_embedded_engine_runs_total\S* (\S+)$/gm)];
    if (runs.length > 0) return runs.reduce((sum, [, count]) => sum + Number(count), 0);
  }
  throw new Error('No port of Acervo published its engine runs.');
};

/** A system below `place`, with the vectors of `embedder`. */
export const acervo = async ({ place, embedder }) => {
  const [folder, data, port] = [join(place, 'folder'), join(place, 'data'), await freePort()];
  const environment = { ACERVO_EMBEDDER_URL: embedder.url, ACERVO_EMBEDDER_MODEL: 'weak' };
  let [program, key] = [undefined, ''];
  return {
    name: 'acervo',
    data,
    prepare: (documents) => writeDocuments(documents, folder),
    start: async () => {
      const request = { folder, data, port, processes: false, embedder: 'weak', environment, fromNothing: true };
      program = await Program.start(request);
      key ||= program.key;
    },
    stop: () => program?.stop(),
    pids: () => [program.pid],
    runs: () => engineRuns(program.pid),
    feed: () => program.prints(/^Done: /m, INGESTED_WITHIN_MS),
    add: ({ name, text }) => writeFileSync(join(folder, `${name}.txt`), text),
    search: async (query, limit) => {
      const url = `http://127.0.0.1:${port}/v1/documents/search`;
      const { documents } = await ask(url, { body: { query, limit }, headers: { authorization: `Bearer ${key}` } });
      return documents.map(({ name }) => name.replace(/\.txt$/, ''));
    },
  };
};

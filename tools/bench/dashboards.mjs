// Whether each panel of the dashboards shows something: a real Prometheus scrapes the product under load, with the rules.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, HttpClient, until } from '@acervo/e2e/harness';
import yaml from 'yaml';
import { panelExpressions } from '../deploy/observability/dashboards.mjs';
import { RULES } from '../deploy/observability/files.mjs';
import { cached, installed } from '../lib/go-programs.mjs';
import { wordOf, writeDocuments } from './faults/documents.mjs';
import { load } from './lib/figures.mjs';
import { inPlace, withRunning } from './lib/installation.mjs';
import { sent } from './lib/search-load.mjs';

const print = (text) => process.stdout.write(`${text}\n`);
const DOCUMENTS = 12;
const SCRAPE_S = 5;
/** Stores are compared and scanned while it is looked. */
const SETTINGS = { ACERVO_RECONCILE_SECONDS: '5', ACERVO_RECONCILE_SETTLE_SECONDS: '0' };
/** Rates need some scrapes; the figures of work are renewed less often. */
const WINDOW = '1m';
const WORDS = Array.from({ length: DOCUMENTS }, (_, index) => `${wordOf(index)} consta en el libro`);

/** Prometheus of this machine, else one that Go builds once. */
const findPrometheus = () => {
  const found = cached('prometheus');
  if (found !== undefined) return found;
  return spawnSync('prometheus', ['--version']).status === 0 ? 'prometheus' : installed('prometheus', print);
};

/** A Prometheus on a free port, until `work` is over. */
const withPrometheus = async (place, target, work) => {
  const [port, config] = [await freePort(), join(place, 'prometheus.yaml')];
  const seconds = `${SCRAPE_S}s`;
  writeFileSync(
    config,
    yaml.stringify({
      global: { scrape_interval: seconds, evaluation_interval: seconds },
      rule_files: [RULES],
      scrape_configs: [{ job_name: 'acervo', static_configs: [{ targets: [target] }] }],
    }),
  );
  const listen = `--web.listen-address=127.0.0.1:${port}`;
  const args = [`--config.file=${config}`, `--storage.tsdb.path=${join(place, 'prometheus')}`, listen];
  const child = spawn(findPrometheus(), args, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/-/ready`)
      .then(({ ok }) => ok)
      .catch(() => false);
  try {
    await until('Prometheus', isReady, 60_000);
    return await work(async (query) => {
      const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`);
      const { status, error, data } = await answer.json();
      if (status !== 'success') throw new Error(`${query}: ${error}`);
      return data.result;
    });
  } finally {
    child.kill();
  }
};

/** Searches, a login that fails, and documents that arrive. */
const useAll = async ({ running, key }, folder, seconds) => {
  const client = new HttpClient({ port: running.port });
  await client.ask('POST', '/auth/login', { email: 'ana@example.test', password: 'una clave larga' });
  for (const half of ['uno', 'dos'])
    writeFileSync(join(folder, `nuevo-${half}.txt`), `El documento ${half} llega mientras se mira.`);
  await sent({ port: running.port, key, words: WORDS, addresses: ['127.0.0.1'], clients: 1, pauseMs: 200, seconds });
};

/** Prints the panels without series. The exit code reports whether every panel of this installation has some. */
export const run = ({ seconds }) =>
  inPlace(undefined, (place) => {
    const [folder, data] = [join(place, 'folder'), join(place, 'data')];
    mkdirSync(folder);
    writeDocuments(folder, DOCUMENTS);
    return withRunning({ folder, data, settings: SETTINGS }, async (installation) => {
      await installation.running.ingested;
      const target = `127.0.0.1:${installation.running.internalPort}`;
      await withPrometheus(place, target, async (ask) => {
        await useAll(installation, folder, seconds);
        const panels = [];
        for (const { where, expr, only } of panelExpressions)
          panels.push({ where, only, series: (await ask(expr.replaceAll('$__rate_interval', WINDOW))).length });
        const empty = panels.filter(({ series }) => series === 0);
        const [{ value: [, total] = [0, 0] } = {}] = await ask('count({job="acervo"})');
        const firing = (await ask('ALERTS{alertstate="firing"}')).map(({ metric }) => metric.alertname);
        for (const { where, only } of empty)
          print(`no series: ${where}${only === undefined ? '' : ` (needs ${only})`}`);
        const missing = empty.filter(({ only }) => only === undefined).length;
        print(
          `${panels.length - empty.length} of ${panels.length} expressions return series, ${missing} are missing; ${total} series; firing: ${firing.join(', ') || 'none'}; ${load()}`,
        );
        if (missing > 0) process.exitCode = 1;
      });
    });
  });

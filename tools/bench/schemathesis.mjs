// Requests that follow from the published description, and requests that break it, against the product with a valid key.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedPython } from './schemathesis/install.mjs';
import { factsOf, startProduct } from './schemathesis/product.mjs';

const here = fileURLToPath(new URL('./schemathesis', import.meta.url));
const print = (text) => process.stdout.write(`${text}\n`);

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'ignored_auth',
  'canary_is_not_echoed',
];

const argumentsOf = ({ port, key }, { seed, same, minutes, examples, report }) => [
  '-m',
  'schemathesis.cli',
  '--config-file',
  join(here, 'schemathesis.toml'),
  'run',
  `http://127.0.0.1:${port}/openapi.json`,
  '--header',
  `Authorization: Bearer ${key}`,
  '--checks',
  CHECKS.join(','),
  '--phases',
  'coverage,fuzzing',
  '--seed',
  String(seed),
  '--continue-on-failure',
  '--max-examples',
  String(examples),
  '--max-time',
  String(Math.round(minutes * 60)),
  '--no-shrink',
  ...(same ? ['--generation-deterministic'] : ['--generation-database', 'none']),
  '--request-timeout',
  '30',
  '--no-color',
  '--suppress-health-check',
  'all',
  '--warnings',
  'off',
  '--report',
  'json',
  '--report-json-path',
  report,
];

/** `-m` puts the working directory before the library, so it is an empty one: a stray `org.py` would be imported. */
const runOn = (python, args, { cwd, variables }) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, PYTHONPATH: here, SCHEMATHESIS_HOOKS: 'acervo_hooks', ...variables };
    const child = spawn(python, args, {
      env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
      stdio: 'inherit',
      cwd,
    });
    child.once('error', reject);
    child.once('exit', resolve);
  });

/** How many requests reached how many paths, and the paths that accepted none. */
const printCoverage = ({ paths, 'other methods': otherMethods = 0 }) => {
  const answers = Object.entries(paths);
  const sent = answers.flatMap(([, byStatus]) => Object.values(byStatus)).reduce((sum, count) => sum + count, 0);
  const refused = answers.filter(([, byStatus]) => !Object.keys(byStatus).some((status) => status.startsWith('2')));
  print(
    `${sent} requests to ${answers.length} routes and operations, ${otherMethods} with another method; ${refused.length} accepted none`,
  );
  for (const [path, byStatus] of refused) print(`  ${path}: ${JSON.stringify(byStatus)}`);
};

/**
 * `same`: the same requests in each run. `canaryEvery`: each n-th request is repeated with canaries.
 * @throws Error if an answer differs from the description
 */
export const run = async ({ minutes = 30, examples = 10_000, seed = 1, same = false, canaryEvery = 1 }) => {
  const python = await installedPython(print);
  const place = mkdtempSync(join(tmpdir(), 'acervo-schemathesis-'));
  const product = await startProduct(place);
  try {
    const facts = join(place, 'facts.json');
    writeFileSync(facts, JSON.stringify(await factsOf(product)));
    const answers = join(place, 'answers.json');
    const report = join(place, 'report.json');
    const status = await runOn(python, argumentsOf(product.program, { seed, same, minutes, examples, report }), {
      cwd: mkdtempSync(join(place, 'cwd-')),
      variables: {
        ...{ ACERVO_FUZZ_FACTS: facts, ACERVO_FUZZ_ANSWERS: answers, ACERVO_CANARY_EVERY: String(canaryEvery) },
      },
    });
    if (existsSync(answers)) printCoverage(JSON.parse(readFileSync(answers, 'utf8')));
    if (status !== 0) throw new Error(`Schemathesis ended with ${status}; what it found stands above.`);
    print('all held: 0 answers of 5xx, 0 that differ from the description, 0 echoed canaries');
  } finally {
    await product.program.stop();
    rmSync(place, { recursive: true, force: true });
  }
};

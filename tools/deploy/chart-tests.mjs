// The unit tests of the service chart: each template has some, and they pass.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHARTS } from './charts.mjs';

const CHART = join(CHARTS, 'acervo-service');

/** Templates without a suite of their own; partial ones are tested by those that include them. */
export const untestedProblems = () =>
  readdirSync(join(CHART, 'templates'))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `tests/${name.replace('.yaml', '_test.yaml')}`)
    .filter((path) => !existsSync(join(CHART, path)))
    .map((path) => `deploy/charts/acervo-service has no ${path}.`);

/** What helm-unittest says, where a test fails. */
export const chartTestProblems = (unittest) => {
  const { status, stdout, stderr } = spawnSync(unittest, ['--strict', CHART], { encoding: 'utf8' });
  return status === 0 ? [] : [`helm-unittest:\n${stdout}${stderr}`];
};

// What has to hold for the rules and dashboards: each check answers the problems that it found.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../lib/options.mjs';
import { alertsOf } from './alerts.mjs';
import { panelExpressions } from './dashboards.mjs';
import { documentedMetrics, expressionProblems } from './expressions.mjs';
import { FOLDER, observabilityFiles, RULES, TESTS } from './files.mjs';
import { recordingRules } from './slos.mjs';

/** Committed files are those of the sources. */
export const fileProblems = async (services) =>
  [...(await observabilityFiles(services))]
    .filter(([path, content]) => !existsSync(path) || readFileSync(path, 'utf8') !== content)
    .map(([path]) => `${relative(root, path)} is not what its sources say; run node tools/deploy.mjs.`);

/** Rules and panels ask for metrics and labels that programs publish. */
export const metricProblems = (services) => {
  const metrics = documentedMetrics(readFileSync(join(root, 'docs', 'metrics.md'), 'utf8'));
  return [
    ...recordingRules.map(({ record, labels, expr }) => ({ where: `${record} of ${labels.slo}`, expr })),
    ...alertsOf(services).map(({ alert, expr }) => ({ where: alert, expr })),
    ...panelExpressions,
  ].flatMap(({ where, expr }) => expressionProblems(metrics, expr).map((problem) => `${where}: ${problem}.`));
};

/** Every alert has a section of the runbook, and every section an alert. */
export const runbookProblems = (services) => {
  const runbook = readFileSync(join(root, 'docs', 'runbook.md'), 'utf8');
  const sections = [...runbook.matchAll(/^### (Acervo\w+)$/gm)].map(([, name]) => name);
  const alerts = alertsOf(services).map(({ alert }) => alert);
  return [
    ...alerts.filter((alert) => !sections.includes(alert)).map((alert) => `docs/runbook.md has no section ${alert}.`),
    ...sections
      .filter((name) => !alerts.includes(name))
      .map((name) => `docs/runbook.md describes ${name}, which is no alert.`),
  ];
};

/** Prometheus itself reads the rules, and each alert fires in its fault alone. */
export const ruleTestProblems = (promtool) =>
  [
    ['check', 'rules', RULES],
    ['test', 'rules', TESTS],
  ].flatMap((args) => {
    const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: FOLDER, encoding: 'utf8' });
    return status === 0 ? [] : [`promtool ${args[0]} rules: ${stdout}${stderr}`];
  });

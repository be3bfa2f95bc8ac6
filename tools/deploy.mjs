#!/usr/bin/env node
// Writes what is generated of `deploy`, and checks the charts, the rules and the dashboards.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { admission } from './deploy/admission.mjs';
import { withApiServer } from './deploy/api-server.mjs';
import { chartTestProblems, untestedProblems } from './deploy/chart-tests.mjs';
import { CHARTS, objectsOf, OVERLAYS, overlay, renderAll, withCharts } from './deploy/charts.mjs';
import {
  driftProblems,
  egressProblems,
  independenceProblems,
  linkProblems,
  lintProblems,
  listProblems,
  precedenceProblems,
  pullProblems,
  refusalProblems,
  secretProblems,
  singleProblems,
} from './deploy/checks.mjs';
import { cachedSchemas, fetchSchemas, manifestProblems } from './deploy/manifests.mjs';
import { fileProblems, metricProblems, ruleTestProblems, runbookProblems } from './deploy/observability/checks.mjs';
import { observabilityFiles } from './deploy/observability/files.mjs';
import { podSecurityProblems } from './deploy/pod-security.mjs';
import { programFacts } from './deploy/programs.mjs';
import { cached, installed } from './lib/go-programs.mjs';

const HELP = `The charts, rules and dashboards of deploy.

  node tools/deploy.mjs            writes what the charts know of the programs, a render for each overlay, rules and dashboards
  node tools/deploy.mjs --check    compares them with the sources and checks them, without writing
  node tools/deploy.mjs --check --cached   leaves out what needs programs that are not in the cache
  node tools/deploy.mjs --admission        asks an API server whether it would admit each object and pod of the renders

Needs a build (npm run build). Helm, helm-unittest, promtool, kubeconform, and for --admission kube-apiserver and etcd are built once
by Go into ~/.cache/acervo; kube-apiserver takes ten minutes on two cores.
`;
const FACTS = join(CHARTS, 'acervo-service', 'files', 'programs.json');

const print = (text) => process.stdout.write(`${text}\n`);
const facts = programFacts();
const services = Object.keys(facts.services);
const source = await format(JSON.stringify(facts), { parser: 'json', printWidth: 120 });

const write = async () => {
  writeFileSync(FACTS, source);
  for (const [path, content] of await observabilityFiles(services)) writeFileSync(path, content);
  withCharts(installed('helm', print), (charts) => {
    for (const name of OVERLAYS)
      writeFileSync(overlay(name, 'acervo.yaml'), renderAll(charts, [overlay(name, 'values.yaml')]));
  });
  print(`deploy/ is written: ${services.length} services, ${OVERLAYS.length} overlays.`);
};

const factProblems = () =>
  existsSync(FACTS) && readFileSync(FACTS, 'utf8') === source
    ? []
    : ['deploy/charts/acervo-service/files/programs.json is not what the programs say; run node tools/deploy.mjs.'];

const chartProblems = (charts) => [
  ...lintProblems(charts, services),
  ...driftProblems(charts),
  ...independenceProblems(charts, services),
  ...egressProblems(charts, facts),
  ...precedenceProblems(charts),
  ...linkProblems(charts, services),
  ...pullProblems(charts),
  ...secretProblems(charts, services),
  ...singleProblems(charts, services),
  ...refusalProblems(charts),
];

/** The pods of the renders are admitted under the level `restricted`. */
const podProblems = () =>
  OVERLAYS.flatMap((name) => {
    const objects = [...objectsOf(readFileSync(overlay(name, 'acervo.yaml'), 'utf8')).values()];
    return podSecurityProblems(objects).map((problem) => `${name}: ${problem}`);
  });

/** What programs of Go say of `deploy`, by program; each is left out where it is not in the cache. */
const judgements = async (onlyCached) => {
  const schemas = onlyCached ? cachedSchemas() : await fetchSchemas(print);
  if (schemas === undefined) print('kubeconform was not asked: its schemas are not in the cache.');
  const judges = {
    helm: (helm) => withCharts(helm, chartProblems),
    ...(schemas === undefined ? {} : { kubeconform: (kubeconform) => manifestProblems(kubeconform, schemas) }),
    'helm-unittest': chartTestProblems,
    promtool: ruleTestProblems,
  };
  return Object.entries(judges).flatMap(([name, judge]) => {
    const program = onlyCached ? cached(name) : installed(name, print);
    if (program !== undefined) return judge(program);
    print(`${name} was not asked: it is not in the cache. node tools/deploy.mjs --check builds it.`);
    return [];
  });
};

const check = async (onlyCached) => {
  const problems = [
    ...factProblems(),
    ...listProblems(services),
    ...(await fileProblems(services)),
    ...podProblems(),
    ...untestedProblems(),
    ...metricProblems(services),
    ...runbookProblems(services),
    ...(await judgements(onlyCached)),
  ];
  for (const problem of problems) print(problem);
  if (problems.length > 0) process.exitCode = 1;
  else print('deploy/ is checked.');
};

const admit = async () => {
  const names = ['etcd', 'kube-apiserver'];
  const programs = Object.fromEntries(names.map((name) => [name, installed(name, print)]));
  const { version, problems, objects, pods, faults } = await withApiServer(programs, admission);
  for (const problem of problems) print(problem);
  if (problems.length > 0) process.exitCode = 1;
  print(
    `Kubernetes ${version}, namespace under restricted: ${problems.length} problems in ${objects} objects and ${pods} pods, ${faults} planted faults.`,
  );
};

if (process.argv.includes('--help')) print(HELP);
else if (process.argv.includes('--admission')) await admit();
else if (process.argv.includes('--check')) await check(process.argv.includes('--cached'));
else await write();

#!/usr/bin/env node
// Writes what is generated of `deploy`, and checks the charts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { CHARTS, OVERLAYS, overlay, renderAll, withCharts } from './deploy/charts.mjs';
import {
  driftProblems,
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
import { programFacts } from './deploy/programs.mjs';
import { cached, installed } from './lib/go-programs.mjs';

const HELP = `The charts of deploy.

  node tools/deploy.mjs            writes what the charts know of the programs, and a render for each overlay
  node tools/deploy.mjs --check    compares both with the sources and checks the charts, without writing
  node tools/deploy.mjs --check --cached   leaves out what needs programs that are not in the cache

Needs a build (npm run build). Helm is built once by Go into ~/.cache/acervo.
`;
const FACTS = join(CHARTS, 'acervo-service', 'files', 'programs.json');

const print = (text) => process.stdout.write(`${text}\n`);
const facts = programFacts();
const services = Object.keys(facts.services);
const source = await format(JSON.stringify(facts), { parser: 'json', printWidth: 120 });

const write = () => {
  writeFileSync(FACTS, source);
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
  ...precedenceProblems(charts),
  ...linkProblems(charts, services),
  ...pullProblems(charts),
  ...secretProblems(charts, services),
  ...singleProblems(charts, services),
  ...refusalProblems(charts),
];

const check = (onlyCached) => {
  const problems = [...factProblems(), ...listProblems(services)];
  const helm = onlyCached ? cached('helm') : installed('helm', print);
  if (helm === undefined)
    print('The charts were not rendered: helm is not in the cache. node tools/deploy.mjs --check builds it.');
  else problems.push(...withCharts(helm, chartProblems));
  for (const problem of problems) print(problem);
  if (problems.length > 0) process.exitCode = 1;
  else print('deploy/ is checked.');
};

if (process.argv.includes('--help')) print(HELP);
else if (process.argv.includes('--check')) check(process.argv.includes('--cached'));
else write();

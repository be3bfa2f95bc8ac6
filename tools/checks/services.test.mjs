import assert from 'node:assert/strict';
import { test } from 'node:test';
import { root } from '../lib/options.mjs';
import { serviceProblems, workspaceAt } from './services.mjs';

const here = workspaceAt(root);
const rows = (change) => ({ ...here, table: here.table.flatMap(change) });
const projects = (change) => ({ ...here, projects: here.projects.flatMap(change) });

/** The workspace in which a project depends on something else no longer. */
const without = (folder, dependency) =>
  projects((each) => {
    if (each.folder !== folder) return [each];
    const { [dependency]: _removed, ...dependencies } = each.manifest.dependencies;
    return [{ ...each, manifest: { ...each.manifest, dependencies } }];
  });

test('the table names what the workspace has', () => {
  assert.deepEqual(serviceProblems(here), []);
});

test('a library without a row is named, with the row', () => {
  assert.deepEqual(serviceProblems(rows((row) => (row.name === 'retrieval' ? [] : [row]))), [
    "serviceTable of libs/contracts/src/services.ts has no row of retrieval; add { name: 'retrieval', application: 'retrieval-service', prefixes: [] }.",
  ]);
});

test('a row that names no program of its library is refused', () => {
  const changed = rows(({ application, ...row }) => [
    row.name === 'retrieval' ? row : { ...row, ...(application && { application }) },
  ]);
  assert.match(
    serviceProblems(changed)[0],
    /does not name the program of retrieval; its row has application: 'retrieval-service'/,
  );
});

test('a row without a program is refused with the command that writes it', () => {
  const changed = projects((each) => (/retrieval(-service)?$/.test(each.folder) ? [] : [each]));
  assert.deepEqual(serviceProblems(changed), [
    'There is no program of retrieval; npx nx g @acervo/tools:service retrieval writes it.',
  ]);
});

test('the programs of all services name each service', () => {
  for (const [folder, dependency] of [
    ['apps/standalone', '@acervo/retrieval-service-app'],
    ['apps/migrate', '@acervo/retrieval'],
  ])
    assert.deepEqual(serviceProblems(without(folder, dependency)), [
      `${folder}/package.json does not depend on ${dependency}.`,
    ]);
});

test('the compose file runs each service and has the passwords of its roles', () => {
  const { services, secrets } = here.compose;
  const { retrieval: _service, ...otherServices } = services;
  const { retrieval_relay: _secret, ...otherSecrets } = secrets;
  const migrate = {
    ...services.migrate,
    secrets: services.migrate.secrets.filter((name) => name !== 'retrieval_app'),
  };
  const compose = { services: { ...otherServices, migrate }, secrets: otherSecrets };
  assert.deepEqual(serviceProblems({ ...here, compose }), [
    'docker/compose.yaml has no service retrieval with SERVICE: retrieval-service.',
    'docker/compose.yaml has no secret retrieval_relay.',
    'migrate in docker/compose.yaml is not given retrieval_app.',
  ]);
});

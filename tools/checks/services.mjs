// Compares serviceTable of libs/contracts/src/services.ts with the libraries, the programs and docker/compose.yaml.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'yaml';
import { projectFolders } from '../lib/projects.mjs';
import { requireTypeScript } from '../lib/typescript.mjs';

const TABLE = 'libs/contracts/src/services.ts';
const COMPOSE = 'docker/compose.yaml';
/** The roles of a schema, each with a password that `migrate` sets. */
const ROLES = ['owner', 'app', 'reconciler', 'relay'];

const dependsOn = ({ dependencies = {} }, name) => name in dependencies;
const hasLayer = ({ manifest }, layer) => manifest.nx?.tags?.includes(`layer:${layer}`) === true;
const nameIn = (folder) => folder.slice(folder.indexOf('/') + 1);

/** The folder in `apps` of the program that runs a service. */
const programOf = ({ projects }, service) => {
  const found = projects.find(
    (each) => each.isProgram && hasLayer(each, 'app') && dependsOn(each.manifest, `@acervo/${service}`),
  );
  return found === undefined ? undefined : nameIn(found.folder);
};

/** What the table lacks of a service that has a library. */
const rowProblems = (workspace, service) => {
  const [row, program] = [workspace.table.find(({ name }) => name === service), programOf(workspace, service)];
  if (program === undefined) return [`No program in apps runs ${service}.`];
  if (row === undefined)
    return [
      `serviceTable of ${TABLE} has no row of ${service}; add { name: '${service}', application: '${program}', prefixes: [] }.`,
    ];
  if (row.application === program) return [];
  return [`serviceTable of ${TABLE} does not name the program of ${service}; its row has application: '${program}'.`];
};

/** What the programs of all services lack of a row. */
const projectProblems = (workspace, { name, application }) => {
  if (application === undefined) return [];
  if (programOf(workspace, name) === undefined)
    return [`There is no program of ${name}; npx nx g @acervo/tools:service ${name} writes it.`];
  const needs = (folder, dependency) => {
    const { manifest } = workspace.projects.find((each) => each.folder === folder);
    return dependsOn(manifest, dependency) ? [] : [`${folder}/package.json does not depend on ${dependency}.`];
  };
  return [...needs('apps/standalone', `@acervo/${application}-app`), ...needs('apps/migrate', `@acervo/${name}`)];
};

/** What the compose file lacks of a row. */
const composeProblems = ({ compose: { services, secrets } }, { name, application }) => {
  const roles = ROLES.map((role) => `${name}_${role}`);
  return [
    ...(services[name]?.build.args.SERVICE === application
      ? []
      : [`${COMPOSE} has no service ${name} with SERVICE: ${application}.`]),
    ...roles.filter((role) => !(role in secrets)).map((role) => `${COMPOSE} has no secret ${role}.`),
    ...roles
      .filter((role) => !services.migrate.secrets.includes(role))
      .map((role) => `migrate in ${COMPOSE} is not given ${role}.`),
  ];
};

/** The services that a list lacks, one sentence each. @param workspace see `workspaceAt` */
export const serviceProblems = (workspace) => [
  ...workspace.projects
    .filter((each) => hasLayer(each, 'service'))
    .flatMap(({ folder }) => rowProblems(workspace, nameIn(folder))),
  ...workspace.table.flatMap((row) => [...projectProblems(workspace, row), ...composeProblems(workspace, row)]),
];

/** The projects and compose file of a workspace, with its table or that of another one. */
export const workspaceAt = (root, tableAt = root) => ({
  table: requireTypeScript(join(tableAt, TABLE)).serviceTable,
  projects: projectFolders(root).map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
    isProgram: existsSync(join(root, folder, 'src', 'app.module.ts')),
  })),
  compose: yaml.parse(readFileSync(join(root, COMPOSE), 'utf8'), { merge: true }),
});

const { updateJson } = require('@nx/devkit');
const { composed } = require('./compose.cjs');
const { create, formatFiles, inserted, pascal } = require('./lib.cjs');
const { withImports } = require('./source.cjs');

const VERSION = '0.1.0';
const CONDITIONS = (entry) => ({
  '@acervo/source': `./src/${entry}.ts`,
  types: `./dist/${entry}.d.ts`,
  default: `./dist/${entry}.js`,
});

const json = (value) => JSON.stringify(value, undefined, 2);
const versions = (names) => Object.fromEntries(names.map((name) => [`@acervo/${name}`, VERSION]));
/** The folder of a package of this workspace. */
const folderOf = (name) => `libs/${name.replace(/^platform-/, 'platform/')}`;
const referencesTo = (folders) => folders.map((path) => ({ path }));

/** The files that every project has: its package, and the two projects of the compiler. */
const createProject = (tree, folder, { name, exported, layer, needs, tests = [] }) => {
  const up = (names) => names.map((each) => `../../${folderOf(each)}`);
  const displayName = name.replace('@acervo/', '');
  create(
    tree,
    `${folder}/package.json`,
    json({
      ...{ name, version: VERSION, private: true, type: 'commonjs' },
      exports: { ...exported, './package.json': './package.json' },
      dependencies: versions(needs),
      ...(tests.length === 0 ? {} : { devDependencies: versions(tests) }),
      nx: { tags: [`layer:${layer}`], targets: { build: {}, typecheck: {}, lint: {}, test: {} } },
    }),
  );
  create(
    tree,
    `${folder}/tsconfig.json`,
    json({
      extends: '../../tsconfig.base.json',
      compilerOptions: { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/tsconfig.tsbuildinfo' },
      ...{ include: ['src/**/*.ts'], exclude: ['src/**/*.spec.ts'] },
      references: referencesTo(up(needs)),
    }),
  );
  create(
    tree,
    `${folder}/tsconfig.spec.json`,
    json({
      extends: '../../tsconfig.spec.base.json',
      include: ['src/**/*.spec.ts', 'test/**/*.ts'],
      references: referencesTo(['./tsconfig.json', ...up([...needs, ...tests])]),
    }),
  );
  create(
    tree,
    `${folder}/jest.config.js`,
    `module.exports = { preset: '../../jest.preset.js', displayName: '${displayName}' };`,
  );
  updateJson(tree, 'tsconfig.specs.json', (specs) => ({
    ...specs,
    references: [...specs.references, { path: `${folder}/tsconfig.spec.json` }],
  }));
};

const migrationsOf = (
  name,
  table,
) => `import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';

const first = \`
create table ${name}.${table} (group_id uuid not null, id uuid not null, primary key (group_id, id));
\${tenantTable('${name}', '${table}')}
\`;

export const ${name}Migrations: readonly MigrationClass[] = [
  sqlMigration('${pascal(name)}${Date.now()}', first, { kind: 'expand' }),
];
`;

const definitionOf = (name, table) => `import type { ServiceDefinition } from '@acervo/platform-service';
${table === undefined ? '' : 'import { ' + name + "Migrations } from './migrations';\n"}
/** Describe in one sentence what this service decides. */
export const ${name}Service: ServiceDefinition = {
  name: '${name}',
  config: [],${table === undefined ? '' : `\n  migrations: ${name}Migrations,`}
};
`;

const createLibrary = (tree, name, table) => {
  const folder = `libs/${name}`;
  const needs = [...(table === undefined ? [] : ['platform-database']), 'platform-service'];
  createProject(tree, folder, {
    name: `@acervo/${name}`,
    exported: { '.': CONDITIONS('index') },
    layer: 'service',
    needs,
    tests: ['platform-test-bed'],
  });
  if (table !== undefined) create(tree, `${folder}/src/migrations.ts`, migrationsOf(name, table));
  create(tree, `${folder}/src/${name}.service-definition.ts`, definitionOf(name, table));
  create(
    tree,
    `${folder}/src/${name}.module.ts`,
    `import { Module } from '@nestjs/common';

/** Describe in one sentence what this service does for its callers. */
@Module({ imports: [] })
export class ${pascal(name)}Module {}
`,
  );
  create(
    tree,
    `${folder}/test/bed.ts`,
    `import { ServiceTestBed } from '@acervo/platform-test-bed';
import { ${pascal(name)}Module } from '../src/${name}.module';
import { ${name}Service } from '../src/${name}.service-definition';

/** The whole service on a database of its own, for the specs beside its handlers, consumers and steps. */
export const openBed = (): Promise<ServiceTestBed> =>
  ServiceTestBed.open({ service: ${name}Service, module: ${pascal(name)}Module });
`,
  );
  create(
    tree,
    `${folder}/src/index.ts`,
    `export { ${pascal(name)}Module } from './${name}.module';\nexport { ${name}Service } from './${name}.service-definition';`,
  );
};

const mainFile = `// First: a stop signal counts while the other modules are loaded.
import { stopSignal } from '@acervo/platform-service/stop-signal';
import 'reflect-metadata';
import { runService } from '@acervo/platform-service';
import { app } from './app.module';

runService(app, process.env, process.argv.slice(2), stopSignal).catch((error: unknown) => {
  process.stderr.write(\`\${error instanceof Error ? error.message : String(error)}\\n\`);
  process.exit(1);
});
`;

const applicationOf = (name) => `import { Module } from '@nestjs/common';
import { ${pascal(name)}Module, ${name}Service } from '@acervo/${name}';
import { PlatformModule, type ServiceProgram } from '@acervo/platform-service';

@Module({ imports: [PlatformModule.forService(${name}Service), ${pascal(name)}Module] })
export class AppModule {}

/** What this program runs; the one-machine program runs the same. */
export const app: ServiceProgram = { service: ${name}Service, module: AppModule };
`;

const startOf = (name) => `import 'reflect-metadata';
import { type RunningServer, serve } from '@acervo/platform-http';
import { bootService, migrationsOf, type RunningService } from '@acervo/platform-service';
import { openTestDatabase, programEnvironment, type TestDatabase } from '@acervo/platform-testing';
import { app } from '../src/app.module';

describe('the program of ${name}', () => {
  let db: TestDatabase;
  let service: RunningService;
  let server: RunningServer;

  beforeAll(async () => {
    const { name, migrations } = app.service;
    db = await openTestDatabase({ [name]: migrationsOf(name, migrations) });
    const environment = programEnvironment(db, name);
    service = await bootService(app, { environment, logDestination: { write: () => undefined } });
    server = await serve('internal', service.handler, '127.0.0.1', 0);
  });
  afterAll(async () => {
    await server.close();
    await service.close();
    await db.close();
  });

  it('it starts, and says that it is ready', async () => {
    expect(await service.isReady()).toBe(true);
    for (const path of ['/health/live', '/health/ready'])
      expect((await fetch(\`http://127.0.0.1:\${server.port}\${path}\`)).status).toBe(200);
  });
});
`;

const createProgram = (tree, name, application) => {
  const folder = `apps/${application}`;
  createProject(tree, folder, {
    name: `@acervo/${application}-app`,
    exported: { '.': CONDITIONS('app.module'), './main': './dist/main.js' },
    layer: 'app',
    ...{ needs: [name, 'platform-service'], tests: ['platform-http', 'platform-testing'] },
  });
  create(tree, `${folder}/src/app.module.ts`, applicationOf(name));
  create(tree, `${folder}/src/main.ts`, mainFile);
  create(tree, `${folder}/test/start.spec.ts`, startOf(name));
};

/** Lets a project depend on another one. */
const addDependency = (tree, folder, dependency, path) => {
  updateJson(tree, `${folder}/package.json`, (manifest) => ({
    ...manifest,
    dependencies: { ...manifest.dependencies, [dependency]: VERSION },
  }));
  for (const file of ['tsconfig.json', 'tsconfig.spec.json'])
    updateJson(tree, `${folder}/${file}`, (project) => ({
      ...project,
      references: [...project.references, { path: `../../${path}` }],
    }));
};

/** Adds the service to the programs that know every service; each has a record that is complete or does not compile. */
const addToPrograms = (tree, name, application) => {
  const [list, migrate] = ['apps/standalone/src/kernel/service-list.ts', 'apps/migrate/src/main.ts'];
  addDependency(tree, 'apps/standalone', `@acervo/${application}-app`, `apps/${application}`);
  const listed = withImports(tree.read(list, 'utf8'), `@acervo/${application}-app`, [`app as ${name}`]);
  tree.write(
    list,
    inserted(list, listed, 'const apps: Readonly<Record<ProgramName, ServiceProgram>> = {', ` ${name},`),
  );
  addDependency(tree, 'apps/migrate', `@acervo/${name}`, `libs/${name}`);
  const migrated = withImports(tree.read(migrate, 'utf8'), `@acervo/${name}`, [`${name}Service`]);
  const record = 'const owned: Readonly<Record<ProgramName, ServiceDefinition>> = {';
  tree.write(migrate, inserted(migrate, migrated, record, `\n  ${name}: ${name}Service,`));
};

/**
 * A service: library, program with a test that it starts, container, and its entries in the programs of all services.
 * Its row in the table of services is written by hand. `npx nx g @acervo/tools:service chat --table=conversation`
 */
module.exports = async (tree, { name, table }) => {
  const application = `${name}-service`;
  createLibrary(tree, name, table);
  createProgram(tree, name, application);
  addToPrograms(tree, name, application);
  const compose = 'docker/compose.yaml';
  tree.write(compose, composed(tree.read(compose, 'utf8'), name, application));
  await formatFiles(tree);
  const row = `{ name: '${name}', application: '${application}', prefixes: [] }`;
  return () =>
    process.stdout.write(
      `Write its row in serviceTable of libs/contracts/src/services.ts, before the services that call it:\n  ${row}\nThen run npm install and npm run openapi.\n`,
    );
};

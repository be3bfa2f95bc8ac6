import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AdminCommandDeclaration, declaredCommands, helpOf } from '@acervo/platform-service';
import { app as auth } from '@acervo/auth-service-app';
import { app as gateway } from '@acervo/gateway-app';
import { app as ingestion } from '@acervo/ingestion-service-app';
import { app as operations } from '@acervo/operations-executor-app';
import { app as retrieval } from '@acervo/retrieval-service-app';
import { installedServices } from '../kernel/service-list';
import { startCommands } from './start-commands';

const repository = join(__dirname, '..', '..', '..', '..');
const DECLARATIONS = 'libs/platform/service/src/admin-commands/admin-commands.json';
const declared: readonly (readonly [string, AdminCommandDeclaration])[] = Object.entries(declaredCommands);
const apps = [auth, gateway, ingestion, operations, retrieval];

const isOf = (service: (typeof installedServices)[number], { services = [] }: AdminCommandDeclaration): boolean =>
  services === 'every' || services.includes(service.name);

/** Lists declarations without an implementation in a service, and the reverse. */
const serviceProblems = (service: (typeof installedServices)[number]): string[] => {
  const implemented = service.commands.map(({ name }) => name);
  const expected = declared.filter(([, declaration]) => isOf(service, declaration)).map(([name]) => name);
  return [
    ...expected
      .filter((name) => !implemented.includes(name))
      .map(
        (name) =>
          `${service.name} lacks adminCommand('${name}', ...): add it to libs/${service.name}/src/admin-commands.`,
      ),
    ...implemented
      .filter((name) => !expected.includes(name))
      .map((name) => `--${name} of ${service.name} is not declared as its own: name the service in ${DECLARATIONS}.`),
  ];
};

const startNames = startCommands.map(({ name }) => name);
/** Lists commands that `npm start` offers and does not implement, and the reverse. */
const startProblems = (): string[] => [
  ...declared
    .filter(([name, { start, services = [] }]) => start && services.length === 0 && !startNames.includes(name))
    .map(
      ([name]) => `npm start lacks adminCommand('${name}', ...): add it to start-commands.ts, or name its services.`,
    ),
  ...startNames
    .filter((name) => !declared.some(([each, { start }]) => each === name && start))
    .map((name) => `--${name} of start-commands.ts is not offered: give it "start" in ${DECLARATIONS}.`),
];

describe('the registry of admin commands', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-registry-'));
  afterAll(() => rmSync(place, { recursive: true }));

  it('declarations and implementations match in every service', () => {
    expect(installedServices.flatMap(serviceProblems)).toEqual([]);
  });
  it('declarations and implementations match in npm start', () => {
    expect(startProblems()).toEqual([]);
  });
  it('the program of each service lists its commands', () => {
    for (const service of installedServices) {
      const help = helpOf(apps.find((app) => app.service.name === service.name)?.service ?? auth.service).split('\n');
      const offered = declared.filter(([, declaration]) => isOf(service, declaration));
      for (const [name, { about }] of offered)
        expect(help.filter((line) => line.startsWith(`  --${name} `) && line.endsWith(`  ${about}`))).toHaveLength(1);
    }
  });
  it('npm start lists its commands before anything is installed or built', () => {
    for (const part of ['tools/start.mjs', 'tools/lib/options.mjs', 'tools/lib/workspace.mjs', DECLARATIONS])
      cpSync(join(repository, part), join(place, part));
    const { status, stdout } = spawnSync(process.execPath, ['tools/start.mjs', '--help'], {
      cwd: place,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name);
    for (const [name, { about, start }] of declared) {
      expect([name, listed.includes(name)]).toEqual([name, start !== undefined]);
      if (start !== undefined) expect(stdout).toContain(`  ${about}\n`);
    }
  });
});

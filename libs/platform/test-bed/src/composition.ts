import type { Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Test, type TestingModule, type TestingModuleBuilder } from '@nestjs/testing';
import type { Call } from '@acervo/contracts';
import { AuditTrail, Calls, type LocalCalls } from '@acervo/platform-calls';
import type { Environment } from '@acervo/platform-config';
import { Logger } from '@acervo/platform-observability';
import { queueTokensOf } from '@acervo/platform-queue';
import { DatabaseLogins, PlatformModule, RuntimeModule, type ServiceDefinition } from '@acervo/platform-service';
import { silent, type TestDatabase } from '@acervo/platform-testing';
import { NoTrail } from './no-trail';
import { RecordedSignals } from './recorded-signals';

/** A provider token, and the value that a test provides in its place. */
export type Override = readonly [token: unknown, value: object];

/** A service, and how its application differs from that of its program. */
export interface Composition {
  readonly service: ServiceDefinition;
  readonly module: Type;
  readonly engine: TestDatabase;
  readonly environment?: Environment;
  /** The services that share the process, by name. */
  readonly local?: LocalCalls;
  /** Answers the calls to other services; without it, and without `local`, none answers. */
  readonly neighbours?: Pick<Calls, 'send'>;
  /** Where log lines go; without it there are none. */
  readonly logDestination?: { write(line: string): void };
  readonly signals?: RecordedSignals;
  /** Whether audit records are written. */
  readonly isAudited?: boolean;
  readonly overrides?: readonly Override[];
  /** Replacements that are no values. */
  readonly override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
}

const absent: Pick<Calls, 'send'> = {
  send: ({ code }: Call) => Promise.reject(new Error(`No service answers ${code} here: pass \`neighbours\`.`)),
};

/** What the bed provides in place of the providers of the program. */
const replacementsOf = ({
  service,
  engine,
  logDestination,
  signals = new RecordedSignals(),
  isAudited = false,
  local,
  neighbours = absent,
  overrides = [],
}: Composition): readonly Override[] => [
  [DatabaseLogins, { connection: (role: string) => engine.connection(role) }],
  ...(isAudited ? [] : [[AuditTrail, new NoTrail()] as const]),
  ...(logDestination === undefined ? [[Logger, silent] as const] : []),
  ...(local === undefined ? [[Calls, neighbours] as const] : []),
  ...queueTokensOf(service.name).map((token) => [token, signals] as const),
  ...overrides,
];

/** The application of a service as its program composes it, without listeners and workers. */
export const compose = (composition: Composition): Promise<TestingModule> => {
  const { service, module, environment = {}, local, logDestination, override = (each) => each } = composition;
  const runtime = RuntimeModule.forProcess({
    environment,
    ...(local === undefined ? {} : { local }),
    ...(logDestination === undefined ? {} : { logDestination }),
  });
  const builder = Test.createTestingModule({ imports: [runtime, PlatformModule.forService(service), module] });
  for (const [token, value] of replacementsOf(composition)) builder.overrideProvider(token).useValue(value);
  return override(builder).compile();
};

/** Every object of an application once, even if several tokens provide it. */
export const instancesIn = (application: TestingModule): readonly object[] => {
  const instances = application
    .get(DiscoveryService)
    .getProviders()
    .map(({ instance }): unknown => instance);
  return [...new Set(instances)].filter((each) => typeof each === 'object' && each !== null);
};

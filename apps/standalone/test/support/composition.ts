import type { Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { queueTokensOf } from '@acervo/platform-queue';
import { Test, type TestingModule } from '@nestjs/testing';
import { AuditTrail } from '@acervo/platform-calls';
import type { Environment } from '@acervo/platform-config';
import type { LocalCalls } from '@acervo/platform-calls';
import { Logger } from '@acervo/platform-observability';
import { PlatformModule, RuntimeModule, type ServiceDefinition } from '@acervo/platform-service';
import { silent } from '@acervo/platform-testing';

export class NoTrail extends AuditTrail {
  override record(): Promise<void> {
    return Promise.resolve();
  }
}

/** Accepts signals and works nothing. */
const queue = {
  add: () => Promise.resolve(),
  getJob: () => Promise.resolve(),
  close: () => Promise.resolve(),
  on: () => undefined,
};

/** A provider token, and the replacement of its provider. */
export type Override = readonly [token: unknown, value: object];

export interface Composed {
  readonly service: ServiceDefinition;
  readonly module: Type;
  readonly environment: Environment;
  /** The services that share the process. */
  readonly local: LocalCalls;
  readonly overrides: readonly Override[];
}

/** The application of a service without listeners, workers, logs and audit records. */
export const compose = ({ service, module, environment, local, overrides }: Composed): Promise<TestingModule> => {
  const runtime = RuntimeModule.forProcess({ environment, local });
  const builder = Test.createTestingModule({ imports: [runtime, PlatformModule.forService(service), module] });
  builder.overrideProvider(AuditTrail).useValue(new NoTrail());
  builder.overrideProvider(Logger).useValue(silent);
  for (const token of queueTokensOf(service.name)) builder.overrideProvider(token).useValue(queue);
  for (const [token, value] of overrides) builder.overrideProvider(token).useValue(value);
  return builder.compile();
};

/** Every object of an application once, even if several tokens provide it. */
export const instancesIn = (application: TestingModule): readonly object[] => {
  const instances = application
    .get(DiscoveryService)
    .getProviders()
    .map(({ instance }): unknown => instance);
  return [...new Set(instances)].filter((each) => typeof each === 'object' && each !== null);
};

import { DiscoveryService } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { AuditTrail } from '@acervo/platform-calls';
import { Logger } from '@acervo/platform-observability';
import { PlatformModule, RuntimeModule } from '@acervo/platform-service';
import { silent } from '@acervo/platform-testing';
import { IngestionModule, ingestionService } from '../src';

class NoTrail extends AuditTrail {
  override record(): Promise<void> {
    return Promise.resolve();
  }
}

/** A provider token, and the value that a test substitutes. */
export type Override = readonly [token: unknown, value: object];

/** The application of the service without listeners and workers, without logs and audit records. */
export const createIngestion = (
  environment: Readonly<Record<string, string>>,
  overrides: readonly Override[],
): Promise<TestingModule> => {
  const runtime = RuntimeModule.forProcess({ environment });
  const platform = PlatformModule.forService(ingestionService);
  const builder = Test.createTestingModule({ imports: [runtime, platform, IngestionModule] });
  builder.overrideProvider(AuditTrail).useValue(new NoTrail());
  builder.overrideProvider(Logger).useValue(silent);
  for (const [token, value] of overrides) builder.overrideProvider(token).useValue(value);
  return builder.compile();
};

/** Every object of an application once, however many tokens it has. */
export const instancesIn = (module: TestingModule): readonly object[] => {
  const instances = module
    .get(DiscoveryService)
    .getProviders()
    .map(({ instance }): unknown => instance);
  return [...new Set(instances)].filter((each) => typeof each === 'object' && each !== null);
};

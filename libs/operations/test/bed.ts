import { ServiceTestBed, type TestBedOptions } from '@acervo/platform-test-bed';
import { OperationsModule } from '../src/operations.module';
import { operationsService } from '../src/operations.service-definition';

/** The whole service on a database of its own, for the specs beside its handlers, consumers and steps. */
export const openBed = (options: Partial<TestBedOptions> = {}): Promise<ServiceTestBed> =>
  ServiceTestBed.open({
    service: operationsService,
    module: OperationsModule,
    environment: { ACERVO_AUDIT_KEY: 'a key of the test for records' },
    ...options,
  });

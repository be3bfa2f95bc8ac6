import { ServiceTestBed, type TestBedOptions } from '@acervo/platform-test-bed';
import { AuthModule } from '../src/auth.module';
import { authService } from '../src/auth.service-definition';

/** The whole service on a database of its own, for the specs beside its handlers, consumers and steps. */
export const openBed = (options: Partial<TestBedOptions> = {}): Promise<ServiceTestBed> =>
  ServiceTestBed.open({
    service: authService,
    module: AuthModule,
    environment: { ACERVO_KEY_PEPPER: 'a pepper of the test' },
    ...options,
  });

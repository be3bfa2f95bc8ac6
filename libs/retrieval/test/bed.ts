import { ServiceTestBed } from '@acervo/platform-test-bed';
import { RetrievalModule } from '../src/retrieval.module';
import { retrievalService } from '../src/retrieval.service-definition';

/** The whole service on a database of its own, for the specs beside its handlers, consumers and steps. */
export const openBed = (): Promise<ServiceTestBed> =>
  ServiceTestBed.open({
    service: retrievalService,
    module: RetrievalModule,
  });

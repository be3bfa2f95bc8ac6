import { ServiceTestBed } from '@acervo/platform-test-bed';
import { IngestionModule } from '../src/ingestion.module';
import { ingestionService } from '../src/ingestion.service-definition';

/** The whole service on a database of its own, for the specs beside its handlers, consumers and steps. */
export const openBed = (): Promise<ServiceTestBed> =>
  ServiceTestBed.open({
    service: ingestionService,
    module: IngestionModule,
    environment: { ACERVO_EXTRACTION_FILE_MB: '10', ACERVO_EXTRACTION_DEPTH: '4', ACERVO_LARGEST_FILE_MB: '20' },
  });

import { Module } from '@nestjs/common';
import { ReadinessChecks } from '@acervo/platform-http';
import { bootService, migrationsOf, PlatformModule, type RunningService } from '@acervo/platform-service';
import { openTestDatabase, programEnvironment, type TestDatabase } from '@acervo/platform-testing';
import { ChunkCopies } from '../src/legs/opensearch/copies/chunk-copies';
import { CopyMaintenance, CopyStages } from '../src/legs/opensearch/copies/copy.stages';
import { LexicalIndex } from '../src/legs/ranking';
import { retrievalMigrations } from '../src/migrations';
import { RetrievalModule } from '../src/retrieval.module';
import { retrievalService } from '../src/retrieval.service-definition';

@Module({ imports: [PlatformModule.forService(retrievalService), RetrievalModule] })
class AppModule {}

/** An address without a listener. */
const NOWHERE = 'http://127.0.0.1:9';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ retrieval: migrationsOf('retrieval', retrievalMigrations) });
});
afterAll(() => db.close());

const boot = (environment: Record<string, string>): Promise<RunningService> =>
  bootService(
    { service: retrievalService, module: AppModule },
    {
      environment: {
        ...programEnvironment(db, 'retrieval'),
        ACERVO_CURSOR_KEY: 'a key of the test for cursors',
        ...environment,
      },
      logDestination: { write: () => undefined },
    },
  );

describe('the module of retrieval', () => {
  it.each([
    ['postgresql', 'PostgreSQL', false],
    ['opensearch', 'OpenSearch', true],
  ])('with ACERVO_LEXICAL=%s every handler is bound and %s ranks words', async (lexical, engine, hasCopies) => {
    const service = await boot({ ACERVO_LEXICAL: lexical, ACERVO_OPENSEARCH_URL: NOWHERE });
    const { app } = service;
    expect(app.get<LexicalIndex>(LexicalIndex).engine).toBe(engine);
    expect(app.get<ChunkCopies>(ChunkCopies).isEnabled).toBe(hasCopies);
    expect(app.get<CopyMaintenance>(CopyMaintenance) instanceof CopyStages).toBe(hasCopies);
    const checks = app.get(ReadinessChecks).all.filter(({ name }) => name === 'opensearch');
    expect(checks.map(({ optional }) => optional)).toEqual(hasCopies ? [true] : []);
    expect(await service.isReady()).toBe(true);
    await service.close();
  });
});

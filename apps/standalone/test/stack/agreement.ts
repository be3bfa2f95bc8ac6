import { compareStores, reportStores, type StoresReport } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import { S3ObjectStore } from '@acervo/platform-object-store';
import { WorkScope } from '@acervo/rbac';
import { until } from '../program';
import type { Installation } from './installation';

/** What is taken away behind the back of the services, each from a document of its own, and what is told of it. */
export const DAMAGE = [
  {
    kind: 'chunks.missing',
    sql: 'delete from retrieval.chunk where group_id = $1 and document_id = $2 and ordinal = 0',
  },
  { kind: 'vectors.missing', sql: 'delete from retrieval.vector_384 where group_id = $1 and document_id = $2' },
  { kind: 'live.missing', sql: 'delete from retrieval.live where group_id = $1 and document_id = $2' },
  {
    kind: 'chunks.differ',
    sql: `update retrieval.chunk set text = 'Estropeado.' where group_id = $1 and document_id = $2 and ordinal = 0`,
  },
  { kind: 'object.missing', sql: null },
] as const;

interface Picked {
  readonly documentId: string;
  readonly name: string;
  readonly key: string;
}

/** The comparison of the stores, asked for as operators ask for it, and damage for it to find. */
export class Agreement {
  private readonly scope: WorkScope;

  constructor(private readonly installation: Installation) {
    this.scope = new WorkScope(installation.scope.groupId, 'standalone', 'test');
  }

  /** Compares the stores from now on to the end. */
  async compare(): Promise<StoresReport> {
    const { calls } = this.installation.running;
    const report = (): Promise<StoresReport> => calls.send(reportStores, this.scope, {});
    await until('the comparison before ends', async () => !(await report()).isRunning, 120_000);
    const { finishedAt } = await calls.send(compareStores, this.scope, {});
    await until('a comparison ends', async () => (await report()).finishedAt !== finishedAt, 120_000);
    return report();
  }

  /** Damages documents; answers their names. */
  async damage(): Promise<string[]> {
    const picked = await this.installation.rows<Picked>(
      'ingestion',
      `select document_id as "documentId", name, chunks_object as key from ingestion.document
       where group_id = $1 order by document_id limit ${DAMAGE.length}`,
    );
    for (const [index, { documentId, key }] of picked.entries()) {
      const sql = DAMAGE[index]?.sql ?? null;
      if (sql !== null) await this.installation.change('retrieval', sql, [documentId]);
      else await this.removeObject(key);
    }
    return picked.map(({ name }) => name);
  }

  private async removeObject(key: string): Promise<void> {
    const { engines, scope } = this.installation;
    const store = new S3ObjectStore(
      {
        endpoint: engines['ACERVO_S3_ENDPOINT'] ?? null,
        region: engines['ACERVO_S3_REGION'] ?? 'us-east-1',
        bucket: engines['ACERVO_S3_BUCKET'] ?? '',
        accessKey: engines['ACERVO_S3_ACCESS_KEY'] ?? null,
        secretKey: engines['ACERVO_S3_SECRET_KEY'] ?? null,
        makesBucket: false,
      },
      new Metrics('test'),
    );
    await store.delete(scope, key);
    store.close();
  }
}

import { compareStores, reportStores, type StoresReport } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import { S3ObjectStore } from '@acervo/platform-object-store/s3';
import { askOpenSearch } from '@acervo/platform-testing';
import { WorkScope } from '@acervo/rbac';
import { until } from '../harness/waiting';
import type { Installation } from '../harness/installation';

interface Picked {
  readonly documentId: string;
  readonly name: string;
  readonly key: string;
}

interface Damage {
  /** Kind of the difference in the report. */
  readonly kind: string;
  readonly plant: (installation: Installation, picked: Picked) => Promise<unknown>;
}

const bySql =
  (sql: string, of = ''): Damage['plant'] =>
  (installation, { documentId }) =>
    installation.change('retrieval', `${sql} where group_id = $1 and document_id = $2 ${of}`, [documentId]);

const loseObject: Damage['plant'] = async ({ engines, scope }, { key }) => {
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
};

/** Changes the index of the group as an operator of OpenSearch could. */
const inOpenSearch = async ({ engines, scope }: Installation, path: string, body: object): Promise<void> => {
  await askOpenSearch(`${engines['ACERVO_OPENSEARCH_PREFIX']}-${scope.groupId}/${path}?refresh=true`, 'POST', body);
};
const loseCopies: Damage['plant'] = (installation, { documentId }) =>
  inOpenSearch(installation, '_delete_by_query', { query: { term: { document_id: documentId } } });
/** Restores chunks as a restored snapshot does. */
const bringBack: Damage['plant'] = (installation, { documentId }) =>
  inOpenSearch(installation, `_doc/${documentId}_0_0`, {
    ...{ group_id: installation.scope.groupId, document_id: documentId, generation: 0, ordinal: 0, gone: false },
    ...{ entity_code: '', location_ancestors: [], terms: 'restaurad' },
  });

/** Damages that bypass the services, each to its own document, with the expected report. */
export const DAMAGE: readonly Damage[] = [
  { kind: 'chunks.missing', plant: bySql('delete from retrieval.chunk', 'and ordinal = 0') },
  { kind: 'vectors.missing', plant: bySql('delete from retrieval.vector_384') },
  { kind: 'live.missing', plant: bySql('delete from retrieval.live') },
  { kind: 'chunks.differ', plant: bySql(`update retrieval.chunk set text = 'Estropeado.'`, 'and ordinal = 0') },
  { kind: 'object.missing', plant: loseObject },
  { kind: 'copies.missing', plant: loseCopies },
  { kind: 'copies.extra', plant: bringBack },
];

/** Runs the comparison of the stores as operators do, and damages documents. */
export class Agreement {
  private readonly scope: WorkScope;

  constructor(private readonly installation: Installation) {
    this.scope = new WorkScope(installation.scope.groupId, 'standalone', 'test');
  }

  /** Runs one comparison of the stores to its end. */
  async compare(): Promise<StoresReport> {
    const { calls } = this.installation.running;
    const report = (): Promise<StoresReport> => calls.send(reportStores, this.scope, {});
    await until('the comparison before ends', async () => !(await report()).isRunning, 120_000);
    const { finishedAt } = await calls.send(compareStores, this.scope, {});
    await until('a comparison ends', async () => (await report()).finishedAt !== finishedAt, 120_000);
    return report();
  }

  /** Damages documents; returns their names. */
  async damage(): Promise<string[]> {
    const picked = await this.installation.rows<Picked>(
      'ingestion',
      `select document_id as "documentId", name, chunks_object as key from ingestion.document
       where group_id = $1 order by document_id limit ${DAMAGE.length}`,
    );
    for (const [index, each] of picked.entries()) await DAMAGE[index]?.plant(this.installation, each);
    return picked.map(({ name }) => name);
  }
}

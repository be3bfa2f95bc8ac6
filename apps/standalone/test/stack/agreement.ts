import { compareStores, reportStores, type StoresReport } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import { S3ObjectStore } from '@acervo/platform-object-store';
import { WorkScope } from '@acervo/rbac';
import { until } from '../program';
import type { Installation } from './installation';

interface Picked {
  readonly documentId: string;
  readonly name: string;
  readonly key: string;
}

interface Damage {
  /** What the comparison tells of it. */
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

/** What an operator of OpenSearch could do to the index of the group. */
const inOpenSearch = async ({ engines, scope }: Installation, path: string, body: object): Promise<void> => {
  const index = `${engines['ACERVO_OPENSEARCH_URL']}/${engines['ACERVO_OPENSEARCH_PREFIX']}-${scope.groupId}`;
  const answer = await fetch(`${index}/${path}?refresh=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`OpenSearch answered ${answer.status}: ${await answer.text()}`);
};
const loseCopies: Damage['plant'] = (installation, { documentId }) =>
  inOpenSearch(installation, '_delete_by_query', { query: { term: { document_id: documentId } } });
/** As a snapshot that is restored brings it back. */
const bringBack: Damage['plant'] = (installation, { documentId }) =>
  inOpenSearch(installation, `_doc/${documentId}_0_0`, {
    ...{ group_id: installation.scope.groupId, document_id: documentId, generation: 0, ordinal: 0, gone: false },
    ...{ entity_code: '', location_ancestors: [], terms: 'restaurad' },
  });

/** What is done behind the back of the services, each to a document of its own, and what is told of it. */
export const DAMAGE: readonly Damage[] = [
  { kind: 'chunks.missing', plant: bySql('delete from retrieval.chunk', 'and ordinal = 0') },
  { kind: 'vectors.missing', plant: bySql('delete from retrieval.vector_384') },
  { kind: 'live.missing', plant: bySql('delete from retrieval.live') },
  { kind: 'chunks.differ', plant: bySql(`update retrieval.chunk set text = 'Estropeado.'`, 'and ordinal = 0') },
  { kind: 'object.missing', plant: loseObject },
  { kind: 'copies.missing', plant: loseCopies },
  { kind: 'copies.extra', plant: bringBack },
];

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
    for (const [index, each] of picked.entries()) await DAMAGE[index]?.plant(this.installation, each);
    return picked.map(({ name }) => name);
  }
}

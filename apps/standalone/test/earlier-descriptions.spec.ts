import { createSpace, listSpaceDocuments } from '@acervo/contracts';
import { BothServices } from './support/both-services';
import { Library } from './support/stores';

type JsonObject = Record<string, unknown>;

/** More documents than one page of the comparison has. */
const MANY = 45;
const TEXT = 'El consejo aprueba la cuota de riego de este año, y la bomba se para por la helada.';
const FACTS = `select document_id as id, revision, language, changed_at as at from retrieval.document where group_id = $1 order by 1`;
/** What an installation has right after the upgrade: the columns are new. */
const EARLIER = `update retrieval.document set language = null, changed_at = null where group_id = $1`;
/** What costs time to make again, with the times of its making. */
const MADE = `select (select jsonb_agg(to_jsonb(l) order by l.document_id) from retrieval.live l where l.group_id = $1) as live,
  (select count(*)::int || '/' || max(xmin::text::bigint) from retrieval.chunk where group_id = $1) as chunks,
  (select count(*)::int || '/' || max(xmin::text::bigint) from retrieval.vector_512 where group_id = $1) as vectors`;

describe('documents that a release without language and last change described', () => {
  let both: BothServices;
  let folder: Library;
  const jobs: string[] = [];
  beforeAll(async () => {
    both = await BothServices.open();
    const files = Array.from({ length: MANY }, (_, index) => [`acta-${index}.txt`, `${TEXT} Acta ${index}.`]);
    folder = new Library(both, 'earlier', Object.fromEntries(files) as Record<string, string>);
    await folder.ingestFolder();
    both.afterJob = (name) => Promise.resolve(void jobs.push(name));
  });
  afterAll(() => both.close());
  beforeEach(async () => {
    await folder.sql('retrieval', EARLIER);
    jobs.length = 0;
  });

  /** How many documents a new space with these criteria gathers. */
  const gathered = async (criteria: JsonObject): Promise<number> => {
    const input = { name: 'Actas', criteria };
    const { space_id } = await both.askAs(createSpace, folder.groupId, input);
    return Number((await both.askAs(listSpaceDocuments, folder.groupId, { space_id, limit: 1 }))['total']);
  };
  const found = async (): Promise<number[]> => [
    await gathered({ language: 'es' }),
    await gathered({ changed_since: '2000-01-01T00:00:00Z' }),
  ];
  const compared = async (between?: () => Promise<void>): Promise<JsonObject> => {
    const differences = await folder.compare(between);
    await both.settle(folder.groupId);
    return differences;
  };

  it('the first comparison lets both criteria find them, and makes nothing again', async () => {
    const [made] = await folder.sql('retrieval', MADE);
    expect(await found()).toEqual([0, 0]);
    expect(await compared()).toEqual({});
    expect(await found()).toEqual([MANY, MANY]);
    expect([jobs, (await folder.sql('retrieval', MADE))[0]]).toEqual([[], made]);
  });

  it('later comparisons describe nothing further', async () => {
    await compared();
    const facts = await folder.sql('retrieval', FACTS);
    expect(await compared()).toEqual({});
    expect(await folder.sql('retrieval', FACTS)).toEqual(facts);
  });

  it('a comparison that is killed and begins again completes them', async () => {
    await both.move();
    await folder.sql(
      'ingestion',
      `update ingestion.task set not_before = now() where group_id = $1 and stage = 'reconcile'`,
    );
    await both.workOnce(folder.groupId, 'reconcile');
    await folder.sql('ingestion', `delete from ingestion.reconciliation where group_id = $1`);
    await both.restart();
    await compared();
    expect(await found()).toEqual([MANY, MANY]);
  });

  it('a document whose text lost its language leaves the criterion', async () => {
    await compared();
    await folder.sql(
      'ingestion',
      `update ingestion.document set language = null, content_at = now() where group_id = $1 and name = 'acta-7.txt'`,
    );
    expect(await compared()).toEqual({ 'description.differs': [1, 1] });
    expect(await found()).toEqual([MANY - 1, MANY]);
    expect(await compared()).toEqual({});
  });
});

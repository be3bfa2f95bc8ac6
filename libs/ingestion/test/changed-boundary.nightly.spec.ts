import { Bench } from './bench';
import { ClassifiedFolder } from './classified-folder';

const DOCUMENTS = 10_000;
const LONGEST_MS = 3_600_000;
const KINDS = ['Acta', 'Contrato', 'Factura', 'Nota'];

/** Every fourth document is of each kind. */
const textOf = (at: number): string =>
  `${KINDS[at % KINDS.length] ?? ''} número ${at}. La comisión de la villa ${at % 97} resuelve sobre la obra ${at * 7}.`;

describe(`a changed boundary over ${DOCUMENTS} documents`, () => {
  let bench: Bench;
  let folder: ClassifiedFolder;
  beforeAll(async () => {
    bench = await Bench.open();
    const files = Array.from({ length: DOCUMENTS }, (_, at): [string, string] => [`f${at}.txt`, textOf(at)]);
    folder = await ClassifiedFolder.of(bench, Object.fromEntries(files));
    await folder.describe({ code: 'PAPEL', word: 'Acta' });
    await folder.scan();
    await bench.work(folder.groupId);
  }, LONGEST_MS);
  afterAll(() => bench.close());

  const typed = async (): Promise<number> => {
    const [row] = await folder.sql<{ typed: number }>(
      `select count(*)::int as typed from ingestion.document_class where group_id = $1 and type_code = 'PAPEL'`,
    );
    return row?.typed ?? 0;
  };
  /** What steps have made, and the tasks other than those of the classification itself. */
  const made = (): Promise<object[]> =>
    folder.sql(
      `select (select count(*)::int from ingestion.step_result r where r.group_id = $1) as results,
         (select count(*)::int from ingestion.task t where t.group_id = $1 and t.stage <> 'classify-again') as tasks`,
    );

  it(
    'moves its documents, and nothing is extracted, embedded or cut again',
    async () => {
      expect(await typed()).toBe(DOCUMENTS / KINDS.length);
      const before = await made();
      await bench.forget();
      await folder.describe({ code: 'PAPEL', word: 'Factura' });
      await bench.work(folder.groupId);
      expect(await typed()).toBe(DOCUMENTS / KINDS.length);
      expect(bench.source.read).toEqual([]);
      expect([...new Set(bench.cpu.runs)]).toEqual(['classify']);
      expect(await made()).toEqual(before);
    },
    LONGEST_MS,
  );

  it('publishes the moved documents alone, and none whose chunks are to be loaded', async () => {
    const topics = (await bench.published()).map(({ topic }) => topic);
    // Actas leave the type, facturas enter it.
    expect([new Set(topics), topics.length]).toEqual([
      new Set(['document.described.v1']),
      (2 * DOCUMENTS) / KINDS.length,
    ]);
  });
});

import { Client } from 'pg';
import { registerFolder, startRun } from '@acervo/contracts';
import { Bench, newGroup } from './bench';

/** Small files of a folder, as many as several batches take. */
const FILES = 160;
/**
 * Statements and commits of a document from its file to the hand-over, and to that of its vectors. With a lease a step
 * they were 51 and 13 to the hand-over. A busy machine fills its slices less.
 */
const MOST = { acquire: { statements: 4, commits: 0.8 }, vectors: { statements: 6, commits: 1.5 } };
const sentence = (at: number): string => `El acta ${at} trata de la obra ${at * 7} y de su coste de ${at * 13} euros. `;

describe('the cost of a small document', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  }, 60_000);
  afterAll(() => bench.close());
  afterEach(() => jest.restoreAllMocks());

  /** The texts that some work sends to the database. */
  const sentBy = async (work: () => Promise<unknown>): Promise<string[]> => {
    const texts: string[] = [];
    const send = Reflect.get(Client.prototype, 'query') as (...sent: unknown[]) => unknown;
    const counted = function (this: Client, ...sent: unknown[]): unknown {
      const [query] = sent as [string | { readonly text: string }];
      texts.push(typeof query === 'string' ? query : query.text);
      return send.apply(this, sent);
    };
    jest.spyOn(Client.prototype, 'query').mockImplementation(counted as never);
    await work();
    jest.restoreAllMocks();
    return texts;
  };

  it('many small files share transactions and statements', async () => {
    const groupId = newGroup();
    const files = Array.from({ length: FILES }, (_, at): [string, string] => [`f${at}.txt`, sentence(at).repeat(8)]);
    const path = bench.folder('cost', Object.fromEntries(files));
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    await bench.ask(startRun, groupId, { location_code });
    for (const stage of ['acquire', 'vectors'] as const) {
      const texts = await sentBy(() => bench.workStage(groupId, stage));
      const [counted] = await bench.database.read({ groupId }, (tx) =>
        tx.query<{ handed: number }>(
          `select count(${stage === 'acquire' ? 'handed_over' : 'vectors_object'})::int as handed
           from ingestion.document where group_id = $1`,
          [groupId],
        ),
      );
      expect(counted).toEqual({ handed: FILES });
      expect(texts.length / FILES).toBeLessThan(MOST[stage].statements);
      expect(texts.filter((text) => text === 'commit').length / FILES).toBeLessThan(MOST[stage].commits);
    }
  }, 60_000);
});

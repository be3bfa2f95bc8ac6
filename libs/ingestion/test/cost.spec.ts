import { Client } from 'pg';
import { registerFolder, startRun } from '@acervo/contracts';
import { Bench, newGroup } from './bench';

/** Small files of a folder, as many as several batches take. */
const FILES = 160;
/**
 * Statements and commits of all documents from their files to the hand-over, and to that of their vectors, in batches of
 * 32 and 24. With a lease a step they were 51 and 13 of each document.
 */
const COST = { acquire: { statements: 88, commits: 16 }, vectors: { statements: 94, commits: 22 } };
/** How many questions share a lookup of results depends on the time; `result-lookup.spec` shows that they share it. */
const LOOKUP = /join ingestion\.step_result/;
/** Pieces of a batch, slices and leases measure themselves with the other clocks, which stand still. */
const CLOCKS_THAT_RUN = ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'Date', 'hrtime'] as const;
const sentence = (at: number): string => `El acta ${at} trata de la obra ${at * 7} y de su coste de ${at * 13} euros. `;

describe('the cost of a small document', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

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

  /** A scanned folder whose documents wait. */
  const waiting = async (name: string): Promise<string> => {
    const groupId = newGroup();
    const files = Array.from({ length: FILES }, (_, at): [string, string] => [`f${at}.txt`, sentence(at).repeat(8)]);
    const path = bench.folder(name, Object.fromEntries(files));
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    await bench.ask(startRun, groupId, { location_code });
    return groupId;
  };

  const handedOver = async (groupId: string, stage: keyof typeof COST): Promise<number | undefined> => {
    const column = stage === 'acquire' ? 'handed_over' : 'vectors_object';
    const [counted] = await bench.database.read({ groupId }, (tx) =>
      tx.query<{ handed: number }>(
        `select count(${column})::int as handed from ingestion.document where group_id = $1`,
        [groupId],
      ),
    );
    return counted?.handed;
  };

  /** A lookup is a transaction of three statements. */
  const costOf = (texts: readonly string[]): { readonly statements: number; readonly commits: number } => {
    const lookups = texts.filter((text) => LOOKUP.test(text)).length;
    const commits = texts.filter((text) => text === 'commit').length;
    return { statements: texts.length - 3 * lookups, commits: commits - lookups };
  };

  it('many small files share transactions and statements', async () => {
    // The first folder teaches the pipeline the largest slices, because no slice takes time.
    for (const name of ['first', 'second']) {
      const groupId = await waiting(name);
      for (const stage of ['acquire', 'vectors'] as const) {
        jest.useFakeTimers({ doNotFake: [...CLOCKS_THAT_RUN] });
        const texts = await sentBy(() => bench.workStage(groupId, stage));
        jest.useRealTimers();
        expect(await handedOver(groupId, stage)).toBe(FILES);
        if (name === 'second') expect([stage, costOf(texts)]).toEqual([stage, COST[stage]]);
      }
    }
  });
});

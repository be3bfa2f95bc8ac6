/**
 * The installation runs in this process, which counts what it sends to its database.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { Client } from 'pg';
import { Installation } from '../harness/installation';
import { temporary, write } from '../harness/program';

const MOST_EXCHANGES = 10;
/** Options of connections that requests do not wait for. */
const BACKGROUND = /acervo\.lane=/;

interface Sender {
  readonly connectionParameters: { readonly options?: string; readonly user?: string };
}
type Query = (this: Sender, ...args: unknown[]) => unknown;

/** Roles and first statements of the exchanges of requests. Statements that a connection sends in one turn of the event loop are one. */
const exchanges: string[] = [];
const TEXT_CHARACTERS = 100;

/** The beginning of a statement. */
const textOf = (sent: unknown): string => {
  const text = typeof sent === 'string' ? sent : String((sent as { readonly text?: unknown } | undefined)?.text);
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_CHARACTERS);
};
const send = Reflect.get(Client.prototype, 'query') as Query;
const inThisTurn = new Set<Sender>();
const counted: Query = function (...args) {
  const { options = '', user = '' } = this.connectionParameters;
  if (!BACKGROUND.test(options) && !inThisTurn.has(this)) {
    inThisTurn.add(this);
    process.nextTick(() => inThisTurn.delete(this));
    exchanges.push(`${user}: ${textOf(args[0])}`);
  }
  return send.apply(this, args);
};
jest.spyOn(Client.prototype, 'query').mockImplementation(counted as never);
afterAll(() => jest.restoreAllMocks());

/** The search with the median number of exchanges: a late leg or a refreshed statement adds some to few searches. */
const middle = (searches: readonly (readonly string[])[]): readonly string[] =>
  [...searches].sort((a, b) => a.length - b.length)[searches.length >> 1] ?? [];

describe('a search over HTTP on the embedded engine', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  let installation: Installation;

  beforeAll(async () => {
    const texts = Array.from({ length: 40 }, (_, n) => [`${n}.txt`, `La cuota ${n} del agua se paga en el mes ${n}.`]);
    write(folder, Object.fromEntries(texts) as Record<string, string>);
    installation = await Installation.start({ folder, data, processes: false, embedder: 'hashing' });
    await installation.running.ingested;
  });
  afterAll(async () => {
    await installation.stop();
    place.remove();
  });

  const countOf = async (asked: string): Promise<readonly string[]> => {
    exchanges.length = 0;
    expect((await installation.search(asked)).length).toBeGreaterThan(0);
    return [...exchanges];
  };

  it.each([
    ['every chunk matches', 'cuota del agua'],
    ['one chunk matches', 'cuarta 17'],
  ])(`a warm search takes at most ${MOST_EXCHANGES} exchanges where %s`, async (_, asked) => {
    const searches: (readonly string[])[] = [];
    for (let n = 0; n < 21; n += 1) searches.push(await countOf(asked));
    // A failure shows the exchanges beyond the limit.
    expect(middle(searches).slice(MOST_EXCHANGES)).toEqual([]);
  });
});

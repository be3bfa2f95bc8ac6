import type { ClientBase } from 'pg';
import { Database, vectorToSql } from '../src';
import { VectorTypes } from '../src/vectors';
import { type Running, startDatabase } from './support';

const vector = Float32Array.from([0.1, -2.5, 0, 1e-7, 123456.789]);

interface Row {
  readonly vector: readonly number[];
  readonly absent: null;
}

let db: Running;
let database: Database;
beforeAll(async () => {
  db = await startDatabase();
  database = new Database({ ...db.server.connection('chat_app'), max: 2 });
}, 60_000);
afterAll(async () => {
  await database.close();
  await db.close();
}, 30_000);

describe('vector columns', () => {
  it('every connection reads a vector as the numbers that were written', async () => {
    const sql = 'select $1::vector as vector, null::vector as absent';
    const read = () =>
      database.ungrouped(async (tx) => {
        const params = [vectorToSql(vector)];
        return [...(await tx.query<Row>(sql, params)), ...(await tx.prepared<Row>(sql, params))];
      });
    const rows = (await Promise.all([read(), read()])).flat();
    // The engine writes the shortest text of a 32-bit number, JavaScript that of the 64-bit one.
    expect(rows.map((row) => [Float32Array.from(row.vector), row.absent])).toEqual(Array(4).fill([vector, null]));
  });
});

/** Answers the look-up of the types, or fails, and counts how often it is asked. */
class Client {
  asked = 0;
  constructor(private readonly answer: () => Promise<unknown>) {}
  query(): Promise<unknown> {
    this.asked += 1;
    return this.answer();
  }
  get base(): ClientBase {
    return this as unknown as ClientBase;
  }
}

describe('vector types', () => {
  const rows = [{ typname: 'vector', oid: 90_001 }];

  it('the first connection looks the types up for all', async () => {
    const types = new VectorTypes();
    const [first, second] = [
      new Client(() => Promise.resolve({ rows })),
      new Client(() => Promise.reject(new Error())),
    ];
    await Promise.all([types.registerBy(first.base), types.registerBy(second.base)]);
    await types.registerBy(second.base);
    expect([first.asked, second.asked]).toEqual([1, 0]);
    const read: unknown = Reflect.apply(types.parsers.getTypeParser(90_001, 'text'), undefined, ['[1,0.5]']);
    expect(read).toEqual([1, 0.5]);
  });
  it('a failed look-up is repeated by the next connection', async () => {
    const types = new VectorTypes();
    const lost = new Client(() => Promise.reject(new Error('Connection terminated')));
    await expect(types.registerBy(lost.base)).rejects.toThrow('Connection terminated');
    const next = new Client(() => Promise.resolve({ rows }));
    await types.registerBy(next.base);
    expect([lost.asked, next.asked]).toEqual([1, 1]);
  });
});

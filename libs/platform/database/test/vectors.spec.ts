import { Database, vectorToSql } from '../src';
import { type Running, startDatabase } from './support';

let db: Running;
let database: Database;
beforeAll(async () => {
  db = await startDatabase();
  database = new Database({ ...db.server.connection('chat_app'), max: 2 });
});
afterAll(async () => {
  await database.close();
  await db.close();
});

describe('a vector as a parameter', () => {
  it('the engine receives the numbers of the vector', async () => {
    const vector = Float32Array.from([0.1, -2.5, 0, 1e-7, 123456.789]);
    const [row] = await database.ungrouped((tx) =>
      tx.query<{ written: number[] }>('select ($1::vector)::real[] as written', [vectorToSql(vector)]),
    );
    expect(Float32Array.from(row?.written ?? [])).toEqual(vector);
  });
});

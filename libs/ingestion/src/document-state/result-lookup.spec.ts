import type { Database } from '@acervo/platform-database';
import { type ResultId, ResultLookup } from './result-lookup';

const scope = { groupId: '11111111-1111-4111-8111-111111111111' };
const id = (key: string): ResultId => ({ stage: 'extract', key, contentHash: 'h' });

it('questions that arrive during a lookup share the next one', async () => {
  const asked: Promise<object | undefined>[] = [];
  let reads = 0;
  const read = (): Promise<object[]> => {
    reads += 1;
    if (reads === 1) asked.push(...['c', 'd', 'e'].map((key) => lookup.find(scope, id(key))));
    return Promise.resolve([{ ...id('d'), value: { is: 'known' } }]);
  };
  const lookup = new ResultLookup({ read } as unknown as Pick<Database, 'read'>);
  expect(await Promise.all(['a', 'b'].map((key) => lookup.find(scope, id(key))))).toEqual([undefined, undefined]);
  expect(await Promise.all(asked)).toEqual([undefined, { is: 'known' }, undefined]);
  expect(reads).toBe(2);
});

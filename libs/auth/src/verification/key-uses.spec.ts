import { silent } from '@acervo/platform-testing';
import { KeyUses } from './key-uses';

describe('the last uses of keys', () => {
  const written: [groupId: string, keys: readonly string[]][] = [];
  let outcome: Promise<void>;
  let uses: KeyUses;

  beforeEach(() => {
    written.length = 0;
    outcome = Promise.resolve();
    const credentials = {
      noteUse: ({ groupId }: { groupId: string }, keys: readonly string[]) => {
        written.push([groupId, keys]);
        return outcome;
      },
    };
    const database = { write: (scope: object, work: (tx: object) => Promise<void>) => work(scope) };
    uses = new KeyUses(database as never, credentials as never, silent);
  });

  it('a key that is used often is written once', async () => {
    for (let index = 0; index < 100; index += 1) uses.note('G1', 'k1');
    await uses.onModuleDestroy();
    uses.note('G1', 'k1');
    expect(written).toEqual([['G1', ['k1']]]);
  });
  it('keys that are used during a write share the next one', async () => {
    let end = (): void => undefined;
    outcome = new Promise((resolve) => (end = resolve));
    uses.note('G1', 'k1');
    for (const key of ['k2', 'k3']) uses.note('G1', key);
    uses.note('G2', 'k2');
    end();
    await new Promise((resolve) => setImmediate(resolve));
    await uses.onModuleDestroy();
    expect(written).toEqual([
      ['G1', ['k1']],
      ['G1', ['k2', 'k3']],
      ['G2', ['k2']],
    ]);
  });
  it('a failed write of one group leaves the others written', async () => {
    outcome = Promise.reject(new Error('away'));
    outcome.catch(() => undefined);
    uses.note('G1', 'k1');
    outcome = Promise.resolve();
    uses.note('G2', 'k2');
    await new Promise((resolve) => setImmediate(resolve));
    expect(written.map(([groupId]) => groupId)).toEqual(['G1', 'G2']);
  });
});

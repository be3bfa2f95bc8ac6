import type { Proof } from './proof';
import { UsedProofs } from './used-proofs';

const proof = (id: string | undefined, validUntil: number): Proof => ({
  ...{ caller: 'chat', work: undefined, hash: '', scopeHash: undefined },
  ...{ id, validUntil },
});

describe('ids of used proofs', () => {
  it('an id is remembered until its proof expires, and no longer', () => {
    let now = 0;
    const used = new UsedProofs(() => now);
    used.use(proof('first', 35_000));
    now = 35_000;
    expect(() => used.use(proof('first', 35_000))).toThrow('was used before');
    now = 35_001;
    used.use(proof('second', 70_000));
    expect(used.size).toBe(1);
  });
  it('proofs of the last release, which have no id, are admitted', () => {
    const used = new UsedProofs(() => 0);
    used.use(proof(undefined, 35_000));
    used.use(proof(undefined, 35_000));
    expect(used.size).toBe(0);
  });
});

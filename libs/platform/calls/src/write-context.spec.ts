import { call, DoneBefore, Empty, NotFound } from '@acervo/contracts';
import type { Database, Transaction } from '@acervo/platform-database';
import { WorkScope } from '@acervo/rbac';
import { AuditTrail, RequestsDone, WriteContexts } from './write-context';

const io = {
  owner: 'operations',
  effect: 'write',
  scope: 'work',
  callers: ['chat'],
  input: Empty,
  output: Empty,
} as const;
const audited = call({ ...io, code: 'tests.audit' });
const counted = call({ ...io, code: 'tests.count', audit: 'none' });

class Records extends AuditTrail {
  readonly outcomes: string[] = [];

  record(
    _tx: Transaction,
    { call: code, outcome }: { readonly call: string; readonly outcome: string },
  ): Promise<void> {
    this.outcomes.push(`${code} ${outcome}`);
    return Promise.resolve();
  }
}

class Done extends RequestsDone {
  private readonly ids = new Set<string>();

  note(_tx: Transaction, requestId: string): Promise<boolean> {
    const isNew = !this.ids.has(requestId);
    this.ids.add(requestId);
    return Promise.resolve(isNew);
  }

  isNoted(_tx: Transaction, requestId: string): Promise<boolean> {
    return Promise.resolve(this.ids.has(requestId));
  }
}

describe('the audit record of a write', () => {
  let records: Records;
  let transactions: number;
  const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'chat', 'test');
  const database = {
    write: (_group: unknown, work: (tx: Transaction) => Promise<unknown>): Promise<unknown> => {
      transactions += 1;
      return work({} as Transaction);
    },
  } as unknown as Database;
  const open = (of: typeof audited) =>
    new WriteContexts(database, records).open({ call: of, scope, caller: 'chat', input: {} });

  beforeEach(() => {
    records = new Records();
    transactions = 0;
  });

  it('a write leaves one, done or refused', async () => {
    const context = open(audited);
    expect(await context.write(() => Promise.resolve('done'))).toBe('done');
    await context.remember(new NotFound());
    expect([records.outcomes, transactions]).toEqual([['tests.audit SUCCEEDED', 'tests.audit REFUSED'], 2]);
  });

  it('a proof that reaches two processes has one effect', async () => {
    const done = new Done();
    const write = (proofId: string, of = audited): Promise<string> =>
      new WriteContexts(database, records, done)
        .open({ ...{ call: of, scope, caller: 'chat', input: {} }, proofId })
        .write(() => Promise.resolve('done'));
    expect(await write('first')).toBe('done');
    await expect(write('first')).rejects.toThrow(DoneBefore);
    expect(await write('second')).toBe('done');
    expect(records.outcomes).toEqual(['tests.audit SUCCEEDED', 'tests.audit SUCCEEDED']);
  });

  it('bookkeeping leaves none, and opens no transaction for one', async () => {
    const context = open(counted);
    expect(await context.write(() => Promise.resolve('done'))).toBe('done');
    await context.remember(new NotFound());
    expect([records.outcomes, transactions]).toEqual([[], 1]);
  });
});

import type { Call, StoresReport } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { agreementLine, compareNow } from './agreement';

describe('the line about the agreement of the stores', () => {
  const report = {
    finishedAt: '2026-11-21T10:00:00.000Z',
    isRunning: false,
    documents: 3,
    objects: 12,
    copiesUnread: 0,
    differences: [],
  };

  it('stores that were never compared give no line', () => {
    expect(agreementLine({ ...report, finishedAt: null })).toBeUndefined();
  });
  it('equal stores give the counts of the comparison', () => {
    expect(agreementLine(report)).toBe(
      'The stores agree: 3 documents and 12 objects compared at 2026-11-21T10:00:00.000Z.',
    );
  });
  it('unread copies in OpenSearch are counted', () => {
    expect(agreementLine({ ...report, copiesUnread: 2 })).toMatch(/; the copies of 2 in OpenSearch could not/);
  });
  it('differences are counted, found and repaired', () => {
    const differences = [{ kind: 'chunks.missing', found: 2, repaired: 1 }];
    expect(agreementLine({ ...report, differences })).toMatch(/differed: chunks.missing 2 \(1 repaired\)/);
  });
});

describe('an awaited comparison', () => {
  const before = '2026-11-21T10:00:00.000Z';
  const report = { finishedAt: before, isRunning: false, documents: 3, objects: 12, copiesUnread: 0, differences: [] };
  const ended = { ...report, finishedAt: '2026-11-21T11:00:00.000Z' };

  /** The lines that are printed for these reports, each answered once and the last one repeated. */
  const printedBy = async (...reports: StoresReport[]): Promise<string[]> => {
    const printed: string[] = [];
    let asked = 0;
    const send = ({ code }: Call): Promise<unknown> =>
      Promise.resolve(code === 'stores.compare' ? report : reports[Math.min(asked++, reports.length - 1)]);
    const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'operator', 'test');
    const patient = { everyMs: 1, patienceMs: 200 };
    await compareNow({
      calls: { send } as unknown as Calls,
      scope,
      print: (line) => void printed.push(line),
      ...patient,
    });
    return printed;
  };

  it('the report after the end is printed, not the earlier one', async () => {
    expect(await printedBy(report, { ...report, isRunning: true }, ended)).toEqual([
      'The stores agree: 3 documents and 12 objects compared at 2026-11-21T11:00:00.000Z.',
    ]);
  });
  it('an unrepaired difference or a comparison without end fails', async () => {
    const differences = [{ kind: 'chunks.missing', found: 2, repaired: 1 }];
    await expect(printedBy({ ...ended, differences })).rejects.toThrow(/Not everything could be repaired/);
    await expect(printedBy(report)).rejects.toThrow(/No comparison finished/);
  });
});

import type { Call, StoresReport } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { agreementLine, compareNow } from './agreement';

describe('what is said about the agreement of the stores', () => {
  const report = {
    finishedAt: '2026-11-21T10:00:00.000Z',
    isRunning: false,
    documents: 3,
    objects: 12,
    copiesUnread: 0,
    differences: [],
  };

  it('is nothing before they were compared', () => {
    expect(agreementLine({ ...report, finishedAt: null })).toBeUndefined();
  });
  it('is that they agree, and how much was compared', () => {
    expect(agreementLine(report)).toBe(
      'The stores agree: 3 documents and 12 objects compared at 2026-11-21T10:00:00.000Z.',
    );
  });
  it('is that copies could not be looked at', () => {
    expect(agreementLine({ ...report, copiesUnread: 2 })).toMatch(/; the copies of 2 in OpenSearch could not/);
  });
  it('is what differed, and how much of it was put right', () => {
    const differences = [{ kind: 'chunks.missing', found: 2, repaired: 1 }];
    expect(agreementLine({ ...report, differences })).toMatch(/differed: chunks.missing 2 \(1 put right\)/);
  });
});

describe('a comparison that somebody waits for', () => {
  const before = '2026-11-21T10:00:00.000Z';
  const report = { finishedAt: before, isRunning: false, documents: 3, objects: 12, copiesUnread: 0, differences: [] };
  const ended = { ...report, finishedAt: '2026-11-21T11:00:00.000Z' };

  /** What is said when its reports are these, each once and the last one from then on. */
  const saidOf = async (...reports: StoresReport[]): Promise<string[]> => {
    const said: string[] = [];
    let asked = 0;
    const send = ({ code }: Call): Promise<unknown> =>
      Promise.resolve(code === 'stores.compare' ? report : reports[Math.min(asked++, reports.length - 1)]);
    const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'operator', 'test');
    const patient = { everyMs: 1, patienceMs: 200 };
    await compareNow({ calls: { send } as unknown as Calls, scope, say: (line) => void said.push(line), ...patient });
    return said;
  };

  it('is told by the report of its own end, not by the one before', async () => {
    expect(await saidOf(report, { ...report, isRunning: true }, ended)).toEqual([
      'The stores agree: 3 documents and 12 objects compared at 2026-11-21T11:00:00.000Z.',
    ]);
  });
  it('fails where something could not be put right, or none comes to an end', async () => {
    const differences = [{ kind: 'chunks.missing', found: 2, repaired: 1 }];
    await expect(saidOf({ ...ended, differences })).rejects.toThrow(/Not everything could be put right/);
    await expect(saidOf(report)).rejects.toThrow(/No comparison came to an end/);
  });
});

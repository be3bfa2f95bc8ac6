import { agreementLine } from './agreement';

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

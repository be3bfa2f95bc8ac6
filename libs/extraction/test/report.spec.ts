import { InlineSource, PartTally, reportOf } from '../src';
import { pdfFile, textPage } from './support';

describe('the report of an extraction', () => {
  it('parts that no reader accounts for are left out as unread', () => {
    const tally = new PartTally();
    tally.count('MIME_PART', 5);
    tally.read('MIME_PART', 2);
    tally.leaveOut('MIME_PART', 'PICTURE');
    expect(tally.report().parts).toEqual([
      {
        ...{ kind: 'MIME_PART', counted: 5, read: 2 },
        leftOut: [
          { reason: 'PICTURE', count: 1 },
          { reason: 'UNREAD', count: 2 },
        ],
      },
    ]);
  });

  it('a container that understates its parts gets the number of those found', () => {
    const tally = new PartTally();
    tally.count('SHEET', 1);
    tally.read('SHEET', 3);
    expect(tally.report().parts).toEqual([{ kind: 'SHEET', counted: 3, read: 3, leftOut: [] }]);
  });

  it('a file without parts counts as one', async () => {
    const extraction = await new InlineSource().extract({ name: 'a.txt', bytes: Buffer.from('Uno.') });
    expect(reportOf(extraction).parts).toEqual([{ kind: 'PART', counted: 1, read: 1, leftOut: [] }]);
  });

  it('pages without text are left out, and counted', async () => {
    const bytes = pdfFile([textPage('La póliza vence en mayo.'), { texts: [] }]);
    const extraction = await new InlineSource().extract({ name: 'a.pdf', bytes });
    const leftOut = [{ reason: 'NO_TEXT', count: 1 }];
    expect(reportOf(extraction).parts).toEqual([{ kind: 'PAGE', counted: 2, read: 1, leftOut }]);
  });
});

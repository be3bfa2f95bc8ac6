import { ReadingFailed } from '../src/errors';
import { Malformed } from '../src/sandbox/decoders';
import { ExtractionPool } from '../src/sandbox/extraction-pool';
import { readReport } from '../src/sandbox/read-report';

/** A reading process that a hostile file has taken over: it answers with a number in place of a text. */
const mockHostile = `process.on('message', () => process.send({ kind: 'extracted', extraction: { document: { text: 5 } } }))`;

jest.mock('../src/sandbox/walls', () => ({
  ...jest.requireActual<object>('../src/sandbox/walls'),
  readerCommand: () => ({ program: process.execPath, args: ['-e', mockHostile] }),
}));

const facts = { title: null, author: null, date: null, language: null };
const line = { text: 'Uno', size: 10, bold: false, startsParagraph: true, top: 0, bottom: 0.1, left: 0, right: 1 };
const page = { kind: 'page', page: { number: 1, lines: [line] } };

describe('messages of a reading process', () => {
  it('a process that sends another form ends, and its file is refused', async () => {
    const pool = new ExtractionPool();
    await expect(pool.extract({ name: 'nota.txt', bytes: Buffer.from('Hola.') })).rejects.toThrow(ReadingFailed);
    await pool.close();
  });

  it.each([
    ['no object', 'page'],
    ['an unknown kind', { kind: 'constructor' }],
    ['a page without lines', { kind: 'page', page: { number: 1 } }],
    ['a line with a number as text', { kind: 'page', page: { number: 1, lines: [{ ...line, text: 1 }] } }],
    ['an unknown picture', { kind: 'recognise', picture: { kind: 'svg', bytes: Buffer.alloc(1), dotsPerInch: null } }],
    ['a picture of text', { kind: 'recognise', picture: { kind: 'png', bytes: 'bytes', dotsPerInch: null } }],
    ['attachments that are no list', { kind: 'pages-read', reader: 'pdf', facts, attachments: { length: 1 } }],
    ['an unknown outcome', { kind: 'failed', failure: { name: 'E', message: '', at: '', outcome: 'FINE' } }],
  ])('%s is malformed', (_what, message) => {
    expect(() => readReport(message)).toThrow(Malformed);
  });

  it('fields that a report does not have are dropped', () => {
    expect(readReport({ ...page, more: 1, page: { ...page.page, lines: [{ ...line, more: 1 }], more: 1 } })).toEqual(
      page,
    );
  });
});

import fc from 'fast-check';
import { ExtractionRefusal } from '../src/errors';
import type { WholeReader } from '../src/reader';
import { EpubReader } from '../src/readers/epub';
import { DocReader, PptReader, XlsReader } from '../src/readers/legacy';
import { EmlReader, MsgReader } from '../src/readers/mail';
import { DocxReader, PptxReader, XlsxReader } from '../src/readers/office';
import { OpenDocumentReader } from '../src/readers/opendocument';
import { RtfReader } from '../src/readers/rtf';
import { docFile, docRow, pptFile, pptShape, pptText, xlsFile } from './support/legacy-files';
import { msgFile } from './support/msg-file';
import { docxFile, paragraph, pptxFile, shape, wordTable, xlsxFile, xlsxRow } from './support/office-files';
import { epubFile, mixedMail, openDocumentFile } from './support/open-files';
import { readWith } from './support/reading';

const part = { headers: ['Content-Type: text/html; charset=utf-8'], body: '<table><tr><td>a</td></tr></table>' };
const samples: readonly (readonly [WholeReader, Buffer])[] = [
  [
    new DocxReader(),
    docxFile({
      body:
        paragraph('Uno') +
        wordTable([
          ['a', 'b'],
          ['1', '2'],
        ]),
      facts: true,
    }),
  ],
  [new PptxReader(), pptxFile([{ shapes: shape('title', 'Uno'), notes: 'dos' }])],
  [new XlsxReader(), xlsxFile([{ name: 'a', rows: xlsxRow(1, 'x', 1) }], ['<t>y</t>'])],
  [new DocReader(), docFile({ body: `Uno\r${docRow('a', 'b')}dos`, header: 'x' })],
  [new XlsReader(), xlsFile([['x', 1]])],
  [new PptReader(), pptFile([{ shapes: [pptShape([pptText('Uno', 0)])], notes: 'dos' }])],
  [new OpenDocumentReader(), openDocumentFile('text', '<text:p>Uno<text:s text:c="3"/></text:p>')],
  [new EpubReader(), epubFile([{ name: 'a.xhtml', page: '<p>x</p>' }])],
  [
    new RtfReader(),
    Buffer.from(
      "{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset128 x;}}\\f0 \\'83\\'5d\\u8364?\\trowd a\\cell b\\cell\\row\\par}",
    ),
  ],
  [new EmlReader(), mixedMail(['Subject: x', 'From: a@example.org'], [part, part])],
  [new MsgReader(), msgFile({ subject: 'x', body: 'Hola', attachments: [{ name: 'a', bytes: Buffer.alloc(5_000) }] })],
];

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const at = (bytes: Buffer, where: number): number => Math.floor(where * bytes.length);
const mutation: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc.oneof(
  fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 20 }).map((changes) => (bytes: Buffer) => {
    const copy = Buffer.from(bytes);
    for (const [where, value] of changes) copy[at(copy, where)] = value;
    return copy;
  }),
  place.map((where) => (bytes: Buffer) => bytes.subarray(0, at(bytes, where))),
  fc.tuple(place, place, fc.nat(samples.length - 1)).map(([where, from, other]) => (bytes: Buffer) => {
    const donor = samples[other]?.[1] ?? bytes;
    return Buffer.concat([bytes.subarray(0, at(bytes, where)), donor.subarray(at(donor, from))]);
  }),
);

describe('a file that was changed by chance', () => {
  it('a mutated file gives text or a known refusal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), mutation, async ([reader, bytes], mutate) => {
        const result: unknown = await readWith(reader, mutate(bytes)).catch((error: unknown) => error);
        if (result instanceof Error) expect(result).toBeInstanceOf(ExtractionRefusal);
      }),
      { numRuns: 200 },
    );
  });
});

import type { ExtractedText } from '@acervo/analysis';
import { leftOutReasons, partKinds } from '@acervo/public-mapping';
import type { ExtractionReport } from '../report';
import type { Attachment, Extraction, PagedFacts, PictureOfText, RawPage } from '../reader';
import { bytes, type Decoder, number, flag, listOf, Malformed, nullable, oneOf, record, text } from './decoders';
import type { Failure } from './failures';
import type { Report } from './protocol';

const line = record({
  ...{ text, size: number, bold: flag, startsParagraph: flag },
  ...{ top: number, bottom: number, left: number, right: number },
});
const page: Decoder<RawPage> = record(
  { number, lines: listOf(line) },
  { isUnreadable: flag, bookmarks: listOf(record({ title: text, level: number })) },
);

const named = nullable(text);
const facts: Decoder<PagedFacts> = record({ title: named, author: named, date: named, language: named });
const range = { start: number, end: number };
const document: Decoder<ExtractedText> = record({
  ...{ text, title: named, author: named, date: named, language: named },
  pages: listOf(record({ ...range, number })),
  headings: listOf(record({ ...range, level: number, title: text })),
  tables: listOf(record({ ...range, title: named, header: nullable(record(range)), rows: listOf(record(range)) })),
});

const leftOut = record({ reason: oneOf(...leftOutReasons), count: number });
const part = record({ kind: oneOf(...partKinds), counted: number, read: number, leftOut: listOf(leftOut) });
const parts: Decoder<ExtractionReport> = record({ parts: listOf(part) });
const attachments: Decoder<Attachment[]> = listOf(record({ name: text, bytes }));
const extraction: Decoder<Extraction> = record({ document, attachments }, { report: parts });

const picture: Decoder<PictureOfText> = record({
  ...{ bytes, kind: oneOf('png', 'jpeg', 'tiff'), dotsPerInch: nullable(number) },
});
const failure: Decoder<Failure> = record({
  ...{ name: text, message: text, at: text },
  outcome: nullable(oneOf('ERROR', 'UNSUPPORTED')),
});

const kind = <K extends Report['kind']>(name: K): Decoder<K> => oneOf(name);

const decoders: { readonly [K in Report['kind']]: Decoder<Extract<Report, { kind: K }>> } = {
  ready: record({ kind: kind('ready') }),
  opened: record({ kind: kind('opened') }),
  page: record({ kind: kind('page'), page }),
  recognise: record({ kind: kind('recognise'), picture }),
  'pages-read': record({ kind: kind('pages-read'), reader: text, facts, attachments }, { parts }),
  assembled: record({ kind: kind('assembled'), document }),
  extracted: record({ kind: kind('extracted'), extraction }),
  failed: record({ kind: kind('failed'), failure }),
};

const isKind = (value: unknown): value is Report['kind'] => typeof value === 'string' && Object.hasOwn(decoders, value);

/**
 * A message of a reading process as a report. The process reads hostile files: what it sends is as untrusted as they are.
 * @throws Malformed
 */
export const readReport = (message: unknown): Report => {
  const name: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'kind') : undefined;
  if (!isKind(name)) throw new Malformed('a report');
  return decoders[name](message);
};

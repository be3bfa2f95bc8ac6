import type { ReaderName } from '../formats';
import type { Reader } from '../reader';

/** Factories of readers. Each loads on first use: most processes read few kinds of files. */
const makers: Readonly<Record<ReaderName, () => Promise<Reader>>> = {
  pdf: async () => new (await import('./pdf/index.js')).PdfReader(),
  docx: async () => new (await import('./office/index.js')).DocxReader(),
  pptx: async () => new (await import('./office/index.js')).PptxReader(),
  xlsx: async () => new (await import('./office/index.js')).XlsxReader(),
  doc: async () => new (await import('./legacy/index.js')).DocReader(),
  xls: async () => new (await import('./legacy/index.js')).XlsReader(),
  ppt: async () => new (await import('./legacy/index.js')).PptReader(),
  opendocument: async () => new (await import('./opendocument/index.js')).OpenDocumentReader(),
  rtf: async () => new (await import('./rtf/index.js')).RtfReader(),
  epub: async () => new (await import('./epub/index.js')).EpubReader(),
  html: async () => new (await import('./web/index.js')).HtmlReader(),
  markdown: async () => new (await import('./text/index.js')).MarkdownReader(),
  text: async () => new (await import('./text/index.js')).TextReader(),
  csv: async () => new (await import('./tables/index.js')).CsvReader(),
  json: async () => new (await import('./trees/index.js')).JsonReader(),
  xml: async () => new (await import('./trees/index.js')).XmlReader(),
  eml: async () => new (await import('./mail/index.js')).EmlReader(),
  msg: async () => new (await import('./mail/index.js')).MsgReader(),
  mbox: async () => new (await import('./mail/index.js')).MboxReader(),
  tnef: async () => new (await import('./mail/index.js')).TnefReader(),
  signed: async () => new (await import('./signed/index.js')).SignedReader(),
  asic: async () => new (await import('./signed/index.js')).AsicReader(),
  mhtml: async () => new (await import('./web/index.js')).MhtmlReader(),
  image: async () => new (await import('./images/index.js')).ImageReader(),
};

const made = new Map<ReaderName, Promise<Reader>>();

export const readerNamed = (name: ReaderName): Promise<Reader> => {
  const reader = made.get(name) ?? makers[name]();
  made.set(name, reader);
  return reader;
};

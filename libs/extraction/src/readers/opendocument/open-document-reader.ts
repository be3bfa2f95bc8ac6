import { DamagedFile, PasswordProtected } from '../../errors';
import { FlowWriter } from '../../flow-writer';
import {
  type AcquiredFile,
  type Extraction,
  type PagedFacts,
  type ReadContext,
  type ReadLimits,
  WholeReader,
} from '../../reader';
import { dateOf, factOf, TextBuilder } from '../../text-builder';
import { Archive, assertZip, readTexts, walkXml } from '../archive';
import { openDocumentNamespaces } from './namespaces';
import { PartCounting } from './part-report';
import { SheetsBody } from './sheets-body';
import { TextBody } from './text-body';

const CONTENT = 'content.xml';
const META = 'meta.xml';
const MANIFEST = 'META-INF/manifest.xml';
const PROPERTIES = ['dc:title', 'dc:creator', 'meta:initial-creator', 'dc:date', 'meta:creation-date', 'dc:language'];
const SPREADSHEET = 'application/vnd.oasis.opendocument.spreadsheet';

const readFacts = async (archive: Archive, limits: ReadLimits): Promise<Partial<PagedFacts>> => {
  if (!archive.has(META)) return {};
  const values = await readTexts(archive.stream(META), PROPERTIES, openDocumentNamespaces, limits);
  return {
    title: factOf(values.get('dc:title')),
    author: factOf(values.get('meta:initial-creator')) ?? factOf(values.get('dc:creator')),
    date: dateOf(values.get('dc:date')) ?? dateOf(values.get('meta:creation-date')),
    language: factOf(values.get('dc:language')),
  };
};

/** The manifest of an encrypted file is readable and lists the encryption of each part. */
const assertReadable = async (archive: Archive): Promise<void> => {
  if (archive.has(MANIFEST) && (await archive.bytes(MANIFEST)).includes('encryption-data'))
    throw new PasswordProtected();
  if (!archive.has(CONTENT)) throw new DamagedFile();
};

const isSpreadsheet = async (archive: Archive, name: string): Promise<boolean> =>
  archive.has('mimetype')
    ? (await archive.bytes('mimetype')).toString('latin1').startsWith(SPREADSHEET)
    : /\.o[dt]s$/i.test(name);

/** OpenDocument: texts (ODT), spreadsheets (ODS) and presentations (ODP). Comments and deleted text are left out. */
export class OpenDocumentReader extends WholeReader {
  readonly name = 'opendocument';

  async read({ name, bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    assertZip(bytes);
    const archive = await Archive.open(bytes, limits);
    await assertReadable(archive);
    const builder = new TextBuilder(limits);
    const flow = new FlowWriter(builder);
    const hasSheets = await isSpreadsheet(archive, name);
    const counting = new PartCounting();
    const body = hasSheets ? new SheetsBody(builder) : new TextBody(builder, flow);
    await walkXml(archive.stream(CONTENT), counting.around(body), limits);
    flow.end();
    const document = builder.build(await readFacts(archive, limits));
    const report = counting.report(hasSheets, document);
    return { document, attachments: [], ...(report === undefined ? {} : { report }) };
  }
}

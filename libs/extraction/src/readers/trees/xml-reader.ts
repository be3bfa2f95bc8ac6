import { SaxesParser } from 'saxes';
import { DamagedFile, LimitExceeded, UnsupportedFile } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { charactersOf, decodeAs } from '../text/text-encoding';
import { XmlWriter } from './xml-writer';

const DECLARED = /^<\?xml[^>]{0,100}encoding=["']([A-Za-z0-9._:-]{1,40})["']/;
const PIECE = 65_536;
/** Entities are never expanded, so a file that defines them is refused. */
const DEFINES = /<!ENTITY|%[\w.-]{1,100};|\b(?:SYSTEM|PUBLIC)\b/i;
/** Some programs write control characters into text; the text around them is valid. */
const HARMLESS = ['disallowed character.', 'malformed character entity.'];

/** UTF-16 is evident; other encodings follow from the first line, else from the bytes. */
const decodedXml = (bytes: Buffer): string => {
  const label = DECLARED.exec(bytes.toString('latin1', 0, 200).replace(/^\u00ef\u00bb\u00bf/, ''))?.[1];
  const isUnicode = label === undefined || /^utf/i.test(label);
  return (isUnicode ? undefined : decodeAs(bytes, label)) ?? charactersOf(bytes);
};

/**
 * XML: the text of its elements with their names. A document type that defines entities is refused and none is loaded,
 * so only the entities of XML exist.
 */
export class XmlReader extends WholeReader {
  readonly name = 'xml';

  /** @throws DamagedFile, LimitExceeded, UnsupportedFile, NoTextFound */
  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const builder = new TextBuilder(limits);
    const writer = new XmlWriter(builder);
    const parser = this.parserFor(writer, limits.elementDepth);
    const text = decodedXml(bytes).trimStart();
    for (let at = 0; at < text.length; at += PIECE) parser.write(text.slice(at, at + PIECE));
    if (text !== '') parser.close();
    return { document: { ...builder.build(), title: null }, attachments: [] };
  }

  private parserFor(writer: XmlWriter, mostDepth: number): SaxesParser<{ xmlns: false }> {
    const parser = new SaxesParser({ xmlns: false, position: false });
    parser.on('doctype', (declared) => {
      // The file that a document type names before its own declarations is not loaded.
      if (DEFINES.test(declared.slice(declared.indexOf('[') + 1 || declared.length)))
        throw new UnsupportedFile('The file declares entities; such files are not read.');
    });
    parser.on('error', ({ message }) => {
      if (!HARMLESS.includes(message)) throw new DamagedFile();
    });
    parser.on('opentag', ({ name, attributes }) => {
      if (writer.depth >= mostDepth) throw new LimitExceeded('elements inside elements', mostDepth);
      writer.start(name.slice(name.indexOf(':') + 1), attributes);
    });
    parser.on('text', (piece) => writer.text(piece));
    parser.on('cdata', (piece) => writer.text(piece));
    parser.on('closetag', () => writer.end());
    return parser;
  }
}

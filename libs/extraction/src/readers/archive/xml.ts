import { TextDecoder } from 'node:util';
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { DamagedFile, LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';

/** Prefixes of a reader by their namespaces; a file may use other prefixes. */
export type Namespaces = ReadonlyMap<string, string>;

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const HARMLESS = ['disallowed character.', 'malformed character entity.'];
const ENCODING = /^[^>]{0,100}encoding=["']([A-Za-z0-9._-]{1,40})["']/;

const canonical = (namespaces: Namespaces, { uri, local }: { uri: string; local: string }): string => {
  if (uri === '') return local;
  return `${uri === XML_NAMESPACE ? 'xml' : (namespaces.get(uri) ?? '?')}:${local}`;
};

/** One element as it opens. */
export class XmlElement {
  readonly name: string;

  constructor(
    tag: SaxesTagNS,
    private readonly namespaces: Namespaces,
  ) {
    this.name = canonical(namespaces, tag);
    this.attributes = tag.attributes;
  }

  private readonly attributes: Record<string, SaxesAttributeNS>;

  /** The value of an attribute by its known prefix and name, such as `r:id`. */
  get(name: string): string | undefined {
    // Nearly every file uses the usual prefixes.
    const usual = this.attributes[name];
    if (usual !== undefined && canonical(this.namespaces, usual) === name) return usual.value;
    if (!name.includes(':')) return undefined;
    return Object.values(this.attributes).find((each) => canonical(this.namespaces, each) === name)?.value;
  }

  /** A non-negative integer. */
  count(name: string): number | undefined {
    const value = this.get(name);
    return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
  }
}

/** Callbacks for the elements of a part. Names carry the prefixes of the reader's namespaces. */
export interface XmlHandler {
  readonly namespaces: Namespaces;
  /** A document type that only names its definition is ignored, not refused. */
  readonly allowsNamedType?: boolean;
  /** Elements that are skipped with all their content. */
  readonly skipped?: ReadonlySet<string>;
  readonly opened?: ReadonlyMap<string, (element: XmlElement) => void>;
  readonly closed?: ReadonlyMap<string, () => void>;
  readonly text?: (text: string) => void;
}

/**
 * Decodes the bytes of a part. UTF-16 shows by its byte order mark or its zeros; other encodings by the first line,
 * else UTF-8.
 */
export const decoderFor = (first: Buffer): TextDecoder => {
  if (first[0] === 0xfe || first[0] === 0) return new TextDecoder('utf-16be');
  if (first[0] === 0xff || first[1] === 0) return new TextDecoder('utf-16le');
  const label = ENCODING.exec(first.toString('latin1', 0, 200))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label);
  } catch {
    throw new DamagedFile();
  }
};

const parserFor = (handler: XmlHandler, limits: Pick<ReadLimits, 'elementDepth'>): SaxesParser<{ xmlns: true }> => {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  let skippedFrom = 0;
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > limits.elementDepth) throw new LimitExceeded('elements inside elements', limits.elementDepth);
    if (skippedFrom > 0) return;
    const element = new XmlElement(tag, handler.namespaces);
    if (handler.skipped?.has(element.name) === true) skippedFrom = depth;
    else handler.opened?.get(element.name)?.(element);
  });
  parser.on('closetag', (tag) => {
    if (skippedFrom === 0) handler.closed?.get(canonical(handler.namespaces, tag))?.();
    if (skippedFrom === depth) skippedFrom = 0;
    depth -= 1;
  });
  const onText = (text: string): void => {
    if (skippedFrom === 0) handler.text?.(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  return parser;
};

/**
 * Streams an XML part to a handler. A document type that defines anything is refused, so only the five entities of XML
 * exist.
 * @throws DamagedFile, LimitExceeded
 */
export const walkXml = async (
  chunks: AsyncIterable<Buffer>,
  handler: XmlHandler,
  limits: Pick<ReadLimits, 'elementDepth'>,
): Promise<void> => {
  const parser = parserFor(handler, limits);
  parser.on('doctype', (type) => {
    if (handler.allowsNamedType !== true || type.includes('[')) throw new DamagedFile();
  });
  parser.on('error', ({ message }) => {
    // Some programs write control characters into text; the text around them is valid.
    if (!HARMLESS.includes(message)) throw new DamagedFile();
  });
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    decoder ??= decoderFor(chunk);
    parser.write(decoder.decode(chunk, { stream: true }));
  }
  if (decoder !== undefined) parser.write(decoder.decode());
  parser.close();
};

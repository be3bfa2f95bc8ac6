import { DamagedFile, UnsupportedFile } from '../../errors';
import { unreadKind } from '../../formats';
import { kindOfZip } from '../../formats-containers';
import type { PagedFacts, ReadLimits } from '../../reader';
import { dateOf, factOf } from '../../text-builder';
import { Archive, assertZip, readTexts, resolvePart, walkXml, type XmlElement, type XmlHandler } from '../archive';
import { officeNamespaces } from './namespaces';

const PROPERTIES = [
  'dc:title',
  'dc:creator',
  'cp:lastModifiedBy',
  'dcterms:modified',
  'dcterms:created',
  'dc:language',
];

/** Parts that only Office files have; each has at least one. */
const PACKAGE = ['_rels/.rels', '[Content_Types].xml'];

/** A reference from one part to another. */
export interface Relation {
  readonly id: string;
  /** Last word of its type, such as `slide` or `footnotes`. */
  readonly kind: string;
  /** Name of its entry. */
  readonly part: string;
}

const relationsPart = (part: string): string => {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
};

/** An Office file: parts in a zip archive that refer to each other. */
export class OfficePackage {
  private constructor(
    private readonly archive: Archive,
    readonly limits: ReadLimits,
  ) {}

  /** @throws PasswordProtected, DamagedFile, UnsupportedFile, LimitExceeded */
  static async open(bytes: Buffer, limits: ReadLimits): Promise<OfficePackage> {
    assertZip(bytes);
    const archive = await Archive.open(bytes, limits);
    // An ordinary archive under the name of an Office file.
    if (kindOfZip(bytes) === 'zip' && PACKAGE.every((part) => !archive.has(part)))
      throw new UnsupportedFile(unreadKind('zip'));
    return new OfficePackage(archive, limits);
  }

  has(part: string): boolean {
    return this.archive.has(part);
  }

  /**
   * Walks through a part.
   * @throws DamagedFile if it does not exist
   */
  async walk(part: string, handler: Omit<XmlHandler, 'namespaces'>): Promise<void> {
    await walkXml(this.archive.stream(part), { ...handler, namespaces: officeNamespaces }, this.limits);
  }

  /** @throws DamagedFile if the part does not exist */
  bytes(part: string): Promise<Buffer> {
    return this.archive.bytes(part);
  }

  /** References of a part; '' is the package itself. External links are left out. */
  async relations(part: string): Promise<Relation[]> {
    const source = relationsPart(part);
    const found: Relation[] = [];
    if (!this.has(source)) return found;
    const add = (element: XmlElement): void => {
      const [id, target] = [element.get('Id'), element.get('Target')];
      if (id === undefined || target === undefined || element.get('TargetMode') === 'External') return;
      found.push({ id, kind: element.get('Type')?.split('/').at(-1) ?? '', part: resolvePart(part, target) });
    };
    await this.walk(source, { opened: new Map([['rel:Relationship', add]]) });
    return found;
  }

  /**
   * The main document part.
   * @throws DamagedFile
   */
  async mainPart(): Promise<string> {
    const main = (await this.relations('')).find(({ kind }) => kind === 'officeDocument')?.part;
    if (main === undefined || !this.has(main)) throw new DamagedFile();
    return main;
  }

  async facts(): Promise<PagedFacts> {
    const core = (await this.relations('')).find(({ kind }) => kind === 'core-properties')?.part ?? 'docProps/core.xml';
    const values = this.has(core)
      ? await readTexts(this.archive.stream(core), PROPERTIES, officeNamespaces, this.limits)
      : new Map<string, string>();
    return {
      title: factOf(values.get('dc:title')),
      author: factOf(values.get('dc:creator')) ?? factOf(values.get('cp:lastModifiedBy')),
      date: dateOf(values.get('dcterms:modified')) ?? dateOf(values.get('dcterms:created')),
      language: factOf(values.get('dc:language')),
    };
  }
}

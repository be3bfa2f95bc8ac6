import { Parser } from 'htmlparser2';
import { type Archive, decoderFor } from '../archive';

/** Labels of chapters by their link targets, unresolved. */
type Links = readonly (readonly [target: string, label: string])[];

/**
 * Links of a table of contents: an XHTML page in EPUB 3, an NCX file in EPUB 2. The parser is as lenient as for pages,
 * since the form of EPUB 2 has a document type.
 */
class ContentsReader {
  readonly links: [string, string][] = [];
  private readonly parser: Parser;
  private label: string | null = null;
  private target: string | null = null;

  constructor() {
    this.parser = new Parser(
      {
        onopentag: (name, attributes) => this.open(name, attributes),
        ontext: (text) => {
          if (this.label !== null) this.label += text;
        },
        onclosetag: (name) => this.close(name),
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  write(text: string): void {
    this.parser.write(text);
  }

  private open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'a') this.target = attributes['href'] ?? null;
    if (name === 'a' || name === 'navLabel') this.label = '';
    // In EPUB 2 the link comes after its label.
    if (name === 'content' && this.label !== null) this.add(attributes['src'] ?? '', this.label);
  }

  private close(name: string): void {
    if (name !== 'a' || this.label === null) return;
    if (this.target !== null) this.add(this.target, this.label);
    this.label = null;
  }

  private add(target: string, label: string): void {
    const title = label.replace(/\s+/g, ' ').trim();
    if (title !== '') this.links.push([target, title]);
    this.label = null;
  }
}

export const readContents = async (archive: Archive, part: string): Promise<Links> => {
  const reader = new ContentsReader();
  let decoder: ReturnType<typeof decoderFor> | undefined;
  for await (const chunk of archive.stream(part)) {
    decoder ??= decoderFor(chunk);
    reader.write(decoder.decode(chunk, { stream: true }));
  }
  return reader.links;
};

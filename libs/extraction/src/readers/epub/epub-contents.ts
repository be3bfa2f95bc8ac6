import { Parser } from 'htmlparser2';
import { type Archive, decoderFor } from '../archive';

/** Labels of chapters by what they link to, as it is written. */
type Links = readonly (readonly [target: string, label: string])[];

/**
 * Links of a table of contents: of EPUB 3, which is a page with links, or of EPUB 2, which has a form of its own. It is
 * read as leniently as a page, since those of EPUB 2 have a document type.
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

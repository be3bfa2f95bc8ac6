import { encodingOf, encodingOfCharset } from './rtf-code-pages';

const NAMED_HEADING = /^heading (\d)$/i;

/** The fonts of a document, for the encoding of their text. */
export class RtfFonts {
  private readonly encodings = new Map<number, string | null>();
  private font = 0;

  word(word: string, number: number | null): void {
    if (number === null) return;
    if (word === 'f') this.font = number;
    if (word === 'fcharset') this.encodings.set(this.font, encodingOfCharset(number));
    if (word === 'cpg') this.encodings.set(this.font, encodingOf(number));
  }

  encoding(font: number): string | null {
    return this.encodings.get(font) ?? null;
  }
}

/** The styles of a document, for the headings among them. */
export class RtfStyles {
  private readonly levels = new Map<number, number>();
  private style = 0;
  private name = '';

  word(word: string, number: number | null): void {
    if (word === 's') this.style = number ?? 0;
    if (word === 'outlinelevel' && number !== null && number < 9) this.levels.set(this.style, number + 1);
  }

  /** The name of a style follows its properties and ends with a semicolon. */
  text(text: string): void {
    for (const part of text.split(/(;)/)) {
      if (part !== ';') {
        this.name += part;
        continue;
      }
      const level = NAMED_HEADING.exec(this.name.trim())?.[1];
      if (level !== undefined && !this.levels.has(this.style)) this.levels.set(this.style, Number(level));
      this.name = '';
      this.style = 0;
    }
  }

  /** Heading level of a style; 0 for none. */
  level(style: number): number {
    return this.levels.get(style) ?? 0;
  }
}

/** The metadata of a document. */
export class RtfFacts {
  private readonly texts = new Map<string, string>();
  private readonly times = new Map<string, number[]>();

  text(property: string, text: string): void {
    this.texts.set(property, (this.texts.get(property) ?? '') + text);
  }

  time(property: string, word: string, number: number | null): void {
    const place = ['yr', 'mo', 'dy', 'hr', 'min', 'sec'].indexOf(word);
    const parts = this.times.get(property) ?? [];
    if (place >= 0 && number !== null) parts[place] = number;
    this.times.set(property, parts);
  }

  get(property: string): string | undefined {
    return this.texts.get(property);
  }

  /** Local time without a zone, treated as UTC. */
  date(property: string): Date | null {
    const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = this.times.get(property) ?? [];
    return year === undefined ? null : new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  }
}

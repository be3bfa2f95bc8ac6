import type { Range } from '@acervo/analysis';

/** A tag of HTML in a text. */
export interface Tag extends Range {
  /** In lower case. */
  readonly name: string;
  readonly isClosing: boolean;
  /** A tag such as `<br/>`, which contains nothing. */
  readonly isEmpty: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A comment, a declaration or an instruction. */
export interface Comment extends Range {
  readonly name: null;
}

const NAME = /<(\/?)([A-Za-z][A-Za-z0-9-]*)/y;
const ATTRIBUTE = /[^\s"'<>/=]+/y;
const VALUE = /"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)/y;
const END = /(\/?)>/y;
const BLANK_LINE = /\n[ \t]*\n/;

/** The ends of marks that are no tags, by their beginning; the first match wins. */
const enclosed: readonly (readonly [open: string, close: string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<!', '>'],
];

/** Tags and comments of a text, in its order. Needs linear time, whatever the text. */
export class MarkupScan {
  private at = 0;
  /** Ends that do not occur in the rest of the text. */
  private readonly missing = new Set<string>();

  constructor(private readonly text: string) {}

  *found(): Generator<Tag | Comment> {
    for (;;) {
      const start = this.text.indexOf('<', this.at);
      if (start < 0) return;
      const mark = this.commentAt(start) ?? this.tagAt(start);
      this.at = mark?.end ?? start + 1;
      if (mark !== undefined) yield mark;
    }
  }

  private commentAt(start: number): Comment | undefined {
    const [open, close] = enclosed.find(([mark]) => this.text.startsWith(mark, start)) ?? [];
    if (open === undefined || close === undefined || this.missing.has(close)) return undefined;
    const end = this.text.indexOf(close, start + open.length);
    if (end < 0) this.missing.add(close);
    return end < 0 ? undefined : { name: null, start, end: end + close.length };
  }

  private tagAt(start: number): Tag | undefined {
    this.at = start;
    const [, slash, name] = this.next(NAME) ?? [];
    if (name === undefined) return undefined;
    const attributes = this.attributes();
    const end = this.next(END);
    // A tag that contains a blank line is a lonely `<` and a later `>`.
    if (end === null || BLANK_LINE.test(this.text.slice(start, this.at))) return undefined;
    const isEmpty = end[1] === '/';
    return { name: name.toLowerCase(), isClosing: slash === '/', isEmpty, attributes, start, end: this.at };
  }

  private attributes(): Record<string, string> {
    const attributes: Record<string, string> = {};
    while (this.skipSpace()) {
      const name = this.next(ATTRIBUTE)?.[0].toLowerCase();
      if (name === undefined) break;
      attributes[name] = this.value();
    }
    return attributes;
  }

  /** The value behind the name of an attribute; empty without one. */
  private value(): string {
    const start = this.at;
    this.skipSpace();
    if (this.text[this.at] === '=') {
      this.at += 1;
      this.skipSpace();
      const value = this.next(VALUE);
      if (value !== null) return value[1] ?? value[2] ?? value[3] ?? '';
    }
    this.at = start;
    return '';
  }

  /** Whether there was white space. */
  private skipSpace(): boolean {
    const start = this.at;
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
    return this.at > start;
  }

  private next(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }
}

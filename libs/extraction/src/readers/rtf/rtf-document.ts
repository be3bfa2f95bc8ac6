import { DamagedFile, LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';
import type { RtfBody } from './rtf-body';
import { encodingOf } from './rtf-code-pages';
import { RtfFacts, RtfFonts, RtfStyles } from './rtf-tables';
import { RtfText } from './rtf-text';
import { type RtfToken, RtfTokens } from './rtf-tokens';
import { CHARACTERS, CODE_PAGES, OPTIONAL_TEXT, PASSED_OVER } from './rtf-words';

/** Destinations whose text stands apart from the paragraph in progress. */
type Apart = 'note' | 'header' | 'footer';
/** The destination of the text of a group. */
type Destination = Apart | 'body' | 'nothing' | 'fonts' | 'styles' | 'info' | 'property';

const DESTINATIONS: ReadonlyMap<string, Destination> = new Map([
  ['fonttbl', 'fonts'],
  ['stylesheet', 'styles'],
  ['info', 'info'],
  ['footnote', 'note'],
  ['annotation', 'note'],
  ...['header', 'headerl', 'headerr', 'headerf'].map((word) => [word, 'header'] as const),
  ...['footer', 'footerl', 'footerr', 'footerf'].map((word) => [word, 'footer'] as const),
]);
const APART: readonly Destination[] = ['note', 'header', 'footer'] satisfies Apart[];
const isApart = (destination: Destination): destination is Apart => APART.includes(destination);
/** Control words that end a paragraph of the body, and a line of a note or a header. */
const LINE_ENDS = ['par', 'sect', 'page', '\n', '\r'];
const PROPERTIES = ['title', 'author', 'creatim', 'revtim'];

/** State that a group inherits from its parent and drops at its end. */
interface Group {
  destination: Destination;
  /** What this very group opened and its end closes; an inner group does not inherit it. */
  opened: Apart | null;
  property: string;
  font: number;
  /** Number of fallback characters after a Unicode character, for old readers. */
  replaced: number;
  hidden: boolean;
  inCell: boolean;
  style: number;
  level: number | null;
}

const OUTERMOST: Group = {
  destination: 'body',
  opened: null,
  property: '',
  font: -1,
  replaced: 1,
  hidden: false,
  inCell: false,
  style: -1,
  level: null,
};

/** Reads RTF group by group and sends its text to the body. */
export class RtfDocument {
  readonly facts = new RtfFacts();
  private readonly fonts = new RtfFonts();
  private readonly styles = new RtfStyles();
  private readonly text = new RtfText();
  private readonly groups: Group[] = [];
  private group: Group = { ...OUTERMOST };
  private encoding = 'windows-1252';
  private optional = false;

  constructor(
    private readonly body: RtfBody,
    private readonly limits: Pick<ReadLimits, 'elementDepth'>,
  ) {}

  /** @throws DamagedFile, LimitExceeded */
  read(bytes: Buffer): void {
    const tokens = new RtfTokens(bytes);
    let opened = 0;
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      this.take(token);
      opened = Math.max(opened, this.groups.length);
      if (opened > 0 && this.groups.length === 0) break;
    }
    if (opened === 0 || this.groups.length > 0) throw new DamagedFile();
    this.flush();
    this.body.end();
  }

  private take(token: RtfToken): void {
    if (token.kind === 'text') {
      if (this.group.destination !== 'nothing') this.text.take(token.bytes);
      return;
    }
    this.flush();
    if (token.kind === 'word') return this.takeWord(token.word, token.number);
    this.text.replaceNext(0);
    this.optional = false;
    if (token.kind === 'open') this.open();
    else this.close();
  }

  private open(): void {
    if (this.groups.length >= this.limits.elementDepth)
      throw new LimitExceeded('groups inside groups', this.limits.elementDepth);
    this.groups.push(this.group);
    this.group = { ...this.group, opened: null };
  }

  private close(): void {
    const outer = this.groups.pop();
    if (outer === undefined) return;
    this.closeOpened();
    this.group = outer;
  }

  private closeOpened(): void {
    const { opened } = this.group;
    if (opened === 'note') this.body.closeNote();
    else if (opened !== null) this.body.closeRunning(opened === 'header');
    this.group.opened = null;
  }

  private flush(): void {
    this.write(this.text.flush(this.fonts.encoding(this.group.font) ?? this.encoding));
  }

  private write(text: string): void {
    const { destination, property, hidden } = this.group;
    if (text === '') return;
    if (destination === 'styles') this.styles.text(text);
    else if (destination === 'property') this.facts.text(property, text);
    else if ((destination === 'body' || isApart(destination)) && !hidden) this.body.add(text);
  }

  private takeWord(word: string, number: number | null): void {
    const optional = this.optional;
    this.optional = false;
    if (word === '*') this.optional = true;
    else if (this.changesDestination(word, optional)) return;
    else if (word === 'u' && number !== null) this.unicode(number);
    else if (!this.text.replacesWord()) this.act(word, number);
  }

  private changesDestination(word: string, optional: boolean): boolean {
    const { group } = this;
    const destination = DESTINATIONS.get(word);
    if (word === 'ud') group.destination = 'body';
    else if (group.destination === 'nothing') return true;
    else if (destination !== undefined) this.enter(destination);
    else if (group.destination === 'info' && PROPERTIES.includes(word))
      Object.assign(group, { destination: 'property', property: word });
    else if (PASSED_OVER.has(word) || (optional && !OPTIONAL_TEXT.has(word))) group.destination = 'nothing';
    else return false;
    return true;
  }

  private enter(destination: Destination): void {
    if (isApart(destination)) {
      this.closeOpened();
      this.body.openNote();
      this.group.opened = destination;
    }
    this.group.destination = destination;
  }

  private unicode(number: number): void {
    this.write(String.fromCharCode(number & 0xffff));
    this.text.replaceNext(this.group.replaced);
  }

  private act(word: string, number: number | null): void {
    const { group } = this;
    const codePage = word === 'ansicpg' && number !== null ? number : CODE_PAGES.get(word);
    if (codePage !== undefined) this.encoding = encodingOf(codePage);
    else if (word === 'uc') group.replaced = Math.max(0, Math.min(number ?? 1, 100));
    else if (group.destination === 'fonts') this.fonts.word(word, number);
    else if (group.destination === 'styles') this.styles.word(word, number);
    else if (group.destination === 'property') this.facts.time(group.property, word, number);
    else if (!this.format(word, number)) this.mark(word);
  }

  /** Handles control words that change the format of the following text. */
  private format(word: string, number: number | null): boolean {
    const { group } = this;
    if (word === 'f') group.font = number ?? -1;
    // `htmlrtf` marks content that a mail converted from HTML contains twice.
    else if (['v', 'deleted', 'htmlrtf'].includes(word)) group.hidden = number !== 0;
    else if (word === 'plain') group.hidden = false;
    else if (word === 'pard') Object.assign(group, { inCell: false, style: -1, level: null });
    else if (word === 'intbl') group.inCell = true;
    else if (word === 's') group.style = number ?? -1;
    else if (word === 'outlinelevel') group.level = number !== null && number < 9 ? number + 1 : 0;
    else return false;
    return true;
  }

  /** Handles control words that represent a character or end something. */
  private mark(word: string): void {
    const { body, group } = this;
    const character = CHARACTERS.get(word);
    if (character !== undefined) this.write(character);
    else if (isApart(group.destination)) this.markApart(word);
    else if (group.destination !== 'body') return;
    else if (LINE_ENDS.includes(word)) body.endParagraph(group.inCell, group.level ?? this.styles.level(group.style));
    else if (word === 'cell') body.endCell();
    else if (word === 'nestcell' || word === 'nestrow') body.add(' ');
    else if (word === 'trowd') body.startRow();
    else if (word === 'trhdr') body.markHeader();
    else if (word === 'row') body.endRow();
  }

  /** The rows of a table in a note or a header are lines. */
  private markApart(word: string): void {
    if (word === 'row' || LINE_ENDS.includes(word)) this.body.add('\n');
    else if (['cell', 'nestcell', 'nestrow'].includes(word)) this.body.add(' ');
  }
}

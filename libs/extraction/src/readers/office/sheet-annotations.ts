import type { XmlElement } from '../archive';
import { type Embedded, readEmbedded } from './embedded-files';
import { unescaped } from './escapes';
import type { OfficePackage, Relation } from './office-package';
import { readShownParts, SHOWING } from './shown-parts';

/** What a sheet shows besides its cells. */
export interface SheetAnnotations {
  /** Comments by the reference of their cell. */
  readonly notes: Map<string, string>;
  /** Texts of shapes, charts and diagrams over the sheet. */
  readonly shapes: readonly string[];
  /** Documents inside the sheet. */
  readonly embedded: Embedded;
}

/** Reads comments into `notes`: the replies of a thread follow each other. */
const readComments = async (office: OfficePackage, part: string, notes: Map<string, string>): Promise<void> => {
  let [reference, note, inText] = ['', '', false];
  const open = (element: XmlElement): void => {
    reference = element.get('ref') ?? '';
    note = '';
  };
  const close = (): void => {
    const before = notes.get(reference);
    const text = unescaped(note).trim();
    if (text !== '') notes.set(reference, before === undefined ? text : `${before} / ${text}`);
  };
  const [start, end] = [(): void => void (inText = true), (): void => void (inText = false)];
  const opened = new Map([
    ['s:comment', open],
    ['tc:threadedComment', open],
    ['s:t', start],
    ['tc:text', start],
  ]);
  const closed = new Map([
    ['s:comment', close],
    ['tc:threadedComment', close],
    ['s:t', end],
    ['tc:text', end],
  ]);
  const text = (piece: string): void => {
    if (inText) note += piece;
  };
  await office.walk(part, { opened, closed, text, skipped: new Set(['s:rPh']) });
};

/** The texts of a drawing in its order. */
const readDrawing = async (office: OfficePackage, part: string): Promise<string[]> => {
  const shown = await readShownParts(office, await office.relations(part));
  const texts: string[] = [];
  let [current, inText] = ['', false];
  const show = (attribute: string) => (element: XmlElement) => {
    const text = shown.get(element.get(attribute) ?? '');
    if (text !== undefined) texts.push(text);
  };
  const opened = new Map<string, (element: XmlElement) => void>([
    ['xdr:sp', () => (current = '')],
    ['a:t', () => (inText = true)],
    ['a:br', () => (current += '\n')],
    ...SHOWING.map(([element, attribute]) => [element, show(attribute)] as const),
  ]);
  const closed = new Map<string, () => void>([
    ['xdr:sp', () => texts.push(current)],
    ['a:t', () => (inText = false)],
    ['a:p', () => (current += '\n')],
  ]);
  const text = (piece: string): void => {
    if (inText) current += piece;
  };
  await office.walk(part, { opened, closed, text, skipped: new Set(['mc:Fallback']) });
  return texts;
};

/** Reads the comments and drawings of a sheet. A thread of comments replaces the older comment that stands in for it. */
export const readAnnotations = async (office: OfficePackage, sheet: string): Promise<SheetAnnotations> => {
  const relations = (await office.relations(sheet)).filter(({ part }) => office.has(part));
  const ofKind = (wanted: string): Relation[] => relations.filter(({ kind }) => kind === wanted);
  const notes = new Map<string, string>();
  for (const { part } of ofKind('comments')) await readComments(office, part, notes);
  const threads = new Map<string, string>();
  for (const { part } of ofKind('threadedComment')) await readComments(office, part, threads);
  for (const [reference, note] of threads) notes.set(reference, note);
  const shapes: string[] = [];
  for (const { part } of ofKind('drawing')) shapes.push(...(await readDrawing(office, part)));
  return { notes, shapes, embedded: await readEmbedded(office, relations) };
};

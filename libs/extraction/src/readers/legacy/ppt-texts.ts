import type { PptRecord, PptRecords } from './ppt-records';
import {
  COMMENT,
  HEADERS_FOOTERS,
  PLACEHOLDER,
  SHAPE,
  STRING,
  TEXT_BYTES,
  TEXT_CHARS,
  TEXT_HEADER,
  TEXT_REFERENCE,
} from './ppt-types';

/** Types of texts that are titles. */
const TITLES = [0, 6];
/** Placeholders of dates, numbers, footers and headers, which show marks in place of a text. */
const FURNITURE = [7, 8, 9, 10];
/** Texts of a comment and of running lines, by their instance. */
const COMMENT_TEXT = 1;

/** A text of a slide; its paragraphs end with line feeds. */
export interface SlideText {
  readonly text: string;
  readonly isTitle: boolean;
}

const stringOf = (type: number, body: Buffer): string =>
  (type === TEXT_BYTES ? body.toString('latin1') : body.subarray(0, body.length & ~1).toString('utf16le'))
    .replaceAll('\r', '\n')
    .replaceAll('\v', '\n');

/** The texts among records, each of the type that its header names. */
const textsIn = (records: Iterable<PptRecord>, outline: readonly SlideText[]): SlideText[] => {
  const texts: SlideText[] = [];
  let isTitle = false;
  for (const { type, body } of records) {
    if (type === TEXT_HEADER) isTitle = TITLES.includes(body[0] ?? -1);
    else if (type === TEXT_CHARS || type === TEXT_BYTES) texts.push({ text: stringOf(type, body), isTitle });
    else if (type === TEXT_REFERENCE && body.length >= 4) {
      const text = outline[body.readUInt32LE(0)];
      if (text !== undefined) texts.push(text);
    }
  }
  return texts;
};

const isFurniture = (records: readonly PptRecord[]): boolean =>
  records.some(({ type, body }) => type === PLACEHOLDER && FURNITURE.includes(body[4] ?? 0));

/** The texts of the shapes of a slide in their order; a shape may refer to a text that the document lists for it. */
export const textsOfSlide = (records: PptRecords, slide: PptRecord, listed: readonly PptRecord[]): SlideText[] => {
  // A reference counts text headers, since a listed text may be missing.
  const outline: SlideText[] = [];
  for (const record of listed) {
    const isTitle = record.type === TEXT_HEADER ? TITLES.includes(record.body[0] ?? -1) : false;
    if (record.type === TEXT_HEADER) outline.push({ text: '', isTitle });
    else if (record.type === TEXT_CHARS || record.type === TEXT_BYTES)
      outline.push({ text: stringOf(record.type, record.body), isTitle: outline.pop()?.isTitle ?? false });
  }
  const texts: SlideText[] = [];
  for (const shape of records.below(slide, [SHAPE, COMMENT])) {
    if (shape.type !== SHAPE) continue;
    const inner = [...records.below(shape)];
    if (!isFurniture(inner)) texts.push(...textsIn(inner, outline));
  }
  // A slide of an early version has no shapes with text: the document lists it.
  return texts.length > 0 ? texts : outline.filter(({ text }) => text !== '');
};

/** The comments of a slide. */
export const commentsOf = (records: PptRecords, slide: PptRecord): string[] =>
  [...records.below(slide)]
    .filter(({ type }) => type === COMMENT)
    .flatMap((comment) =>
      [...records.inside(comment)]
        .filter(({ type, instance }) => type === STRING && instance === COMMENT_TEXT)
        .map(({ body }) => stringOf(STRING, body)),
    );

/** Headers and footers that a slide or the document sets. */
export const runningTextsOf = (records: PptRecords, container: PptRecord): string[] =>
  [...records.inside(container)]
    .filter(({ type }) => type === HEADERS_FOOTERS)
    .flatMap((running) =>
      [...records.inside(running)]
        .filter(({ type, instance }) => type === STRING && instance > 0)
        .map(({ body }) => stringOf(STRING, body).trim()),
    );

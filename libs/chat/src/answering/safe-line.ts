/** Characters that change how a text is shown and are not seen: controls, marks of direction, and unassigned ones. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;
const GAPS = /\s+/gu;
/** `[text](address)`; an address has no white space and no bracket. */
const LINK = /\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}(?:\s"[^"\n]{0,200}")?\)/gu;
/** An image, with its address or the name of one. */
const IMAGE = /!\[[^[\]\n]{0,500}\](?:\[[^[\]\n]{0,100}\]|\([^()\n]{0,2000}\))?/gu;
const ADDRESS =
  /(?:\b[a-z][a-z0-9+.-]{1,15}:\/\/|\bwww\.|\b(?:mailto|javascript|data|vbscript):)[^\s<>"'\])]{0,2000}/giu;
const TAG = /<[a-z/!?][^<>]{0,2000}>/giu;
/** What may begin a tag: all but a comparison. */
const OPEN_TAG = /<(?![\s\d=]|$)/gu;
const ENTITY = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,31});/giu;
const BEFORE_STOP = / (?=[.,](?:\s|$))/gu;
const EMPHASIS = /\*\*|__|`{1,3}|~~/gu;

/**
 * A text as one line without what a reader's screen would execute or load: no addresses, links, images, HTML, unseen
 * characters. The text of a link stays. Linear in its length.
 */
export const safeLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNSEEN, (character) => (/\s/.test(character) ? ' ' : ''))
    .replace(IMAGE, '')
    .replace(LINK, '$1')
    .replace(TAG, '')
    .replace(ENTITY, ' ')
    .replace(OPEN_TAG, '')
    .replace(EMPHASIS, '')
    .replace(ADDRESS, '')
    .replaceAll('()', '')
    .replaceAll('](', '] (')
    .replace(GAPS, ' ')
    .replace(BEFORE_STOP, '')
    .trim();

/** A citation of passages by number, as models write them: `[1]`, `[1, 2]`, `【1】`, `[passage 1]`. */
export const MARK =
  /[[【]\s{0,3}(?:passages?|pasajes?|sources?|fuentes?|docs?|documents?|documentos?)?\s{0,3}\^?(\d{1,4}(?:\s{0,3}[,;–-]\s{0,3}\d{1,4}){0,20})\s{0,3}[\]】]/giu;
const BEFORE_END = / (?=[.,;:!?])/gu;

/** A line without anything that reads as a citation. */
export const withoutMarks = (line: string): string =>
  line.replace(MARK, '').replace(GAPS, ' ').replace(BEFORE_END, '').trim();

/** The name of a document as a part of an answer: one line without brackets. */
export const safeName = (name: string, code: string): string => {
  const line = safeLine(name)
    .replace(/[[\]<>]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return line === '' ? code : line;
};

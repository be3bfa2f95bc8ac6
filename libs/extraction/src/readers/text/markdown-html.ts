import type { Range } from '@acervo/analysis';
import { hidesContent } from '../epub/hidden-elements';
import { withoutCode } from './markdown-code';
import { MarkupScan, type Tag } from './markup-scan';

/** Elements whose tags stand inside a line of text, without a space around them. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
/** All other elements of HTML. Any other name in angle brackets is text, such as `<nombre>`. */
const OTHERS = new Set(
  `address area article aside audio base big blockquote body br button canvas caption center col colgroup dd details dialog
   dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html
   iframe img input label legend li link main map math menu meta meter nav noscript object ol optgroup option output p
   param picture pre progress script section select slot source style summary svg table tbody td template textarea tfoot
   th thead title tr track ul video`.split(/\s+/),
);

/** Placeholders and statements of template languages, and lists of attributes behind a block. */
const TEMPLATES: readonly RegExp[] = [
  /(?<![\\^_}])\{\{[^{}]{0,1000}\}\}/g,
  /\{%[^\n{}]{0,1000}%\}/g,
  /(?<=\S)[ \t]*\{[:#.][^{}\n]{0,300}\}[ \t]*$/gm,
  /^[ \t]*\{:[^{}\n]{0,300}\}[ \t]*$/gm,
];

interface Cut extends Range {
  /** What stands there instead. */
  readonly by: '' | ' ';
}

/** A custom element has a hyphen; other unknown elements are evident by their attributes. */
const isElement = ({ name, attributes }: Tag): boolean =>
  INLINE.has(name) || OTHERS.has(name) || name.includes('-') || Object.values(attributes).some((value) => value !== '');

/** An element without visible text that is open. */
interface Hidden {
  readonly name: string;
  readonly start: number;
  depth: number;
}

/** The cuts for all tags and comments, and for the whole of elements without visible text that are closed. */
const markupIn = (text: string): Cut[] => {
  const cuts: Cut[] = [];
  let hidden: Hidden | undefined;
  for (const mark of new MarkupScan(text).found()) {
    const { start, end } = mark;
    if (mark.name !== null && !isElement(mark)) continue;
    cuts.push({ start, end, by: mark.name === null || INLINE.has(mark.name) ? '' : ' ' });
    if (mark.name === null || mark.isEmpty) continue;
    if (hidden === undefined && !mark.isClosing && hidesContent(mark.name, mark.attributes))
      hidden = { name: mark.name, start, depth: 0 };
    if (hidden?.name !== mark.name) continue;
    hidden.depth += mark.isClosing ? -1 : 1;
    if (hidden.depth > 0) continue;
    cuts.push({ start: hidden.start, end, by: ' ' });
    hidden = undefined;
  }
  return cuts;
};

const templatesIn = (text: string): Cut[] =>
  TEMPLATES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }): Cut => ({
      start: index,
      end: index + found.length,
      by: '',
    })),
  );

/** Overlapping cuts as one, in order. */
const united = (cuts: readonly Cut[]): Cut[] => {
  const whole: Cut[] = [];
  for (const cut of cuts.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = whole.at(-1);
    if (last === undefined || cut.start >= last.end) whole.push(cut);
    else if (cut.end > last.end) whole[whole.length - 1] = { ...last, end: cut.end, by: ' ' };
  }
  return whole;
};

/** Lines that changed lose the spaces around them; lines that became blank join the blank lines around them. */
const tidy = (text: string, marks: string): string =>
  text
    .split('\n')
    .map((line) => (line.includes(marks) ? line.replaceAll(marks, '').replace(/ {2,}/g, ' ').trim() : line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');

/** No text contains it after cleaning: it marks the lines that a cut changed. */
const CHANGED = '\u0000';

/**
 * Markdown without HTML and without templates: no tag, no attribute, no comment, and nothing that a browser would not
 * show. Code stays as written; a text without HTML stays unchanged.
 */
export const withoutMarkup = (text: string): string => {
  const prose = withoutCode(text);
  const cuts = united([...markupIn(prose), ...templatesIn(prose)]);
  if (cuts.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, by } of cuts) {
    pieces.push(text.slice(at, start), by, CHANGED);
    at = end;
  }
  pieces.push(text.slice(at));
  return tidy(pieces.join(''), CHANGED);
};

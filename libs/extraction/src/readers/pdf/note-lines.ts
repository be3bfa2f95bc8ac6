import type { RawLine } from '../../reader';
import { cleanText } from '../../clean-text';

const squashed = (text: string): string => text.replace(/\s+/g, '').toLowerCase();

const lineOf = (text: string, startsParagraph: boolean): RawLine => ({
  ...{ text, size: 0, bold: false, startsParagraph },
  ...{ top: 0.5, bottom: 0.5, left: 0, right: 1 },
});

/** Lines without a place on their page, each a paragraph. */
export const unplacedLines = (texts: readonly string[]): RawLine[] =>
  texts.flatMap((text) => cleanText(text).split('\n')).map((line) => lineOf(line, true));

/** The lines of annotations and fields behind those of their page, except texts that the page shows itself. */
export const withNotes = (lines: RawLine[], notes: readonly string[]): RawLine[] => {
  if (notes.length === 0) return lines;
  const shown = squashed(lines.map(({ text }) => text).join(''));
  const added = new Set(notes.map(cleanText).filter((note) => !shown.includes(squashed(note))));
  return [...lines, ...[...added].flatMap((note) => note.split('\n').map((line, index) => lineOf(line, index === 0)))];
};

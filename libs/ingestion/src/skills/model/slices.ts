/** A part of a text, with its place in it. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** Where a slice should end, the best first. */
const BREAKS = ['\n\n', '\n', '. ', ' '];

/** The end of a slice that begins at `start`: behind the last break of its second half, else at its limit. */
const endOf = (text: string, start: number, limit: number): number => {
  if (limit >= text.length) return text.length;
  const half = start + Math.floor((limit - start) / 2);
  for (const mark of BREAKS) {
    const at = text.lastIndexOf(mark, limit - mark.length);
    if (at >= half) return at + mark.length;
  }
  const isHighSurrogate = /[\ud800-\udbff]/.test(text[limit - 1] ?? '');
  return isHighSurrogate ? limit - 1 : limit;
};

/** Cuts a text into slices of at most `most` characters, between paragraphs, lines or sentences where it can. */
export const slicesOf = (text: string, most: number): Slice[] => {
  const slices: Slice[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOf(text, start, start + most);
    if (text.slice(start, end).trim() !== '') slices.push({ start, end });
    start = end;
  }
  return slices;
};

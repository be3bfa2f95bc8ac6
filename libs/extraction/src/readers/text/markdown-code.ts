import type { Range } from '@acervo/analysis';

const FENCE = /^ {0,3}(```|~~~)/;

export interface Line extends Range {
  readonly text: string;
}

/** Lines of a text, with their ranges. */
export const linesOf = (text: string): Line[] => {
  let start = 0;
  return text.split('\n').map((line) => {
    const end = start + line.length;
    const range = { text: line, start, end };
    start = end + 1;
    return range;
  });
};

/** Lines outside of fenced code, by their number; lines of code are missing. */
export const proseOf = (lines: readonly Line[]): Map<number, Line> => {
  let fence: string | undefined;
  return new Map(
    lines.flatMap((line, index): [number, Line][] => {
      const mark = FENCE.exec(line.text)?.[1];
      const isCode = fence !== undefined || mark !== undefined;
      if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
      return isCode ? [] : [[index, line]];
    }),
  );
};

/** Passages between blank lines and fenced code: no span of code crosses their ends. */
const passagesOf = (text: string): Range[] => {
  const passages: Range[] = [];
  let before = -2;
  for (const [index, { start, end, text: line }] of proseOf(linesOf(text))) {
    const open = passages.at(-1);
    if (line.trim() === '') continue;
    if (open !== undefined && before === index - 1) passages[passages.length - 1] = { start: open.start, end };
    else passages.push({ start, end });
    before = index;
  }
  return passages;
};

/** The spans of code in a passage, with their backticks: a run of backticks up to the next run of the same length. */
const spansIn = (text: string, { start, end }: Range): Range[] => {
  const runs = [...text.slice(start, end).matchAll(/`+/g)].map(({ index, 0: run }) => ({
    start: start + index,
    length: run.length,
  }));
  const places = new Map<number, number[]>();
  runs.forEach(({ length }, index) => {
    const same = places.get(length);
    if (same === undefined) places.set(length, [index]);
    else same.push(index);
  });
  // Backwards, so that the next run of a length is the last of its list.
  for (const same of places.values()) same.reverse();
  const spans: Range[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const open = runs[index];
    const same = places.get(open?.length ?? 0) ?? [];
    while ((same.at(-1) ?? Infinity) <= index) same.pop();
    const next = same.at(-1);
    const close = next === undefined ? undefined : runs[next];
    if (open === undefined || next === undefined || close === undefined) continue;
    spans.push({ start: open.start, end: close.start + close.length });
    index = next;
  }
  return spans;
};

/** The text with all its code blanked out: as long as the text, with its line ends. */
export const withoutCode = (text: string): string => {
  const masked: string[] = [];
  let at = 0;
  const blank = (until: number): void => {
    masked.push(text.slice(at, until).replace(/\S/g, '\ufffc'));
    at = until;
  };
  const passages = passagesOf(text);
  for (const passage of passages) {
    blank(passage.start);
    for (const span of spansIn(text, passage)) {
      masked.push(text.slice(at, span.start));
      at = span.start;
      blank(span.end);
    }
    masked.push(text.slice(at, passage.end));
    at = passage.end;
  }
  blank(text.length);
  return masked.join('');
};

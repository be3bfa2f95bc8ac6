import { isPageNumber } from '../../page-number';
import type { RawLine, RawPage } from '../../reader';

type Edge = 'head' | 'foot';

/** Share of the page for headers and footers, and their maximum number of lines. */
const MARGIN = 0.15;
const MOST_LINES = 3;
/** A running line recurs at its position on this many of the surrounding pages, and on this share of them. */
const AROUND = 4;
const LEAST_PAGES = 3;
const LEAST_SHARE = 0.4;
/** Positions on a page that count as equal: a two-hundredth of its height. */
const PLACES = 200;
const LARGE = 1.2;

/** The text of a line that is equal on other pages, without its page number. */
const masked = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/(^|\s)[ivxlcdm]{1,8}(?=\s|$)/g, '$1#')
    .replace(/\s+/g, ' ')
    .trim();

/** The outermost lines of a page, from the edge inwards, none of them as large as a heading. */
const edgeLines = ({ lines }: RawPage, edge: Edge, bodySize: number): RawLine[] => {
  const isNear = ({ top, bottom }: RawLine): boolean => (edge === 'head' ? top < MARGIN : bottom > 1 - MARGIN);
  const inwards = (one: RawLine, other: RawLine): number =>
    edge === 'head' ? one.top - other.top : other.bottom - one.bottom;
  return lines
    .filter((line) => isNear(line) && line.size <= LARGE * bodySize)
    .sort(inwards)
    .slice(0, MOST_LINES);
};

const keyOf = (edge: Edge, { text, top }: RawLine): string => `${edge} ${Math.round(top * PLACES)} ${masked(text)}`;

interface EdgeLine {
  readonly line: RawLine;
  readonly key: string;
}

const linesAtEdges = (page: RawPage, bodySize: number): EdgeLine[] =>
  (['head', 'foot'] as const).flatMap((edge) =>
    edgeLines(page, edge, bodySize).map((line) => ({ line, key: keyOf(edge, line) })),
  );

/** Positions of each key, as indices into the list of pages. */
const placesOf = (pages: readonly EdgeLine[][]): Map<string, number[]> => {
  const places = new Map<string, number[]>();
  pages.forEach((lines, place) => {
    for (const key of new Set(lines.map((line) => line.key))) {
      const seen = places.get(key);
      if (seen === undefined) places.set(key, [place]);
      else seen.push(place);
    }
  });
  return places;
};

const isRunning = (places: readonly number[], place: number, pages: number): boolean => {
  const [first, last] = [Math.max(0, place - AROUND), Math.min(pages - 1, place + AROUND)];
  const near = places.filter((other) => other >= first && other <= last).length;
  return near >= LEAST_PAGES && near >= LEAST_SHARE * (last - first + 1);
};

/** A line of the body of a text, or the one place where a line that runs through the pages stays. */
export interface BodyLine extends RawLine {
  readonly isRunning: boolean;
}

export interface BodyPage extends Omit<RawPage, 'lines'> {
  readonly lines: readonly BodyLine[];
}

/** Lines that differ in their figures alone: so many are different texts, more are numbers of pages. */
const MOST_VARIANTS = 3;

interface Variant {
  readonly page: number;
  readonly figures: readonly number[];
}

/** Figures that are the number of their page make no difference, others do. */
const areEqual = (one: Variant, other: Variant): boolean =>
  one.figures.every((figure, index) => {
    const beside = other.figures[index];
    return figure === beside || (figure === one.page && beside === other.page);
  });

/** Keeps the first of equal running lines. */
class RunningTexts {
  private readonly variants = new Map<string, Variant[]>();

  isFirst(text: string, page: number): boolean {
    if (isPageNumber(text)) return false;
    const variant = { page, figures: (text.match(/\d+/g) ?? []).map(Number) };
    const seen = this.variants.get(masked(text)) ?? [];
    this.variants.set(masked(text), seen);
    if (seen.length >= MOST_VARIANTS || seen.some((earlier) => areEqual(earlier, variant))) return false;
    seen.push(variant);
    return true;
  }
}

const bodyLines = (page: RawPage, running: ReadonlySet<RawLine>, texts: RunningTexts): BodyLine[] => {
  const lines = page.lines.flatMap((line): BodyLine[] => {
    const isRunning = running.has(line);
    return isRunning && !texts.isFirst(line.text, page.number) ? [] : [{ ...line, isRunning }];
  });
  // A page with nothing but running lines keeps them as its text.
  const isBare = page.lines.every((line) => running.has(line));
  return isBare ? page.lines.map((line) => ({ ...line, isRunning: false })) : lines;
};

/**
 * Pages whose running headers and footers stand once, on the first page that has them, and whose page numbers are left
 * out. A page with nothing else stays unchanged.
 */
export const withRunningLinesOnce = (pages: readonly RawPage[], bodySize: number): BodyPage[] => {
  const edges = pages.map((page) => linesAtEdges(page, bodySize));
  const places = placesOf(edges);
  const texts = new RunningTexts();
  return pages.map((page, place) => {
    const running = new Set(
      edges[place]?.filter(({ key }) => isRunning(places.get(key) ?? [], place, pages.length)).map(({ line }) => line),
    );
    return { ...page, lines: bodyLines(page, running, texts) };
  });
};

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
/** Space between a running line and the body, in multiples of its height. */
const LEAST_GAP = 0.8;

/** The text of a line that is equal on other pages, without its page number. */
const masked = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/(^|\s)[ivxlcdm]{1,8}(?=\s|$)/g, '$1#')
    .replace(/\s+/g, ' ')
    .trim();

interface EdgeLine {
  readonly line: RawLine;
  readonly key: string;
  /** Whether it stands apart from the body of its page. */
  readonly isApart: boolean;
}

/** The lines of a page from an edge inwards. */
const inwards = ({ lines }: RawPage, edge: Edge): RawLine[] =>
  lines.toSorted((one, other) => (edge === 'head' ? one.top - other.top : other.bottom - one.bottom));

/** Whether space divides a line, and those between it and the edge, from the next one inwards. */
const isDivided = (line: RawLine, next: RawLine | undefined, edge: Edge): boolean => {
  if (next === undefined) return true;
  const gap = edge === 'head' ? next.top - line.bottom : line.top - next.bottom;
  return gap > LEAST_GAP * (line.bottom - line.top);
};

/** The outermost lines of a page, none of them as large as a heading. */
const edgeLines = (page: RawPage, edge: Edge, bodySize: number): EdgeLine[] => {
  const isNear = ({ top, bottom }: RawLine): boolean => (edge === 'head' ? top < MARGIN : bottom > 1 - MARGIN);
  const lines = inwards(page, edge);
  const divided = lines.slice(0, MOST_LINES).map((line, index) => isDivided(line, lines[index + 1], edge));
  return lines
    .map((line, index) => ({ line, key: keyOf(edge, line), isApart: divided.includes(true, index) }))
    .filter(({ line }) => isNear(line) && line.size <= LARGE * bodySize)
    .slice(0, MOST_LINES);
};

const keyOf = (edge: Edge, { text, top }: RawLine): string => `${edge} ${Math.round(top * PLACES)} ${masked(text)}`;

const linesAtEdges = (page: RawPage, bodySize: number): EdgeLine[] =>
  (['head', 'foot'] as const).flatMap((edge) => edgeLines(page, edge, bodySize));

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

/** Earlier lines, equal but for their figures, that a line is compared with. */
const MOST_VARIANTS = 50;

interface Variant {
  readonly page: number;
  readonly figures: readonly number[];
}

/** Figures that count as the pages do make no difference, others do. */
const areEqual = (one: Variant, other: Variant, mayCount: boolean): boolean =>
  one.figures.every((figure, index) => {
    const beside = other.figures[index] ?? NaN;
    return figure === beside || (mayCount && figure - one.page === beside - other.page);
  });

/** Keeps the first of equal running lines. */
class RunningTexts {
  private readonly variants = new Map<string, Variant[]>();

  /** Beside the body only a repetition to the letter is no text of its own: a list may begin at the edge of a page. */
  isFirst({ line: { text }, isApart }: EdgeLine, page: number): boolean {
    if (isApart && isPageNumber(text)) return false;
    const variant = { page, figures: (text.match(/\d+/g) ?? []).map(Number) };
    const seen = this.variants.get(masked(text)) ?? [];
    if (seen.some((earlier) => areEqual(earlier, variant, isApart))) return false;
    this.variants.set(masked(text), [...seen.slice(1 - MOST_VARIANTS), variant]);
    return true;
  }
}

const bodyLines = (page: RawPage, running: ReadonlyMap<RawLine, EdgeLine>, texts: RunningTexts): BodyLine[] => {
  // A page with nothing but running lines keeps them as its text.
  const isBare = page.lines.every((line) => running.has(line));
  const lines = page.lines.flatMap((line): BodyLine[] => {
    const edge = running.get(line);
    if (edge === undefined) return [{ ...line, isRunning: false }];
    const isRunning = edge.isApart || !/\d/.test(line.text);
    return texts.isFirst(edge, page.number) ? [{ ...line, isRunning }] : [];
  });
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
    const running = new Map(
      edges[place]
        ?.filter(({ key }) => isRunning(places.get(key) ?? [], place, pages.length))
        .map((edge) => [edge.line, edge] as const),
    );
    return { ...page, lines: bodyLines(page, running, texts) };
  });
};

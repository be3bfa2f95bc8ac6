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

/** Pages without their running headers, footers and page numbers. A page with nothing else stays unchanged. */
export const withoutRunningLines = (pages: readonly RawPage[], bodySize: number): RawPage[] => {
  const edges = pages.map((page) => linesAtEdges(page, bodySize));
  const places = placesOf(edges);
  return pages.map((page, place) => {
    const running = new Set(
      edges[place]?.filter(({ key }) => isRunning(places.get(key) ?? [], place, pages.length)).map(({ line }) => line),
    );
    const lines = page.lines.filter((line) => !running.has(line));
    return lines.length === 0 ? page : { ...page, lines };
  });
};

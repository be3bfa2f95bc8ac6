import type { OfficePackage, Relation } from './office-package';
import { readChart } from './chart-text';

/** The paragraphs of a diagram (SmartArt), one a line. */
const readDiagram = async (office: OfficePackage, part: string): Promise<string> => {
  const paragraphs: string[] = [];
  let [current, inText] = ['', false];
  const opened = new Map<string, () => void>([
    ['a:p', () => (current = '')],
    ['a:t', () => (inText = true)],
    ['a:br', () => (current += ' ')],
  ]);
  const closed = new Map<string, () => void>([
    ['a:p', () => paragraphs.push(current.trim())],
    ['a:t', () => (inText = false)],
  ]);
  const text = (piece: string): void => {
    if (inText) current += piece;
  };
  await office.walk(part, { opened, closed, text });
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n');
};

const readers: Readonly<Record<string, (office: OfficePackage, part: string) => Promise<string>>> = {
  chart: readChart,
  chartEx: readChart,
  diagramData: readDiagram,
};

/** The texts of charts and diagrams that a part shows, by the ID of their relation. */
export const readShownParts = async (
  office: OfficePackage,
  relations: readonly Relation[],
): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  for (const { id, kind, part } of relations) {
    const reader = readers[kind];
    if (reader === undefined || !office.has(part)) continue;
    const text = await reader(office, part);
    if (text !== '') texts.set(id, text);
  }
  return texts;
};

/** Elements that show a part, and their attribute with the ID of its relation. */
export const SHOWING: readonly (readonly [element: string, attribute: string])[] = [
  ['c:chart', 'r:id'],
  ['cx:chart', 'r:id'],
  ['dgm:relIds', 'r:dm'],
];

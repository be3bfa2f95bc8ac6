import type { OfficePackage, Relation } from './office-package';
import { readChart } from './chart-text';
import { readDiagram } from './diagram-text';

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

import { FlowWriter } from '../../flow-writer';
import { isPageNumber } from '../../page-number';
import { TextBuilder } from '../../text-builder';
import { DocxBody, type DocxParts } from './docx-body';
import type { OfficePackage, Relation } from './office-package';
import { readShownParts } from './shown-parts';

/** The lines of page headers or footers, each once, whatever number of sections repeats them. */
export const readRunning = async (
  office: OfficePackage,
  relations: readonly Relation[],
  wanted: 'header' | 'footer',
  parts: DocxParts,
): Promise<string[]> => {
  const lines = new Set<string>();
  for (const { kind, part } of relations) {
    if (kind !== wanted || !office.has(part)) continue;
    const builder = new TextBuilder(office.limits);
    const flow = new FlowWriter(builder);
    const shown = await readShownParts(office, await office.relations(part));
    await office.walk(part, new DocxBody(flow, { ...parts, shown }));
    flow.end();
    if (builder.isEmpty) continue;
    for (const line of builder.build().text.split('\n')) if (!isPageNumber(line)) lines.add(line.trim());
  }
  return [...lines];
};

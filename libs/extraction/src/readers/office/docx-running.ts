import { FlowWriter } from '../../flow-writer';
import { NoTextFound } from '../../errors';
import { isPageNumber } from '../../page-number';
import { TextBuilder } from '../../text-builder';
import { DocxBody, type DocxParts } from './docx-body';
import type { OfficePackage, Relation } from './office-package';

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
    await office.walk(part, new DocxBody(flow, parts));
    flow.end();
    for (const line of textOf(builder).split('\n')) if (!isPageNumber(line)) lines.add(line.trim());
  }
  return [...lines];
};

const textOf = (builder: TextBuilder): string => {
  try {
    return builder.build().text;
  } catch (error) {
    if (error instanceof NoTextFound) return '';
    throw error;
  }
};

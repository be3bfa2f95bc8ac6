import { ExtractionRefusal, LimitExceeded } from '../../errors';
import type { AcquiredFile, ReadContext } from '../../reader';
import type { OfficePackage, Relation } from './office-package';

/** The text of a file; null if it has none that is read. A limit holds for the document around it as well. */
const textOf = async (file: AcquiredFile, context: ReadContext): Promise<string | null> => {
  try {
    return (await context.readInner?.(file, context))?.document.text ?? null;
  } catch (error) {
    if (error instanceof ExtractionRefusal && !(error instanceof LimitExceeded)) return null;
    throw error;
  }
};

/** The texts of files that a document shows as a part of itself, such as HTML that a program put in, by relation ID. */
export const readChunks = async (
  office: OfficePackage,
  relations: readonly Relation[],
  context: ReadContext,
): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  for (const { id, kind, part } of relations) {
    if (kind !== 'aFChunk' || !office.has(part)) continue;
    const text = await textOf({ name: part, bytes: await office.bytes(part) }, context);
    if (text !== null) texts.set(id, text);
  }
  return texts;
};

import { LimitExceeded } from './errors';
import { detectFormat } from './formats-detection';
import { type InnerReader, WholeReader } from './reader';
import { readerNamed } from './readers';

/**
 * Reads a file whose text is a part of the file around it, by its content, one level deeper. Null for a format that is
 * read by pages.
 * @throws ExtractionRefusal
 */
export const readInnerFile: InnerReader = async (file, context) => {
  const depth = context.limits.depth - 1;
  if (depth < 0) throw new LimitExceeded('documents inside each other', context.limits.depth);
  const reader = await readerNamed((await detectFormat(file)).reader);
  if (!(reader instanceof WholeReader)) return null;
  return reader.read(file, { ...context, limits: { ...context.limits, depth } });
};

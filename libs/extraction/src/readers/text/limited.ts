import { LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';

/** A text that is not longer than is read. @throws LimitExceeded */
export const limited = (text: string, { characters }: Pick<ReadLimits, 'characters'>): string => {
  if (text.length > characters) throw new LimitExceeded('characters of text', characters);
  return text;
};

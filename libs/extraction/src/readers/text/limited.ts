import { LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';

/** Returns a text within the limit. @throws LimitExceeded */
export const limited = (text: string, { characters }: Pick<ReadLimits, 'characters'>): string => {
  if (text.length > characters) throw new LimitExceeded('characters of text', characters);
  return text;
};

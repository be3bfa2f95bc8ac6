import { LimitExceeded } from '../../errors';

const OPEN = new Set(['{', '[']);
const CLOSE = new Set(['}', ']']);

/** @throws LimitExceeded for values nested beyond the limit; only brackets are counted */
export const assertShallow = (text: string, most: number): void => {
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (isQuoted && character === '\\') index += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && OPEN.has(character)) depth += 1;
    else if (!isQuoted && CLOSE.has(character)) depth -= 1;
    if (depth > most) throw new LimitExceeded('values inside values', most);
  }
};

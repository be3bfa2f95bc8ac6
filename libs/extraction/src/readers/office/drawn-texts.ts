import type { OfficePackage } from './office-package';

/** The paragraphs of a drawing in the order of the file. */
export const drawnTexts = async (office: OfficePackage, part: string): Promise<string[]> => {
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
  await office.walk(part, { opened, closed, text, skipped: new Set(['mc:Fallback']) });
  return paragraphs.filter((paragraph) => paragraph !== '');
};

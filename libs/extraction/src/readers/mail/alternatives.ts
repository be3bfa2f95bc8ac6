/** A text of so many letters may be a whole message; a shorter one beside a page may only refer to it. */
const SHORT = 200;
/** Share of the words of one part that the other has, from which it says the same. */
const SAME = 0.6;
const SAMPLE = 200_000;
const WORD = /[\p{L}\p{N}]{3,}/gu;
const SILENT = ['style', 'script', 'head', 'title'];

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.slice(0, SAMPLE).toLowerCase().match(WORD) ?? []);

const ENTITY = /&#?[\w]{1,30};/g;

/** The letters of a page, roughly and in linear time: what stands between its tags. */
const textOfPage = (page: string): string => {
  const html = page.slice(0, SAMPLE);
  const lower = html.toLowerCase();
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const end = open < 0 ? html.length : open;
    pieces.push(html.slice(at, end));
    const silent = SILENT.find((name) => lower.startsWith(name, end + 1));
    const close = silent === undefined ? -1 : lower.indexOf(`</${silent}`, end);
    const tagEnd = html.indexOf('>', Math.max(close, end));
    at = tagEnd < 0 ? html.length : tagEnd + 1;
  }
  return pieces.join(' ').replace(ENTITY, ' ');
};

const shareIn = (words: ReadonlySet<string>, others: ReadonlySet<string>): number => {
  if (words.size === 0) return 1;
  let found = 0;
  for (const word of words) if (others.has(word)) found += 1;
  return found / words.size;
};

export type BodyPart = 'plain' | 'html';

/**
 * The parts of a mail that its text consists of: the plain one where it says what the page says, else the page. A long
 * plain part that says something else stays too.
 */
export const bodyParts = (text: string, html: string): readonly BodyPart[] => {
  if (html.trim() === '') return ['plain'];
  if (text.trim() === '') return ['html'];
  const [inPlain, inPage] = [wordsOf(text), wordsOf(textOfPage(html))];
  if (shareIn(inPage, inPlain) >= SAME) return ['plain'];
  const isStub = text.replace(/\s/g, '').length < SHORT || shareIn(inPlain, inPage) >= SAME;
  return isStub ? ['html'] : ['html', 'plain'];
};

/** Words that occur only in the other group's names, contents, prompts and addresses. */
const CANARY = /zqb[a-z0-9]*/g;

/** Runs of letters and digits as long as random bytes in base64: three letters of them may happen to begin a canary. */
const RUN = /[\w-]{40,}/g;
const isRandom = (run: string): boolean => /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run);

/** Words of the other group in a text. */
export const wordsIn = (text: string): ReadonlySet<string> =>
  new Set(text.replace(RUN, (run) => (isRandom(run) ? '' : run)).match(CANARY));

/** Letters that tell a word, of which an index may have its beginning alone. */
const [STEM, WHOLE] = [7, 9];

/** Words of the other group in a response, except those that the caller has sent, now or before, and their beginnings. */
export const canariesIn = (received: string, sent: string, written: Iterable<string> = []): string[] => {
  const expected = [...wordsIn(sent), ...written].map((word) => word.slice(0, WHOLE));
  const isExpected = (word: string): boolean =>
    expected.includes(word.slice(0, WHOLE)) || (word.length >= STEM && expected.some((each) => each.startsWith(word)));
  return [...wordsIn(received)].filter((word) => !isExpected(word));
};

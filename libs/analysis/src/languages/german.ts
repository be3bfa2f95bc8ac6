/** Endings of abstract nouns. Inside a compound an `s` joins them to the next word, and to nothing else. */
const JOINT =
  /(ung|heit|keit|schaft|ion|tat|ling|tum)s(?=[a-z]{4,40}$|[a-z]{4,40}(?:ung|heit|keit|schaft|ion|tat|ling|tum)s[a-z]{4})/g;
const SHORTEST = 12;

/** An umlaut in two letters, as on keyboards without it; folding leaves one letter of the other spelling. */
const IN_TWO_LETTERS = /(?<![aeqou])([aou])e/g;

/**
 * The words of a German compound that is joined behind an abstract noun, such as Hochspannungsnetzgerät, and the word
 * with umlauts in one letter; empty for other words. Compounds without such a joint need a dictionary.
 * @param word folded
 */
export const germanParts = (word: string): readonly string[] => {
  const parts = word.length < SHORTEST ? [word] : word.replace(JOINT, '$1 ').split(' ');
  const umlauts = word.replace(IN_TWO_LETTERS, '$1');
  return [...(parts.length > 1 ? parts : []), ...(umlauts === word ? [] : [umlauts])];
};

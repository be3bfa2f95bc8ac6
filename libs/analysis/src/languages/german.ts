/** Endings of abstract nouns. Inside a compound an `s` joins them to the next word, and to nothing else. */
const JOINT =
  /(ung|heit|keit|schaft|ion|tat|ling|tum)s(?=[a-z]{4,40}$|[a-z]{4,40}(?:ung|heit|keit|schaft|ion|tat|ling|tum)s[a-z]{4})/g;
const SHORTEST = 12;

/**
 * The words of a German compound that is joined behind an abstract noun, such as Hochspannungsnetzgerät; empty for
 * other words. Compounds without such a joint need a dictionary.
 * @param word folded
 */
export const compoundParts = (word: string): readonly string[] => {
  if (word.length < SHORTEST) return [];
  const parts = word.replace(JOINT, '$1 ').split(' ');
  return parts.length > 1 ? parts : [];
};

/** Values of a pure function in each of two generations: the older one is forgotten when the newer one is full. */
const MOST = 10_000;
/** Longer keys are computed each time, so that the size of what is remembered has a bound. */
const LONGEST_KEY = 40;

/**
 * A pure function of a text that remembers its last values: up to 20,000, of texts of up to 40 characters. Words repeat,
 * and a value costs many times what a look does.
 */
export const remembered = <T>(compute: (text: string) => T): ((text: string) => T) => {
  let newer = new Map<string, T>();
  let older = new Map<string, T>();
  const keep = (text: string, value: T): T => {
    if (newer.size >= MOST) [older, newer] = [newer, new Map()];
    newer.set(text, value);
    return value;
  };
  return (text) => {
    if (text.length > LONGEST_KEY) return compute(text);
    const value = newer.get(text);
    if (value !== undefined) return value;
    return keep(text, older.get(text) ?? compute(text));
  };
};

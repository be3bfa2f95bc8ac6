const REPEAT = /^\{(\d+)(?:,(\d*))?\}/;

/** Characters that an atom of the pattern takes: an escape, a class, or one character. */
const atomLength = (rest: string): number => {
  if (rest.startsWith('\\')) return /^\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|[\s\S]?)/.exec(rest)?.[0].length ?? 1;
  if (rest.startsWith('[')) return /^\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]?/.exec(rest)?.[0].length ?? 1;
  return 1;
};

/** How often the atom before a `{n,m}` stands in the compiled program. */
const copiesOf = ([, least = '0', most]: RegExpExecArray): number =>
  most === '' ? Number(least) + 1 : Math.max(Number(least), Number(most ?? 0));

/**
 * An upper estimate of the instructions of a pattern, without compiling it: a short pattern with counted repetitions
 * may compile to millions.
 */
export const estimatedSize = (pattern: string): number => {
  const groups: number[] = [];
  let [sum, last] = [0, 0];
  for (let at = 0; at < pattern.length;) {
    const rest = pattern.slice(at);
    const repeat = REPEAT.exec(rest);
    if (repeat !== null) {
      const copies = copiesOf(repeat);
      sum += last * (copies - 1);
      last *= copies;
      at += repeat[0].length;
    } else if (rest.startsWith('(')) {
      groups.push(sum);
      sum = 0;
      at += 1;
    } else if (rest.startsWith(')')) {
      last = sum + 2;
      sum = (groups.pop() ?? 0) + last;
      at += 1;
    } else {
      last = '*+?|'.includes(rest[0] ?? '') ? last : 1;
      sum += 1;
      at += atomLength(rest);
    }
    if (sum > Number.MAX_SAFE_INTEGER / 2_000) return Infinity;
  }
  return groups.reduce((all, size) => all + size, sum);
};

const LONGEST = 80;

/** The title of a conversation: its first question on one line, cut at a word. */
export const titleOf = (question: string): string => {
  const line = question.replace(/\s+/gu, ' ').trim().toWellFormed();
  if (line.length <= LONGEST) return line;
  const cut = line.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/u, '');
  const space = cut.lastIndexOf(' ');
  return `${space > LONGEST / 2 ? cut.slice(0, space) : cut}…`;
};

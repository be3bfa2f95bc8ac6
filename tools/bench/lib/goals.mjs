// Goals of figures.

/** Text of a goal beside its figure. A missed goal is marked, and the bench fails. */
export const goal = (text, isKept) => {
  if (isKept) return `(goal ${text})`;
  process.exitCode = 1;
  return `(goal ${text}, NOT KEPT)`;
};

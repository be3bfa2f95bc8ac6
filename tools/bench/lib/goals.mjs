// What a figure is held to.

/** A goal as it stands beside its figure; where the figure does not keep it that is said, and the bench fails. */
export const goal = (text, isKept) => {
  if (isKept) return `(goal ${text})`;
  process.exitCode = 1;
  return `(goal ${text}, NOT KEPT)`;
};

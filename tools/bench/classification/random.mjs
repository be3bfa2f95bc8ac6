// Reproducible choices.

/** So many different elements of a list. */
export const sample = (random, all, most) => {
  const left = [...all];
  const taken = [];
  while (taken.length < most && left.length > 0) taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken;
};

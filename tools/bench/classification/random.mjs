// Reproducible choices.

/** A generator of numbers from 0 to 1 (mulberry32). */
export const randomFrom = (seed) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** So many different elements of a list. */
export const sample = (random, all, most) => {
  const left = [...all];
  const taken = [];
  while (taken.length < most && left.length > 0) taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken;
};

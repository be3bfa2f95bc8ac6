/** Numbers from 0 to 1 that are the same in every run. */
export const numbers = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

/** How often a test repeats a step here, and how often under `npm run bench`. */
export const often = (here: number, inFull: number): number =>
  process.env['ACERVO_BENCH'] === undefined ? here : inFull;

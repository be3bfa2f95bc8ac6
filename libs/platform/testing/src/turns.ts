/** Lets the event loop turn so often: work that needs no engine is done afterwards. */
export const turnsOfTheLoop = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

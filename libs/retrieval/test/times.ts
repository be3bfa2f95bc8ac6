const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

/** Medians in milliseconds, and how many times the base the compared work takes. */
export interface Comparison {
  readonly ms: number;
  readonly baseMs: number;
  readonly times: number;
}

type Work = (round: number) => Promise<unknown>;

/** The two works alternate, so that both meet the same load of the machine. */
const series = async (rounds: number, work: Work, base: Work): Promise<Comparison> => {
  const [took, baseTook]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) baseTook.push(await timed(() => base(round)));
    took.push(await timed(() => work(round)));
    if (round % 2 === 1) baseTook.push(await timed(() => base(round)));
  }
  const [ms, baseMs] = [median(took), median(baseTook)];
  return { ms, baseMs, times: ms / baseMs };
};

/** Compares in up to three series until one is within the bound: a busy machine does not fail the test. */
export const compareTimes = async (rounds: number, most: number, work: Work, base: Work): Promise<Comparison> => {
  let best = await series(rounds, work, base);
  for (let again = 1; again < 3 && best.times > most; again += 1) {
    const next = await series(rounds, work, base);
    if (next.times < best.times) best = next;
  }
  return best;
};

/** A comparison for the output of a test. */
export const shownTimes = (name: string, { ms, baseMs, times }: Comparison, rounds: number): string =>
  `${name}: ${ms.toFixed(1)} ms, without: ${baseMs.toFixed(1)} ms, ${times.toFixed(2)} x, ${rounds} searches each\n`;

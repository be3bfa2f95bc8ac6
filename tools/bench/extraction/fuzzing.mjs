import { print, verdict } from './figures.mjs';

const AT_ONCE = 8;
const LIMIT_MS = 60_000;
/** Larger samples would only prolong the run. */
const LARGEST = 300_000;

/** Random mutations of samples: each gives text or is refused, within the time limit. */
export const fuzzing = async ({ extraction, samples, found, mutant }, count) => {
  const mishaps = [];
  const log = (event, details) => mishaps.push({ event, ...details });
  const pool = new extraction.ExtractionPool({ limits: { silenceMs: LIMIT_MS }, log });
  const seeds = [
    ...samples,
    ...found.filter(({ name, bytes }) => bytes.length < LARGEST && extraction.isSupported(name)),
  ];
  const counts = new Map();
  const slow = { ms: 0, number: 0 };
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      const start = performance.now();
      const end = await pool.extract(mutant(seeds, number)).then(
        () => 'text',
        (error) => (error instanceof extraction.ExtractionRefusal ? error.constructor.name : `UNKNOWN ${error.name}`),
      );
      const ms = performance.now() - start;
      if (ms > slow.ms) Object.assign(slow, { ms, number });
      counts.set(end, (counts.get(end) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await pool.close();
  const unknown = [...counts.keys()].filter((end) => end.startsWith('UNKNOWN'));
  print(
    `\nFiles changed by chance, N = ${count} of ${seeds.length} samples; goal: text or a refusal, none above the limit`,
  );
  print(`  ${[...counts].map(([end, times]) => `${end} ${times}`).join(', ')}`);
  print(
    `  slowest ${(slow.ms / 1_000).toFixed(1)} s (number ${slow.number}), processes that ended ${mishaps.length}: ${verdict(unknown.length === 0 && slow.ms < LIMIT_MS)}`,
  );
  for (const mishap of mishaps.slice(0, 20)) print(`    ${JSON.stringify(mishap)}`);
};

import { median, print, timed, verdict } from './figures.mjs';

const GOAL = 1.5;
const HOSTILE = 27;
const COPIES = 12;

const outcome = (reading) =>
  reading.then(
    () => 'text',
    (error) => error.constructor.name,
  );

const slowest = async (pool, files) => {
  const times = [];
  for (const file of files) {
    let end = '';
    const ms = await timed(async () => (end = await outcome(pool.extract(file))));
    times.push({ name: file.name, end, ms });
  }
  return times.sort((a, b) => b.ms - a.ms);
};

/** Wall time of a batch of ordinary files with hostile ones among them, and of the same batch without them. */
export const harm = async ({ extraction, samples, found, hostile, book }, rounds) => {
  const ordinary = [
    ...Array.from({ length: COPIES }, () => samples).flat(),
    ...found,
    ...Array.from({ length: 6 }, () => book(400)),
  ];
  const bad = hostile.slice(0, HOSTILE);
  const step = Math.floor(ordinary.length / bad.length);
  const mixed = ordinary.flatMap((file, index) =>
    index % step === 0 && index / step < bad.length ? [bad[index / step], file] : [file],
  );
  const times = { without: [], with: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const [kind, files] of [
      ['without', ordinary],
      ['with', mixed],
    ]) {
      const pool = new extraction.ExtractionPool();
      times[kind].push(await timed(() => Promise.all(files.map((file) => outcome(pool.extract(file))))));
      await pool.close();
    }
  const share = median(times.with) / median(times.without);
  print(
    `\nA batch of ${ordinary.length} files, with and without ${bad.length} hostile ones, N = ${rounds}; goal: at most ${GOAL}`,
  );
  print(
    `  without ${(median(times.without) / 1_000).toFixed(1)} s   with ${(median(times.with) / 1_000).toFixed(1)} s   ${share.toFixed(2)} ${verdict(share <= GOAL)}`,
  );
  const onlyProcess = new extraction.ExtractionPool({ limits: { processes: 1 } });
  for (const { name, end, ms } of await slowest(onlyProcess, hostile))
    print(`    ${name.padEnd(24)} ${end.padEnd(20)} ${ms.toFixed(0).padStart(6)} ms`);
  await onlyProcess.close();
};

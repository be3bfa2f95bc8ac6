import { readFileSync } from 'node:fs';
import { print, verdict } from './figures.mjs';

const PAGES = 1_600;
const GOAL_MB = 512;
const EVERY_MS = 50;

const pss = (pid) => {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
};

/** Peak memory of an extraction process, and of this process, during the extraction of a long book. */
export const memory = async ({ extraction, book }) => {
  if (process.platform !== 'linux') return print('\nMemory is measured on Linux only.');
  const file = book(PAGES);
  const pool = new extraction.ExtractionPool({ limits: { processes: 1 } });
  const peak = { reader: 0, supervisor: 0 };
  const before = pss(process.pid);
  const timer = setInterval(() => {
    peak.reader = Math.max(peak.reader, ...pool.pids.map(pss));
    peak.supervisor = Math.max(peak.supervisor, pss(process.pid));
  }, EVERY_MS);
  const { document } = await pool.extract(file);
  clearInterval(timer);
  await pool.close();
  print(`\nMemory while ${document.pages.length} pages are read, PSS, N = 1; goal: at most ${GOAL_MB} MB`);
  print(
    `  reading process ${peak.reader.toFixed(0)} MB ${verdict(peak.reader <= GOAL_MB)}   supervisor ${before.toFixed(0)} MB before, ${peak.supervisor.toFixed(0)} MB at most`,
  );
};

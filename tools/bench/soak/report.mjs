// The figures of a soak and what they mean.
import { figures } from '../lib/figures.mjs';
import { GROWING } from './samples.mjs';
import { countGrowth, median, MOST_SLOPE, verdictOn } from './trend.mjs';

/** More descriptors than this, and than a tenth of those before, are a leak. */
const MOST_DESCRIPTORS = 20;

/** The samples of the longest life of each kind of process: a killed process begins again. */
const longestLives = (samples) => {
  const lives = new Map();
  for (const sample of samples) {
    const life = `${sample.kind} ${sample.pid}`;
    lives.set(life, [...(lives.get(life) ?? []), sample]);
  }
  const longest = new Map();
  for (const life of lives.values()) {
    const [{ kind }] = life;
    if (life.length > (longest.get(kind)?.length ?? 0)) longest.set(kind, life);
  }
  return [...longest].sort(([one], [other]) => one.localeCompare(other));
};

const minutesOf = (samples) => ((samples.at(-1).at - samples[0].at) / 60_000).toFixed(1);
const signed = (value) => (Number.isFinite(value) ? `${value >= 0 ? '+' : ''}${value.toFixed(1)}` : 'unknown');

const showMemory = (samples, { print, goal }) => {
  const verdicts = longestLives(samples).map(([kind, life]) => {
    const verdict = verdictOn(life.map(({ at, megabytes }) => ({ at, value: megabytes })));
    const { first, last, grows, isShort, levelsOff } = verdict;
    const short = levelsOff ? 'levels off' : 'does not level off yet';
    const how = isShort ? (grows === undefined ? 'too short to tell' : short) : 'by its slope';
    print(
      `${kind.padEnd(12)} ${last.level.toFixed(0).padStart(5)} MB over ${minutesOf(life)} min: ${signed(first.slope)} then ${signed(last.slope)} %/h [${signed(last.low)}, ${signed(last.high)}], ${how} ${goal(`at most ${MOST_SLOPE} %/h`, grows !== true)}`,
    );
    return { kind, ...verdict };
  });
  return verdicts;
};

const showDescriptors = (samples, { print, goal }) =>
  longestLives(samples).map(([kind, life]) => {
    const growth = countGrowth(
      life.map(({ descriptors }) => descriptors),
      { least: MOST_DESCRIPTORS },
    );
    print(`${kind.padEnd(12)} ${growth.before} descriptors, then ${growth.after} ${goal('no growth', !growth.grows)}`);
    return { kind, ...growth };
  });

const showTables = (tables, { print, goal }) => {
  const names = [...new Set(tables.flatMap((counts) => Object.keys(counts)))].sort();
  const grown = names
    .map((name) => ({ name, ...countGrowth(tables.map((counts) => counts[name] ?? 0)) }))
    .filter(({ grows }) => grows);
  for (const { name, before, after } of grown)
    print(`  ${name}: ${before} rows, then ${after}${name in GROWING ? `; ${GROWING[name]}` : ''}`);
  const leaking = grown.filter(({ name }) => !(name in GROWING));
  print(`${names.length} tables, ${leaking.length} grow that should not ${goal('0', leaking.length === 0)}`);
  return leaking.map(({ name }) => name);
};

const showLoad = ({ statuses, slices, counts, kills, lags, disk }, { print, show }) => {
  print(`\nsearches by status: ${JSON.stringify(statuses)}; ${JSON.stringify(counts)}`);
  const times = slices.filter(({ n }) => n > 0);
  if (times.length > 0)
    print(
      `searches: p50 ${median(times.map(({ p50 }) => p50)).toFixed(1)} ms, p95 ${median(times.map(({ p95 }) => p95)).toFixed(1)} ms (medians of ${times.length} slices)`,
    );
  if (lags.length > 0) show('a request that does nothing', figures(lags));
  const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
  if (disk.length > 0) print(`${megabytes(disk[0].value)} MB on disk, then ${megabytes(disk.at(-1).value)} MB`);
  print(
    `${kills.length} kills, the slowest recovery ${Math.max(0, ...kills.map(({ seconds }) => seconds)).toFixed(1)} s`,
  );
};

/** Prints all figures; returns the verdicts. */
export const report = (found, { print, show, goal }) => {
  showLoad(found, { print, show });
  print('\nmemory: slope of the first and of the last half of the longest life of each process, with 95 %');
  const memory = showMemory(found.processes, { print, goal });
  print('\ndescriptors: median of the second quarter and of the last one');
  const descriptors = showDescriptors(found.processes, { print, goal });
  print('\nrows: the same, of tables that grew');
  const tables = showTables(found.tables, { print, goal });
  print(
    `\n${found.stores.lines.join('\n')}\nthe stores agree: ${found.stores.agree} ${goal('true', found.stores.agree)}`,
  );
  const failed = Object.entries(found.counts).filter(([name]) => name.endsWith(' failed'));
  return {
    kills: found.kills,
    samples: found.processes.length,
    answered: found.statuses[200] ?? 0,
    refused: Object.entries(found.statuses).reduce((sum, [status, n]) => sum + (status === '200' ? 0 : n), 0),
    rounds: found.counts,
    failed: failed.reduce((sum, [, count]) => sum + count, 0),
    memory,
    descriptors,
    tables,
    agree: found.stores.agree,
  };
};

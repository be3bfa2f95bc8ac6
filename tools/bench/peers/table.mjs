// The table of `bench peers`: medians over rounds, a row for each figure and a column for each system.

const number = (digits) => (value) => (Number.isFinite(value) ? value.toFixed(digits) : '-');

/** What each row says, by the name of its figure. */
const ROWS = [
  ['CPU ms a document after ready', 'cpuPerDocument', number(1)],
  ['engine runs a document', 'runsPerDocument', number(1)],
  ['documents a second from the start', 'documentsPerSecond', number(1)],
  ['requests to the embedder', 'requests', number(0)],
  ['disk over an empty one, MB', 'disk', number(0)],
  ['memory after ingestion, MB', 'memory', number(0)],
  ['restart to first answer, s', 'restart', number(1)],
  ['at rest, CPU ms a second', 'atRest', number(0)],
  ['one file added until found, s', 'addedSeconds', number(2)],
  ['CPU s for it (polling included)', 'addedCpu', number(2)],
  ['search CPU ms', 'searchCpu', number(1)],
  ['search p50 ms', 'searchP50', number(1)],
  ['eight clients, queries a second', 'queriesPerSecond', number(1)],
  ['eight clients, refused of 600', 'refused', number(0)],
];

/** The median of the finite numbers: the mean of the middle two where their count is even; NaN without any. */
export const median = (numbers) => {
  const sorted = numbers.filter(Number.isFinite).toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

const ndcgRow = (rounds, systems, collection) => [
  `nDCG@10 ${collection}`,
  ...systems.map((name) => number(3)(median(rounds[name].map(({ ndcg }) => ndcg?.[collection] ?? NaN)))),
];

/** @param rounds figures of each round, by system */
export const cells = (rounds, collections) => {
  const systems = Object.keys(rounds);
  const measured = ROWS.filter(([, figure]) => systems.some((name) => rounds[name].some((each) => figure in each)));
  return [
    ['', ...systems],
    ...measured.map(([title, figure, show]) => [
      title,
      ...systems.map((name) => show(median(rounds[name].map((each) => each[figure] ?? NaN)))),
    ]),
    ...collections.map((collection) => ndcgRow(rounds, systems, collection)),
  ];
};

/** Markdown with columns of equal width. */
export const markdown = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = rows;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n');
};

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Peers whose mean nDCG@10 over the collections is above that of Acervo by more than `tolerance`, each a sentence.
 */
export const lostTo = (rounds, tolerance) => {
  const score = (name) => median(rounds[name].map(({ ndcg }) => mean(Object.values(ndcg))));
  const ours = score('acervo');
  return Object.keys(rounds)
    .filter((name) => name !== 'acervo' && score(name) > ours + tolerance)
    .map((name) => `mean nDCG@10 is ${ours.toFixed(3)}, that of ${name} ${score(name).toFixed(3)}`);
};

import type { IgnoredEntries, IngestionProgress, RunSummary } from '@acervo/contracts';
import { type Figures, figuresOf } from '@acervo/platform-admin/progress';

/** Reasons for excluded entries, by rule; a rule without an entry is printed by its name. */
const REASONS: Readonly<Record<string, string>> = {
  dependency: 'in folders that belong to programs',
  excluded: 'named in .acervoignore',
  link: 'links',
  special: 'special files',
  too_large: 'too large',
  too_deep: 'too deep',
  not_utf8: 'whose names are not UTF-8',
};

const leftOut = (ignored: readonly IgnoredEntries[]): string =>
  ignored.map(({ rule, entries }) => `${entries} ${REASONS[rule] ?? rule}`).join(', ');

/** `45 s`, `3 min`, `2 h 5 min`. */
export const duration = (seconds: number): string => {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

const rate = (perSecond: number): string => (perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond)));

const states = (figures: Figures): string =>
  figures.states.map(({ name, documents }) => `${documents} ${name}`).join(', ');

const speed = ({ perSecond, secondsLeft }: Figures): string =>
  perSecond === null || secondsLeft === null
    ? ''
    : `, ${rate(perSecond)} documents/s, about ${duration(secondsLeft)} left`;

/** Documents are found by their words before their vectors are made. */
const byWords = ({ searchable, byMeaning }: Figures): string =>
  searchable > byMeaning ? `${searchable} by words, ${byMeaning} of them by meaning` : '';

const searchableChunks = (figures: Figures): string => {
  const { chunks } = figures;
  const found = byWords(figures);
  return chunks === null ? '' : `; ${chunks} chunks searchable${found === '' ? '' : `: ${found}`}`;
};

/** The progress of the documents, in one line. */
export const progressLine = (figures: Figures): string =>
  `${figures.done} of ${figures.total} documents done${speed(figures)} (${states(figures)}${searchableChunks(figures)}).`;

const BAR = 24;

/** The progress as a bar that fits the width of the terminal. */
export const barLine = (figures: Figures, columns: number): string => {
  const { done, total } = figures;
  const share = total === 0 ? 1 : done / total;
  const filled = Math.floor(share * BAR);
  const bar = `${'='.repeat(filled)}${filled < BAR ? '>' : ''}`.padEnd(BAR);
  const line = `[${bar}] ${Math.floor(share * 100)}% ${done}/${total} documents${speed(figures)} | ${states(figures)}`;
  return line.length < columns ? line : `${line.slice(0, Math.max(1, columns - 2))}…`;
};

/** The result of a scan, as lines. */
export const scanLines = (folder: string, run: RunSummary): string[] => {
  const ignored = run.ignored.reduce((total, { entries }) => total + entries, 0);
  const found = [`${run.seen} files`, `${run.added} new`, `${run.changed} changed`, `${run.missing} gone`];
  return [
    `Scanned ${folder}: ${found.join(', ')}, ${ignored} left out.`,
    ...(run.ignored.length === 0 ? [] : [`  Left out: ${leftOut(run.ignored)}.`]),
    ...(run.notice === null ? [] : [`  ${run.notice}`]),
  ];
};

/** The searchable documents and chunks, in one sentence. */
export const resultLine = (figures: Figures): string => {
  const { searchable, total, chunks } = figures;
  const found = byWords(figures);
  return `Done: ${searchable} of ${total} documents searchable${found === '' ? '' : ` (${found})`}, ${chunks ?? 0} chunks.`;
};

const counted = (progress: IngestionProgress, status: string): number =>
  progress.counts.find((count) => count.status === status)?.documents ?? 0;

const documents = (count: number): string => (count === 1 ? '1 document' : `${count} documents`);

const failureLines = (progress: IngestionProgress): string[] => {
  const { failures } = progress;
  const failed = counted(progress, 'ERROR') + counted(progress, 'NO_SOPORTADO');
  if (failed === 0) return [];
  return [
    `Not searchable (${failed}):`,
    ...failures.map(({ path, reason }) => `  ${path}: ${reason}`),
    ...(failed > failures.length ? [`  and ${failed - failures.length} more; GET /v1/documents lists them all.`] : []),
  ];
};

/** Advice about failed, unreadable and missing documents. */
const adviceLines = (progress: IngestionProgress, { total, searchable }: Figures): string[] => {
  const failed = counted(progress, 'ERROR');
  const unread = counted(progress, 'NO_SOPORTADO');
  const missing = counted(progress, 'NO_ENCONTRADO');
  return [
    ...(total === 0
      ? ['  No document was found. Put some into a folder above, or name another: npm start -- /path/to/folder']
      : []),
    ...(total > 0 && searchable === 0 && failed === 0
      ? ['  None of the documents can be read; docs/extraction.md lists the formats that are.']
      : []),
    ...(failed > 0 ? [`  ${documents(failed)} failed: npm start -- --retry-failed tries again.`] : []),
    ...(unread > 0 ? [`  ${documents(unread)} cannot be read: a file is tried again when it changes.`] : []),
    ...(missing > 0 ? [`  ${documents(missing)} missing: a file that comes back is searchable again.`] : []),
    ...(progress.notices.some(({ unread }) => unread > 0)
      ? ['  Mount or make readable what cannot be read, or name it in .acervoignore; the next scan applies it.']
      : []),
    ...(progress.notices.some(({ unmounted }) => unmounted > 0)
      ? [
          '  Mount what is not mounted; if it is gone for good, name it in .acervoignore, or npm start -- --accept-deletions.',
        ]
      : []),
    ...(progress.notices.some(({ doubted }) => doubted > 0)
      ? ['  If the files were deleted on purpose: npm start -- --accept-deletions.']
      : []),
  ];
};

/** Everything known about documents and work, as lines; during work, the progress replaces the result. */
export const summaryOf = (progress: IngestionProgress, figures: Figures = figuresOf(progress)): string[] => {
  const advice = adviceLines(progress, figures);
  return [
    progress.waiting > 0 ? `At work: ${progressLine(figures)}` : resultLine(figures),
    ...(progress.waiting > 0 || figures.states.length === 0 ? [] : [`  Documents: ${states(figures)}.`]),
    ...(progress.ignored.length === 0 ? [] : [`  Left out by the scans: ${leftOut(progress.ignored)}.`]),
    ...progress.notices.map(({ folder, notice }) => `  ${folder}: ${notice}`),
    ...failureLines(progress),
    ...(advice.length === 0 ? [] : ['What to do:', ...advice]),
  ];
};

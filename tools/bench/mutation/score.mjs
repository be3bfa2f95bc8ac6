// The score of a part: how many of its mutants its suites notice.

const NOTICED = new Set(['Killed', 'Timeout']);
const MISSED = new Set(['Survived', 'NoCoverage']);

/** Whether two descriptions name one mutant. The line is compared by its text, so that lines above may come and go. */
const isSame = (entry, { file, replaced, replacement }) =>
  entry.file === file && entry.replaced === replaced && entry.replacement === replacement;

/** The text between two positions of a source, whose lines and columns begin at 1. */
const between = (source, { start, end }) => {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
};

/** The mutants of a report of Stryker that count. @param project folder that the names of its files begin with */
export const mutantsOf = ({ files }, project) =>
  Object.entries(files).flatMap(([name, { source, mutants }]) =>
    mutants
      .filter(({ status }) => NOTICED.has(status) || MISSED.has(status))
      .map(({ status, replacement, location, mutatorName }) => ({
        file: name.startsWith(project) ? name : `${project}/${name}`,
        line: location.start.line,
        kind: mutatorName,
        replaced: between(source, location),
        replacement,
        isNoticed: NOTICED.has(status),
      })),
  );

const percent = (mutants) =>
  mutants.length === 0 ? 100 : (100 * mutants.filter(({ isNoticed }) => isNoticed).length) / mutants.length;

/**
 * Score, figures per file and survivors of mutants. A mutant that behaves like the code is left out.
 * @param equivalent descriptions of such mutants; one that a suite notices, or that is gone, is `stale`
 */
export const scoreOf = (mutants, equivalent) => {
  const survivors = mutants.filter(({ isNoticed }) => !isNoticed);
  const files = new Set(mutants.map(({ file }) => file));
  const isKnown = (mutant) => equivalent.some((entry) => isSame(entry, mutant));
  const counted = mutants.filter((mutant) => mutant.isNoticed || !isKnown(mutant));
  return {
    score: percent(counted),
    counted: counted.length,
    equivalent: mutants.length - counted.length,
    files: [...files].map((file) => {
      const ofFile = counted.filter((mutant) => mutant.file === file);
      return { file, score: percent(ofFile), mutants: ofFile.length };
    }),
    survivors: survivors.filter((mutant) => !isKnown(mutant)),
    stale: equivalent.filter((entry) => files.has(entry.file) && !survivors.some((mutant) => isSame(entry, mutant))),
  };
};

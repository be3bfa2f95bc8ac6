// Compares the parts that extraction reports with those that independent readers count in the same files.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../lib/options.mjs';
import { installedPackages } from './lib/python-packages.mjs';

const require = createRequire(import.meta.url);
const place = (name) => fileURLToPath(new URL(`./readers/${name}`, import.meta.url));
const print = (text) => process.stdout.write(`${text}\n`);

const ENDINGS = ['.docx', '.docm', '.pptx', '.xlsx', '.xlsm', '.pdf', '.odt', '.ods', '.odp'];
const MOST_OUTPUT = 64 * 1024 * 1024;

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ENDINGS.includes(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** What the libraries count in each file, by its path. */
const independentCounts = (python, paths) => {
  const { status, stdout, stderr } = spawnSync(python, [place('counts.py')], {
    input: paths.join('\n'),
    maxBuffer: MOST_OUTPUT,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (status !== 0) throw new Error(`The independent readers failed:\n${stderr}`);
  return JSON.parse(stdout);
};

/** What extraction reports; the reason where it refuses the file. */
const reportedCounts = async (source, path) => {
  try {
    const { report } = await source.extract({ name: basename(path), bytes: readFileSync(path) });
    const sums = report.parts.map(({ kind, counted, read, leftOut }) => {
      const accounted = leftOut.reduce((sum, { count }) => sum + count, read);
      return { kind, counted, isClosed: accounted === counted };
    });
    return { parts: new Map(sums.map((part) => [part.kind, part])) };
  } catch (error) {
    return { refusal: error.message };
  }
};

/** The differences of one file, each a sentence. */
const differencesOf = (parts, counts) => {
  const unequal = Object.entries(counts)
    .map(([kind, expected]) => [kind, expected, parts.get(kind)?.counted ?? 0])
    .filter(([, expected, reported]) => reported !== expected)
    .map(([kind, expected, reported]) => `${kind}: ${reported} reported, ${expected} counted`);
  const open = [...parts.values()]
    .filter(({ isClosed }) => !isClosed)
    .map(({ kind }) => `${kind}: some are neither read nor left out`);
  return [...unequal, ...open];
};

/** What the comparison of a file found; of some files the independent readers count nothing. */
const outcomeOf = (differences, counts) => {
  if (differences.length > 0) return 'different';
  return Object.keys(counts).length === 0 ? 'opened' : 'equal';
};

/** Prints a line for each file that differs, and the sum. */
const compare = async (paths, independent) => {
  const { InlineSource, reportOf } = require('@acervo/extraction');
  const inline = new InlineSource();
  const source = {
    extract: async (file) => ({ report: reportOf(await inline.extract(file)) }),
  };
  const tally = { equal: 0, different: 0, opened: 0, refused: 0 };
  for (const path of paths) {
    const { parts, refusal } = await reportedCounts(source, path);
    const { counts, refusal: theirs } = independent[path];
    if (refusal !== undefined || theirs !== undefined) {
      tally.refused += 1;
      print(`refused    ${path}: ${refusal ?? 'read here'} / ${theirs ?? 'read there'}`);
      continue;
    }
    const differences = differencesOf(parts, counts);
    tally[outcomeOf(differences, counts)] += 1;
    for (const difference of differences) print(`different  ${path}: ${difference}`);
  }
  return tally;
};

export const run = async ({ data }) => {
  if (data === undefined) throw new UsageError('Say where the files are: --data DIR.');
  const paths = filesBelow(data);
  if (paths.length === 0) throw new UsageError(`No files of ${ENDINGS.join(', ')} below ${data}.`);
  const requirements = place('requirements.txt');
  const python = await installedPackages({ title: 'The readers', name: 'readers', requirements, print });
  const { equal, different, opened, refused } = await compare(paths, independentCounts(python, paths));
  print(
    `\n${paths.length} files: ${equal} with equal counts, ${different} different, ${opened} opened by both with nothing to count, ${refused} refused by a reader`,
  );
  if (different > 0) process.exitCode = 1;
};

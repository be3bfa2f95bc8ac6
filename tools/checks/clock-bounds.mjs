// Suites whose outcome may depend on the speed of the machine: the places that read a clock. The list only shrinks.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';

const LIST = join(root, 'tools', 'checks', 'clock-bounds.json');
const SUITE = /(?<!\.nightly)\.(spec|stack|browser)\.ts$/;
const CLOCK = /\b(performance\.now|Date\.now|process\.hrtime|AbortSignal\.timeout|jest\.retryTimes)\b/g;

/** Places of a suite that read a clock. */
export const clocksIn = (text) => [...text.matchAll(CLOCK)].length;

/** Number of such places by suite, of all suites that have some. */
export const clockBounds = (folder = root) =>
  Object.fromEntries(
    ['apps', 'libs']
      .flatMap((top) => readdirSync(join(folder, top), { recursive: true }).map((path) => join(top, path)))
      .filter((path) => SUITE.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
      .map((path) => [path, clocksIn(readFileSync(join(folder, path), 'utf8'))])
      .filter(([, places]) => places > 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Suites that read clocks at more places than the list says, and entries that are too high. */
export const clockProblems = (found = clockBounds(), listed = JSON.parse(readFileSync(LIST, 'utf8'))) => [
  ...Object.entries(found)
    .filter(([path, places]) => places > (listed[path] ?? 0))
    .map(([path, places]) => `${path} reads a clock at ${places} places, ${listed[path] ?? 0} before: ${ADVICE}`),
  ...Object.entries(listed)
    .filter(([path, places]) => places > (found[path] ?? 0))
    .map(([path]) => `${path} reads fewer clocks than tools/checks/clock-bounds.json says: lower its number.`),
];

const ADVICE = 'wait with `until`, assert the cause, or move the figure to a *.speed.ts (CONTRIBUTING.md).';

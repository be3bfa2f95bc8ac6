// Links of a page and the files that it names exist.
import { posix } from 'node:path';
import { codeSpans, linesOf, proseOf } from './page.mjs';

const LINK = /\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)/g;
const OUTSIDE = /^[a-z][a-z0-9+.-]*:/i;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;

/** The anchor of a heading, as GitHub makes it. */
const slugOf = (heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** All anchors of a page; a repeated heading gets a number. */
export const anchorsOf = (text) => {
  const seen = new Map();
  const anchors = new Set();
  for (const { isCode, text: line } of linesOf(text)) {
    const [, heading] = isCode ? [] : (HEADING.exec(line) ?? []);
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return anchors;
};

/**
 * Links to files and anchors that do not exist.
 * @param page path from the root
 * @param tree `has(path)` for files and folders, `text(path)` of a page
 */
export const linkProblems = (page, text, tree) =>
  proseOf(text).flatMap(({ at, text: line }) =>
    [...line.matchAll(LINK)]
      .map(([, target]) => target)
      .filter((target) => !OUTSIDE.test(target) && !target.startsWith('/'))
      .flatMap((target) => {
        const [path, anchor] = target.split('#');
        const file = path === '' ? page : posix.join(posix.dirname(page), decodeURI(path)).replace(/\/$/, '');
        if (!tree.has(file)) return [`${page}:${at} links to ${target}, which does not exist: correct the path.`];
        const isAnchored = anchor !== undefined && file.endsWith('.md');
        return isAnchored && !anchorsOf(tree.text(file)).has(anchor)
          ? [`${page}:${at} links to ${target}, but ${file} has no such heading: correct the anchor.`]
          : [];
      }),
  );

const FOLDER = /^(?:\.ci|apps|clients|deploy|docker|docs|libs|samples|tools)\//;
const NAME = /^[\w./*{},<>-]+$/;
/** Scripts and suites are named by their name alone too, or by the end of their path. */
const SCRIPT = /\.(?:ts|mjs|cjs)$/;
const WILD = /[*{<]|(?:^|\/)[A-Z]{2,}(?:\/|$)/;
/** A method of the Model Context Protocol. */
const NO_FILES = new Set(['tools/list']);

/** A built file stands for its source. */
const sourceOf = (path) => path.replace(/\/dist\/(.*)\.js$/, '/src/$1.ts');

/** The path in code, without a line number, a final slash, and arguments. */
const pathIn = (code) =>
  sourceOf(
    code
      .replace(/ .*/, '')
      .replace(/(?::\d+)+$/, '')
      .replace(/\/$/, ''),
  );

/** `*`, `<name>` and names in capitals stand for any name, `{a,b}` for either. */
const patternOf = (path, before) =>
  new RegExp(
    `${before}${path
      .replace(/[.+]/g, '\\$&')
      .replace(/\{([^}]*)\}/g, (_all, names) => `(?:${names.replaceAll(',', '|')})`)
      .replace(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))
      .replace(/<\w+>|(?<=^|\/)[A-Z]{2,}(?=\/|$)/g, '[^/]+')}$`,
  );

const isMissing = (path, tree) => {
  if (!NAME.test(path) || NO_FILES.has(path)) return false;
  if (FOLDER.test(path)) return !tree.has(path) && !(WILD.test(path) && tree.some(patternOf(path, '^')));
  return SCRIPT.test(path) && !tree.some(patternOf(path, '(?:^|/)'));
};

/** Files named in code that do not exist: paths from the root, and scripts and suites by their name. */
export const fileProblems = (page, text, tree) =>
  codeSpans(text)
    .filter(({ code }) => isMissing(pathIn(code), tree))
    .map(({ at, code }) => `${page}:${at} names ${code}, which does not exist: correct the name.`);

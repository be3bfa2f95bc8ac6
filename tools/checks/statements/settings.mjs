// The settings that a page names are declared, and have the defaults that it states.
import { linesOf, tableRows } from './page.mjs';

const NAME = /\bACERVO_[A-Z0-9_]*[A-Z0-9]\b(?![_*A-Z])/g;
/** Variables of the folders of users, one for each root folder. */
const IS_OF_FOLDER = /^ACERVO_HOME_/;

/** Names in the list of a source. @param sources setting-names.ts, tool-variables.ts, the sessions of the client */
export const settingNamesIn = (sources) => new Set(sources.flatMap((source) => source.match(NAME) ?? []));

/** Defaults by setting, one for each service that differs. @param reference docs/configuration.md */
export const defaultsIn = (reference) => {
  const defaults = new Map();
  for (const { cells, heads } of tableRows(reference)) {
    const [, name] = /^`(ACERVO_\w+)`$/.exec(cells[0]) ?? [];
    const at = heads.indexOf('Default');
    if (name === undefined || at === -1) continue;
    defaults.set(name, (defaults.get(name) ?? new Set()).add(cells[at].replaceAll('`', '').trim()));
  }
  return defaults;
};

/** The whole name of `_CA` behind `ACERVO_DATABASE_TLS`; undefined without such a name. */
const wholeName = (ending, before, names) => {
  const parts = before.split('_');
  return parts.map((_part, at) => parts.slice(0, at + 1).join('_') + ending).findLast((name) => names.has(name));
};

const MENTION = /`(ACERVO_\w+|_[A-Z0-9_]+)`/g;

/** Names of settings in their order in a text, as `{ name, whole, before }`; an ending continues the name before it. */
const mentionsIn = (text, names) => {
  let before;
  return [...text.matchAll(MENTION)].map(([, name]) => {
    if (name.startsWith('ACERVO')) before = name;
    const whole = name === before ? name : before && wholeName(name, before, names);
    return { name, whole, before };
  });
};

const unknownNames = (line, names) =>
  (line.match(NAME) ?? []).filter((name) => !names.has(name) && !IS_OF_FOLDER.test(name));

/** Endings that continue no setting; one without a name before it may be that of any setting. */
const unknownEndings = (line, names) =>
  mentionsIn(line, names)
    .filter(({ whole }) => whole === undefined)
    .filter(({ name, before }) => before !== undefined || ![...names].some((each) => each.endsWith(name)))
    .map(({ name }) => name);

const nameProblems = (page, text, names) =>
  linesOf(text).flatMap(({ at, text: line, isCode }) => [
    ...unknownNames(line, names).map(
      (name) => `${page}:${at} names ${name}, which no program reads: correct the name.`,
    ),
    ...(isCode ? [] : unknownEndings(line, names)).map(
      (name) => `${page}:${at} names ${name}, which ends no setting: correct the name.`,
    ),
  ]);

const AMOUNT = /^(\d[\d,]*(?:\.\d+)?)( million)?(?: (?:ms|s|MB|MiB|h|days?|hours?))?$/;

/** A stated value in the form of a default: a number without its unit, or a code. Undefined for words. */
const defaultForm = (stated) => {
  const [, code] = /^`([^`]*)`$/.exec(stated) ?? [];
  if (code !== undefined) return code.trim();
  const [, digits, million] = AMOUNT.exec(stated) ?? [];
  if (digits === undefined) return undefined;
  return String(Number(digits.replaceAll(',', '')) * (million === undefined ? 1 : 1_000_000));
};

/** Statements of a default in a line: `NAME` (900), (default 900), (default: `x`), and `NAME=900  # default`. */
const STATED = [
  /`(ACERVO_\w+)(?:=[^`]*)?`[^|`.;]*?\((?:default:? )?(\d[\d,]*)(?:, [^)`]*)?\)/g,
  /`(ACERVO_\w+)(?:=[^`]*)?`[^|`.;]*?\(default:? (`[^`]+`)(?:, [^)`]*)?\)/g,
  /`(ACERVO_\w+)` *\|[^|]*\((?:default:? )?(\d[\d,]*)\)/g,
  /`(ACERVO_\w+)` *\|[^|]*\(default:? (`[^`]+`)\)/g,
  /\b(ACERVO_\w+)=(\S+)\s+# default\b/g,
];

const statedIn = (text) =>
  linesOf(text).flatMap(({ at, text: line }) =>
    STATED.flatMap((pattern) => [...line.matchAll(pattern)]).map(([, name, value]) => ({
      at,
      name,
      value: defaultForm(value) ?? value,
    })),
  );

/** Parts of a cell with defaults, for as many settings; what `npm start` has instead is left out. */
const partsOf = (cell) =>
  cell
    .replace(/; `npm start`:.*$/, '')
    .split(/; | and |, (?=(?:[^`]*`[^`]*`)*[^`]*$)/)
    .map((part) => part.trim());

/** Rows of tables that have a column of defaults, where the settings of a row are as many as its defaults. */
const statedInTables = (text, names) =>
  tableRows(text).flatMap(({ at, cells, heads }) => {
    const column = heads.indexOf('Default');
    const cell = cells.find((each) => /^(?:`(?:ACERVO)?_\w+`(?:, )?)+$/.test(each));
    if (column === -1 || cell === undefined) return [];
    const [mentions, parts] = [mentionsIn(cell, names), partsOf(cells[column])];
    if (mentions.length !== parts.length) return [];
    return mentions
      .map(({ whole }, index) => ({ at, name: whole, value: defaultForm(parts[index]) }))
      .filter(({ name, value }) => name !== undefined && value !== undefined);
  });

/** The defaults that a page states, as `{ at, name, value }`. */
const statedDefaults = (text, names) => [...statedIn(text), ...statedInTables(text, names)];

/**
 * Settings of a page that do not exist or have another default.
 * @param declared `names` of all settings and variables, and `defaults` of the settings
 */
export const settingProblems = (page, text, { names, defaults }) => [
  ...nameProblems(page, text, names),
  ...statedDefaults(text, names)
    .filter(({ name, value }) => defaults.has(name) && !defaults.get(name).has(value))
    .map(({ at, name, value }) => {
      const known = [...defaults.get(name)].map((each) => (each === '' ? 'none' : each)).join(' or ');
      return `${page}:${at} says that ${name} is ${value} by default; it is ${known}: correct the page.`;
    }),
];

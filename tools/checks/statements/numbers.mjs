// The numbers that pages state are those of the code: each row of stated-numbers.json binds a statement to a constant.

const WORDS = {
  'half a': 0.5,
  'half an': 0.5,
  half: 0.5,
  an: 1,
  a: 1,
  once: 1,
  one: 1,
  twice: 2,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
};
const WORD = Object.keys(WORDS)
  .toSorted((one, other) => other.length - one.length)
  .join('|');
const STATED = `(?<![\\w,.])((?:${WORD})(?!\\w)|\\d[\\d,]*(?:\\.\\d+)?)`;
const FACTOR = '(?:[\\d_]+(?:\\.\\d+)?)';
const DECLARED = `(?<![\\d_.])(${FACTOR}(?: ?\\* ?${FACTOR})*)`;

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `#` stands for the number, `…` for any text between. */
const patternOf = (sentence, number, between, flags) =>
  new RegExp(escaped(sentence).replaceAll('…', between).replace('#', number), flags);

const withoutPadding = (text) => text.replace(/ {2,}/g, ' ');
const numberOf = (text) => WORDS[text.toLowerCase()] ?? Number(text.replaceAll(',', ''));

/** The numbers that a page states at the places of a sentence. */
export const statedNumbers = (text, sentence) =>
  [...withoutPadding(text).matchAll(patternOf(sentence, STATED, '[^\\n]*?', 'gi'))].map(([, number]) =>
    numberOf(number),
  );

/** The number that all of them are; expressions that are none do not count. */
const onlyOne = (values) => {
  const numbers = new Set(values.filter((value) => value !== undefined));
  return numbers.size === 1 ? [...numbers][0] : undefined;
};

const IS_CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** A literal, or a product or quotient of literals and of constants of the same file. Undefined for anything else. */
const evaluated = (expression, source) => {
  const [first, ...rest] = expression.trim().split(/(\s*[*/]\s*)/);
  const factor = (text) => {
    const name = text.trim();
    if (/^[\d_]+(?:\.\d+)?$/.test(name)) return Number(name.replaceAll('_', ''));
    return IS_CONSTANT.test(name) ? declaredNumber(source, name) : undefined;
  };
  let value = factor(first);
  for (let at = 0; at < rest.length && value !== undefined; at += 2) {
    const next = factor(rest[at + 1]);
    if (next === undefined) return undefined;
    value = rest[at].includes('*') ? value * next : value / next;
  }
  return value;
};

/** The number of a constant or property of a source. Undefined where it is absent, ambiguous or no number. */
export const declaredNumber = (source, name) => {
  const declares = IS_CONSTANT.test(name) ? '(?:=|:(?= *\\d))' : '[=:]';
  const pattern = new RegExp(
    `(?<![\\w.'"])${escaped(name)}\\s*(?::[^=;,{}()]+=|${declares})(?![=>])\\s*([^;,\\n})]+)`,
    'g',
  );
  return onlyOne([...source.matchAll(pattern)].map(([, expression]) => evaluated(expression, source)));
};

/** The number at the `#` of a piece of code. Undefined where the code is absent or has several. */
const numberIn = (source, code) => {
  const matches = [...source.replace(/\s+/g, ' ').matchAll(patternOf(code, DECLARED, '.*?', 'g'))];
  return onlyOne(matches.map(([, expression]) => evaluated(expression, source)));
};

const countIn = (source, pattern) => [...source.matchAll(new RegExp(pattern, 'gm'))].length || undefined;

/** What a row binds its statement to: where it stands, and its number. */
const boundTo = (row, { read, defaults }) => {
  if (row.setting !== undefined) {
    const [value, ...others] = defaults.get(row.setting) ?? [];
    return { place: row.setting, value: others.length > 0 || value === '' ? undefined : Number(value) };
  }
  const source = read(row.file);
  if (source === undefined) return { place: row.file, value: undefined };
  if (row.name !== undefined) return { place: `${row.name} of ${row.file}`, value: declaredNumber(source, row.name) };
  if (row.code !== undefined) return { place: `"${row.code}" of ${row.file}`, value: numberIn(source, row.code) };
  return { place: `${row.count} in ${row.file}`, value: countIn(source, row.count) };
};

const TOLERANCE = 1e-9;
const isEqual = (one, other) => Math.abs(one - other) <= TOLERANCE * Math.max(Math.abs(one), Math.abs(other));

/** What is wrong with one row. */
const rowProblems = (row, tree) => {
  const { page, says, unit = 1 } = row;
  const stated = statedNumbers(tree.read(page) ?? '', says);
  const { place, value } = boundTo(row, tree);
  if (value === undefined || Number.isNaN(value))
    return [
      `stated-numbers.json: ${place} is no single number any longer: bind "${says}" of ${page} to its new place.`,
    ];
  if (stated.length === 0)
    return [`stated-numbers.json: ${page} no longer says "${says}": correct or remove the row of ${place}.`];
  return stated
    .filter((number) => !isEqual(number * unit, value))
    .map((number) => `${page} says "${says.replace('#', number)}", but ${place} is ${value}: correct one of them.`);
};

/**
 * Statements that differ from the code, and rows whose statement or constant is gone.
 * @param rows of stated-numbers.json: `page`, `says`; what it equals: `setting`, or `file` with the `name` of a
 * constant, a piece of its `code`, or the `count` of matches of a regular expression; `unit` of the statement in that of
 * the constant
 * @param tree `read` of a file, undefined where it does not exist, and `defaults` of the settings
 */
export const numberProblems = (rows, tree) => rows.flatMap((row) => rowProblems(row, tree));

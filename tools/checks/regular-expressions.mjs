// Fails on a regular expression whose time grows faster than its input, measured on inputs derived from the expression.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../lib/options.mjs';

/** The parser of ESLint's own rules, in the version that ESLint uses. */
const { RegExpParser } = createRequire(createRequire(import.meta.url).resolve('eslint'))('@eslint-community/regexpp');

const LENGTH = 100_000;
const MOST_MS = 50;
/** Lengths that are measured one after the other; the first slow one ends an expression that grows exponentially. */
const LENGTHS = [16, 20, 23, 26, 200, 2_000, 10_000, LENGTH];
/** Most texts that one part of an expression is sampled with. */
const MOST_SAMPLES = 6;

const ALPHABET = [
  ...'aZ0_ é\t\n\r-.,:;/\\"\'<>()[]{}=*+|$@%#!?&~^`Ωß中א\u0001\u0301',
  '\u00a0',
  '\u2019',
  '\ufeff',
  '\u{1f600}',
];

const isRegExp = (node) =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp';

/** The constant arguments of `new RegExp(...)`; undefined when the expression is built from values. */
const constantOf = ({ arguments: given = [] }) =>
  given.length > 0 && given.every(ts.isStringLiteralLike) ? given.map(({ text }) => text) : undefined;

/** All regular expressions of a source. @param file its path from the root */
export const expressionsIn = (file, text) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, expression) =>
    found.push({ at: `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`, expression });
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
    } else if (isRegExp(node)) {
      const constant = constantOf(node);
      add(node, constant === undefined ? undefined : new RegExp(...constant));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const distinct = (texts) => [...new Set(texts)].slice(0, MOST_SAMPLES);
const isSet = ({ type }) => ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass'].includes(type);
const partsOf = (node) => node.alternatives ?? node.elements ?? (node.element === undefined ? [] : [node.element]);
const nodesOf = (node) => (isSet(node) ? [node] : [node, ...partsOf(node).flatMap(nodesOf)]);

/** Samples the parts of one expression: the characters that most of its sets accept come first. */
class Sampler {
  constructor(pattern, flags) {
    this.flags = flags.replaceAll(/[gy]/g, '');
    const sets = nodesOf(pattern).filter(isSet);
    const written = sets.filter(({ type }) => type === 'Character').map(({ value }) => String.fromCodePoint(value));
    const characters = [...new Set([...written, ...ALPHABET])];
    this.accepted = new Map(
      [...new Set(sets.map(({ raw }) => raw))].map((raw) => [raw, this.charactersOf(raw, characters)]),
    );
    const uses = (character) => [...this.accepted.values()].filter((of) => of.includes(character)).length;
    const byUse = new Map(characters.map((character) => [character, uses(character)]));
    for (const of of this.accepted.values()) of.sort((one, other) => byUse.get(other) - byUse.get(one));
    /** A character that the expression accepts least: after a repeated part it makes the match fail. */
    this.refused = characters.sort((one, other) => byUse.get(one) - byUse.get(other))[0];
  }

  charactersOf(raw, characters) {
    const set = new RegExp(`^(?:${raw})$`, this.flags);
    return characters.filter((character) => set.test(character));
  }

  sequence(elements) {
    return elements.reduce(
      (texts, element) => distinct(texts.flatMap((text) => this.of(element).map((more) => text + more))),
      [''],
    );
  }

  /** Texts that a part accepts. Assertions and references are sampled as nothing. */
  of(node) {
    if (isSet(node)) return distinct(this.accepted.get(node.raw));
    if (node.type === 'Group' || node.type === 'CapturingGroup')
      return distinct(node.alternatives.flatMap(({ elements }) => this.sequence(elements)));
    if (node.type !== 'Quantifier') return [''];
    const texts = this.of(node.element);
    const least = texts.map((text) => text.repeat(Math.min(node.min, 50)));
    return distinct(node.min === 0 ? texts.slice(0, MOST_SAMPLES - 1).concat(least) : least);
  }

  /** Texts before a part, from the beginning of the expression. */
  before(node) {
    const { parent } = node;
    if (parent === null || parent.type === 'Pattern') return [''];
    const own =
      parent.type === 'Alternative' ? this.sequence(parent.elements.slice(0, parent.elements.indexOf(node))) : [''];
    return distinct(this.before(parent).flatMap((text) => own.map((more) => text + more)));
  }
}

/** Beginnings, repeated parts and ends of the worst inputs of an expression. */
const attacksOn = ({ source, flags }) => {
  const unicode = flags.includes('u');
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode,
    unicodeSets: flags.includes('v'),
  });
  const repeated = nodesOf(pattern).filter(({ type, max }) => type === 'Quantifier' && max > 1);
  if (repeated.length === 0) return [];
  const sampler = new Sampler(pattern, flags);
  const attacks = repeated.flatMap((node) => {
    const [before, parts] = [sampler.before(node), sampler.of(node.element).filter((text) => text !== '')];
    const beginning = before[0];
    return [
      ...parts.flatMap((part) => [...new Set(['', beginning])].map((start) => [start, part])),
      ...parts.slice(0, 2).map((part) => ['', beginning + part]),
      ...before.filter((text) => text !== '').map((text) => ['', text]),
    ];
  });
  const texts = new Map(attacks.map(([start, part]) => [JSON.stringify([start, part]), { start, part }]));
  return [...texts.values()].map((attack) => ({ ...attack, end: sampler.refused }));
};

const inputOf = ({ start, part, end }, length) => start + part.repeat(Math.ceil(length / part.length)) + end;

/** Processor time of one pass over a text, in ms: other programs of the machine do not count. */
const msOf = (expression, text) => {
  const before = process.cpuUsage();
  text.replace(expression, '');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** The best of three, when the first one is slow: a pause of the runtime is not the expression. */
const measured = (expression, text) => {
  const ms = msOf(expression, text);
  return ms <= MOST_MS || ms > 10 * MOST_MS ? ms : Math.min(ms, msOf(expression, text), msOf(expression, text));
};

/** The first input that an expression is slow on; undefined when it has none. */
export const slowInputOf = (expression) => {
  const global = new RegExp(expression.source, [...new Set(`${expression.flags}g`)].join('').replace('y', ''));
  for (const attack of attacksOn(expression))
    for (const length of LENGTHS) {
      const ms = measured(global, inputOf(attack, length));
      if (ms > MOST_MS) return { ...attack, length, ms };
    }
  return undefined;
};

const SERVED = /^(?:(?:libs|apps)\/.*\/(?:src|assets)\/.*|tools\/stack\/.*)\.(?:ts|js|cjs|mjs)$/;
const TESTS = /\.(?:spec|bench|test)\.|^apps\/e2e\/|^libs\/platform\/testing\//;

/** Problems of the expressions of one source. */
export const expressionProblems = (file, text) =>
  expressionsIn(file, text).flatMap(({ at, expression }) => {
    if (expression === undefined) return [`${at} builds a regular expression from values; compare texts instead.`];
    const slow = slowInputOf(expression);
    if (slow === undefined) return [];
    const { start, part, length, ms } = slow;
    const input = `${JSON.stringify(start)} and then ${JSON.stringify(part)} repeated`;
    return [`${at} has ${expression}, which takes ${ms.toFixed(0)} ms for ${length} characters: ${input}.`];
  });

/** The expressions of what serves requests or reads documents. */
export const regularExpressionProblems = () =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'libs', 'apps', 'tools'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => SERVED.test(file) && !TESTS.test(file))
    .flatMap((file) => expressionProblems(file, readFileSync(join(root, file), 'utf8')));

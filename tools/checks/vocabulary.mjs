// Fails on a name or phrase that docs/glossary.md retires, and on a missing file in the glossary.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../lib/options.mjs';
import {
  allowedNames,
  exempt,
  retiredEndings,
  retiredInside,
  retiredInterfaceEndings,
  retiredNames,
  retiredPhrases,
  retiredWords,
} from './retired-names.mjs';

/** `heldLanes`, `HELD_LANES` and `held-lanes` as `held`, `lanes`. */
export const wordsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '');

const usesOf = (lists) => {
  const uses = new Map();
  for (const [names, use, where] of lists)
    for (const name of names) uses.set(name, [...(uses.get(name) ?? []), { use, where }]);
  return uses;
};
const wordUses = usesOf(retiredWords);
const nameUses = usesOf(retiredNames);
const insideUses = retiredInside.flatMap(([names, use, where]) =>
  names.map((name) => ({ words: ` ${wordsOf(name).join(' ')} `, use, where })),
);
const PAGE = /\.md$|admin-commands\.json$/;
const SOURCE = /\.(?:ts|mjs|cjs|js)$/;

/** A member of an anonymous type repeats a name from a statement or a caller. */
const isOfAnonymousType = ({ parent }) => ts.isTypeLiteralNode(parent.parent);

const declares = (node) => {
  const { parent } = node;
  if (parent === undefined || parent.name !== node || isOfAnonymousType(node)) return false;
  if (ts.isBindingElement(parent))
    return parent.propertyName !== undefined || !ts.isObjectBindingPattern(parent.parent);
  return (
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isGetAccessorDeclaration(parent)
  );
};

const useIn = (uses, name, file) => uses.get(name)?.find(({ where }) => where.test(file))?.use;

const insideOf = (name, file) => {
  const words = ` ${wordsOf(name).join(' ')} `;
  return insideUses.find(({ words: retired, where }) => words.includes(retired) && where.test(file))?.use;
};

const replacementOf = (name, file) =>
  useIn(nameUses, name, file) ??
  insideOf(name, file) ??
  wordsOf(name)
    .map((part) => useIn(wordUses, part, file))
    .find((use) => use !== undefined);

const endingOf = ({ parent, text }) =>
  ts.isInterfaceDeclaration(parent) ? retiredInterfaceEndings.find(([pattern]) => pattern.test(text))?.[1] : undefined;

const SQL =
  /^\s*(?:--|select\b|with \w+ as\b|insert into\b|update [\w.]+ set\b|delete from\b|create (?:table|unique|index)\b|alter )/;

/** Whether a literal, or the template that it is a part of, is a statement. */
const isSql = (node) => {
  const template = ts.isTemplateSpan(node.parent) ? node.parent.parent : node.parent;
  return SQL.test(ts.isTemplateExpression(template) ? template.head.text : node.text);
};

const isText = (node) =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

/** A message: a literal with a space, or such a part of a template. Other literals are names and values. */
const isMessage = (node) => isText(node) && /\s/.test(node.text) && !isSql(node);

const phrasesIn = (text) => retiredPhrases.filter(([pattern]) => pattern.test(text));

const withoutCode = (text) => text.replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, '');

/** Retired names and phrases in a source. @param file its path from the root */
export const sourceProblems = (file, text) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const problems = [];
  const lineOf = (at) => `${file}:${source.getLineAndCharacterOfPosition(at).line + 1}`;
  const seen = new Set();
  const readComments = (ranges) => {
    for (const { pos, end } of ranges ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      for (const [pattern, use] of phrasesIn(withoutCode(text.slice(pos, end))))
        problems.push(`${lineOf(pos)} says ${String(pattern)} in a comment; the glossary says "${use}".`);
    }
  };
  const visit = (node) => {
    readComments(ts.getLeadingCommentRanges(text, node.getFullStart()));
    readComments(ts.getTrailingCommentRanges(text, node.getEnd()));
    if (ts.isIdentifier(node) && declares(node)) {
      const use = replacementOf(node.text, file) ?? endingOf(node);
      const isAllowed = allowedNames.some(([end, name]) => name === node.text && `/${file}`.endsWith(`/${end}`));
      if (use !== undefined && !isAllowed)
        problems.push(`${lineOf(node.getStart())} declares ${node.text}; the glossary says "${use}".`);
    }
    for (const [pattern, use] of isMessage(node) ? phrasesIn(node.text) : [])
      problems.push(`${lineOf(node.getStart())} says ${String(pattern)} in a text; the glossary says "${use}".`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
};

/** Retired phrases of a page, outside its code. */
export const pageProblems = (file, text) =>
  phrasesIn(withoutCode(text)).map(([pattern, use]) => `${file} says ${String(pattern)}; the glossary says "${use}".`);

/** Retired parts of a file name, its ending and its folders. */
export const pathProblems = (file) => {
  const ending = retiredEndings.find(([pattern]) => pattern.test(file));
  if (ending !== undefined) return [`${file} has a retired ending; use ${ending[1]}.`];
  const use = wordsOf(file)
    .map((part) => useIn(wordUses, part, file))
    .find((found) => found !== undefined);
  return use === undefined ? [] : [`${file} has a retired name; the glossary says "${use}".`];
};

const ROW = /^\| ([^|]+) \| ([^|]+) \| `([^`|]+)` +\|$/;

/** Duplicate terms, and missing files. @param there whether a path from the root is a file */
export const glossaryProblems = (text, there) => {
  const rows = text
    .split('\n')
    .map((line) => ROW.exec(line))
    .filter((row) => row !== null)
    .map(([, term, , file]) => ({ term: term.trim(), file: file.trim() }));
  const terms = rows.map(({ term }) => term);
  return [
    ...(rows.length === 0 ? ['docs/glossary.md has no terms.'] : []),
    ...terms.filter((term, at) => terms.indexOf(term) !== at).map((term) => `docs/glossary.md has ${term} twice.`),
    ...rows
      .filter(({ file }) => !there(file))
      .map(({ term, file }) => `docs/glossary.md: ${term} names ${file}, which is not there.`),
  ];
};

const files = () =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .filter((file) => file !== '' && !exempt.test(file) && existsSync(join(root, file)));

/** All retired names in this checkout. */
export const vocabularyProblems = () => [
  ...files().flatMap((file) => {
    const problems = pathProblems(file);
    if (SOURCE.test(file)) return [...problems, ...sourceProblems(file, readFileSync(join(root, file), 'utf8'))];
    if (PAGE.test(file)) return [...problems, ...pageProblems(file, readFileSync(join(root, file), 'utf8'))];
    return problems;
  }),
  ...glossaryProblems(readFileSync(join(root, 'docs', 'glossary.md'), 'utf8'), (file) => existsSync(join(root, file))),
];

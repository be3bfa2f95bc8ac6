// Nothing that Nest injects may be absent. An engine that is optional is a strategy with an honest default, such as
// `NoCopies`, or a module that is imported where it is needed; a default value of the parameter counts as one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const INSTEAD = 'inject a strategy with an honest default';

const isAbsentType = (type) =>
  type.kind === ts.SyntaxKind.UndefinedKeyword ||
  (ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword) ||
  (ts.isUnionTypeNode(type) && type.types.some(isAbsentType)) ||
  (ts.isTypeReferenceNode(type) &&
    type.typeName.getText() === 'Promise' &&
    (type.typeArguments ?? []).some(isAbsentType));

const mayBeAbsent = ({ type, questionToken, initializer }) =>
  (questionToken !== undefined && initializer === undefined) || (type !== undefined && isAbsentType(type));

/** Whether an expression may yield null or undefined, as far as its text shows. */
const yieldsAbsent = (expression) => {
  if (expression.kind === ts.SyntaxKind.NullKeyword) return true;
  if (ts.isIdentifier(expression)) return expression.text === 'undefined';
  if (ts.isParenthesizedExpression(expression) || ts.isAwaitExpression(expression))
    return yieldsAbsent(expression.expression);
  if (ts.isConditionalExpression(expression))
    return yieldsAbsent(expression.whenTrue) || yieldsAbsent(expression.whenFalse);
  return ts.isBinaryExpression(expression) && yieldsAbsent(expression.right);
};

/** The expressions that a function returns, without those of functions inside it. */
const resultsOf = ({ body }) => {
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body];
  const results = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression !== undefined) results.push(node.expression);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return results;
};

const isFunction = (node) =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node);

/** The function that a name of this file stands for. */
const functionNamed = (file, name) => {
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement;
    if (!ts.isVariableStatement(statement)) continue;
    const found = statement.declarationList.declarations.find((each) => each.name.getText() === name)?.initializer;
    if (found !== undefined && isFunction(found)) return found;
  }
  return undefined;
};

const factoryProblems = (file, value) => {
  const factory = ts.isIdentifier(value) ? functionNamed(file, value.text) : value;
  if (factory === undefined || !isFunction(factory)) return [];
  const absent = factory.parameters.filter(mayBeAbsent);
  const makesNone = (factory.type !== undefined && isAbsentType(factory.type)) || resultsOf(factory).some(yieldsAbsent);
  return [
    ...absent.map((parameter) => [parameter, `a factory takes ${parameter.name.getText()}, which may be absent`]),
    ...(makesNone ? [[factory, 'a factory may make no provider']] : []),
  ];
};

/** What is wrong with `{ provide, useFactory }` and `{ provide, useValue }`. */
const providerProblems = (file, literal) => {
  const named = new Map(
    literal.properties.filter(ts.isPropertyAssignment).map(({ name, initializer }) => [name.getText(), initializer]),
  );
  if (!named.has('provide')) return [];
  const [factory, value] = [named.get('useFactory'), named.get('useValue')];
  return [
    ...(factory === undefined ? [] : factoryProblems(file, factory)),
    ...(value !== undefined && yieldsAbsent(value) ? [[value, 'the value of a provider may be absent']] : []),
  ];
};

const isInjected = (owner, parameter) =>
  (ts.getDecorators(owner) ?? []).length > 0 || (ts.getDecorators(parameter) ?? []).length > 0;

const constructorProblems = (node) =>
  node.parameters
    .filter((parameter) => isInjected(node.parent, parameter) && mayBeAbsent(parameter))
    .map((parameter) => [
      parameter,
      `${node.parent.name?.text} is injected ${parameter.name.getText()}, which may be absent`,
    ]);

/** What is wrong in one file. @param path from the root */
export const absentProviders = (path, text) => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node)) found.push(...providerProblems(file, node));
    if (ts.isConstructorDeclaration(node)) found.push(...constructorProblems(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.map(([node, problem]) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    return `${path}:${line + 1} ${problem}: ${INSTEAD}.`;
  });
};

const isSource = (name) => /\.ts$/.test(name) && !/\.(spec|d)\.ts$/.test(name);

/** What is wrong below the sources of some projects. @param folders from the root */
export const absentProviderProblems = (root, folders) =>
  folders.flatMap((folder) => {
    const source = join(folder, 'src');
    const names = readdirSync(join(root, source), { recursive: true, encoding: 'utf8' }).filter(isSource);
    return names
      .map((name) => join(source, name))
      .flatMap((path) => absentProviders(path, readFileSync(join(root, path), 'utf8')));
  });

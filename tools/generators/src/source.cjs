// Edits of TypeScript files: imports, members of a class, parameters of its constructor.
const ts = require('typescript');

const parse = (text) => ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);

const insert = (text, at, added) => `${text.slice(0, at)}${added}${text.slice(at)}`;

/** The name of the first `@Injectable` class of a file. @throws where it has none */
const injectableIn = (text) => {
  const found = parse(text).statements.find(
    (each) =>
      ts.isClassDeclaration(each) &&
      (ts.getDecorators(each) ?? []).some(({ expression }) => expression.getText().startsWith('Injectable')),
  );
  if (found === undefined) throw new Error('A file without an @Injectable class cannot get a method.');
  return found.name.text;
};

const classIn = (text, name) => {
  const found = parse(text).statements.find((each) => ts.isClassDeclaration(each) && each.name?.text === name);
  if (found === undefined) throw new Error(`There is no class ${name}.`);
  return found;
};

const importsOf = (text, from) =>
  parse(text).statements.filter(
    (each) => ts.isImportDeclaration(each) && each.moduleSpecifier.text === from && each.importClause?.namedBindings,
  );

const namedIn = (declaration) => {
  const { namedBindings } = declaration.importClause;
  return ts.isNamedImports(namedBindings) ? namedBindings.elements : [];
};

const bare = (name) => name.replace(/^type /, '');

const isType = (name) => name.startsWith('type ');
const importLine = (missing) =>
  missing.every(isType) ? `import type { ${missing.map(bare).join(', ')} }` : `import { ${missing.join(', ')} }`;

/** Imports names that a file lacks; `type X` imports a type. */
const withImports = (text, from, names) => {
  const declarations = importsOf(text, from);
  const imported = declarations.flatMap(namedIn).map((element) => element.name.text);
  const missing = names.filter((name) => !imported.includes(bare(name)));
  if (missing.length === 0) return text;
  const open = declarations.find((each) => !each.importClause.isTypeOnly && namedIn(each).length > 0);
  if (open !== undefined) return insert(text, namedIn(open).at(-1).end, `, ${missing.join(', ')}`);
  const types = declarations.find((each) => each.importClause.isTypeOnly && namedIn(each).length > 0);
  if (types !== undefined && missing.every(isType))
    return insert(text, namedIn(types).at(-1).end, `, ${missing.map(bare).join(', ')}`);
  const all = parse(text).statements.filter(ts.isImportDeclaration);
  const isNear = (specifier) => specifier.startsWith('.');
  // Packages stand above files.
  const last = all.filter(({ moduleSpecifier }) => isNear(from) || !isNear(moduleSpecifier.text)).at(-1);
  const line = `${importLine(missing)} from '${from}';\n`;
  return last === undefined ? `${line}${all.length === 0 ? '\n' : ''}${text}` : insert(text, last.end + 1, line);
};

const isPrivate = (member) =>
  ts.isMethodDeclaration(member) && member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);

/** Adds a member to a class, above its private methods. */
const withMember = (text, className, member) => {
  const found = classIn(text, className);
  const below = found.members.find(isPrivate);
  return below === undefined
    ? insert(text, found.end - 1, `\n${member}\n`)
    : insert(text, below.getFullStart(), `\n${member}\n`);
};

/** Whether a class has a member of this name. */
const hasMember = (text, className, name) =>
  classIn(text, className).members.some((member) => member.name?.getText() === name);

/**
 * A class whose constructor has a provider of this type.
 * @returns the text, and the property that has the provider
 */
const withProvider = (text, className, type, property) => {
  const found = classIn(text, className);
  const existing = found.members.find(ts.isConstructorDeclaration);
  const parameter = existing?.parameters.find((each) => each.type?.getText() === type);
  if (parameter !== undefined) return { text, property: parameter.name.getText() };
  const added = `private readonly ${property}: ${type}`;
  if (existing === undefined) {
    const opening = text.indexOf('{', found.name.end) + 1;
    return { text: insert(text, opening, `\n  constructor(${added}) {}\n`), property };
  }
  const last = existing.parameters.at(-1);
  if (last === undefined) throw new Error(`The constructor of ${className} has no parameters; remove it.`);
  return { text: insert(text, last.end, `, ${added}`), property };
};

const textOf = (node) => (ts.isStringLiteral(node) ? node.text : node.getText());

/** The objects of a list that a file declares: where each ends, and the text of its properties. */
const elementsOf = (text, list) => {
  const declarations = parse(text)
    .statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations);
  const { initializer } = declarations.find(({ name }) => name.getText() === list);
  return initializer.elements.map((element) => ({
    end: element.end,
    properties: Object.fromEntries(
      element.properties
        .filter(ts.isPropertyAssignment)
        .map((property) => [property.name.getText(), textOf(property.initializer)]),
    ),
  }));
};

module.exports = { elementsOf, hasMember, injectableIn, withImports, withMember, withProvider };

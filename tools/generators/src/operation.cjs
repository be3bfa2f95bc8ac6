const { basename, dirname, posix } = require('node:path');
const { visitNotIgnoredFiles } = require('@nx/devkit');
const { contractedRow } = require('./contracted.cjs');
const { placeOf } = require('./domains.cjs');
const { bedOf, camel, formatFiles, kebab, pascal } = require('./lib.cjs');
const { hasMember, injectableIn, withImports, withMember, withProvider } = require('./source.cjs');

const CONTRACTS = 'libs/contracts/src';

const quoted = (values) => values.map((value) => `'${value}'`).join(', ');

/** The names of an operation in the code. */
const namesOf = (code) => {
  const [domain, action] = code.split('.');
  const name = `${kebab(action)}-${kebab(domain)}`;
  return { code, domain, action: camel(action), constant: camel(name), type: pascal(name) };
};

/** What the templates need to know. */
const subjectOf = (tree, code, kind) => {
  const place = placeOf(code);
  const row = { ...contractedRow(tree, code), ...(kind === undefined ? {} : { kind }) };
  return { ...namesOf(code), place, ...row, confirms: row.kind === 'write_confirm', writes: row.kind !== 'read' };
};

const requestOf = ({ type }) => `
/** Describe the input of the operation. */
export class ${type}Request {
  @Text({ max: 200, description: 'Describe the field' }) readonly name!: string;
}

export class ${type}Result {
  @Text({ max: 200, description: 'Describe the field' }) readonly name!: string;
}
`;

/** The contract of a preview. */
const previewOf = ({ code, type, place }) => `
/** The effect of an execution, counted by its preview. */
export class ${type}Effect {
  @Int({ description: 'Rows that an execution changes' }) readonly total!: number;
}

export const preview${type} = call({
  code: '${code.replace('.', '.preview_')}',
  owner: '${place.library}',
  effect: 'read',
  scope: 'user',
  callers: ['operations'],
  input: ${type}Request,
  output: ${type}Effect,
});
`;

const declarationOf = ({ code, constant, type, place, kind, profile, screens, confirms }) => `
/** Describe the result of the operation and its errors. */
export const ${constant} = operation({
  code: '${code}',
  owner: '${place.library}',
  kind: '${kind}',
  profile: '${profile}',
  screens: [${quoted(screens)}],
  summary: 'Describe the operation in one sentence.',
  ${confirms ? `preview: preview${type},\n  ` : ''}input: ${type}Request,
  output: ${type}Result,
});
`;

const addContract = (tree, subject) => {
  const { place, confirms } = subject;
  const source = tree.read(place.contract, 'utf8').replace(/^export \{\};\n/m, '');
  let text = withImports(source, '../fields', ['Text', ...(confirms ? ['Int'] : [])]);
  text = withImports(text, '../operation', ['operation']);
  if (confirms) text = withImports(text, '../calls', ['call']);
  tree.write(
    place.contract,
    `${text}${requestOf(subject)}${confirms ? previewOf(subject) : ''}${declarationOf(subject)}`,
  );
};

/** The table is named like its store. */
const tableOf = ({ place }) => `${place.library}.${basename(place.store, '.store.ts').replaceAll('-', '_')}`;

/** A condition on one row; the placeholder of the SQL that the operation needs. */
const ONE = 'r.group_id = $1 and r.name = $2';

const queryOf = (subject) => {
  const { confirms, writes } = subject;
  const table = tableOf(subject);
  if (confirms) return '`delete from ${from} where ${where} returning r.name`, params';
  return writes
    ? `'insert into ${table} (group_id, name) values ($1, $2) returning name', [tx.groupId, name]`
    : `'select r.name from ${table} r where ${ONE}', [tx.groupId, name]`;
};

const selectionOf = (subject, selection) => `
  /** The rows that ${subject.code} affects: its preview counts them, its execution changes them. */
  ${selection}({ groupId }: Transaction, { name }: ${subject.type}Request): Selection<'affected'> {
    const affected = { from: '${tableOf(subject)} r', where: '${ONE}' };
    return { rows: { affected }, params: [groupId, name] };
  }
`;

/** A method of the store, with the selection of a `write_confirm`. */
const storeMethodOf = (subject, { method, selection }) => {
  const { type, confirms } = subject;
  const input = confirms ? `request: ${type}Request` : `{ name }: ${type}Request`;
  const selected = confirms
    ? `const { rows, params } = this.${selection}(tx, request);
    const { from, where } = rows.affected;
    `
    : '';
  return `${confirms ? selectionOf(subject, selection) : ''}
  /** @throws NotFound where the group has no such row */
  async ${method}(tx: Transaction, ${input}): Promise<${type}Result> {
    ${selected}const [row] = await tx.query<${type}Result>(${queryOf(subject)});
    if (row === undefined) throw new NotFound();
    return row;
  }`;
};

/** The first of these names that a class does not have. @throws where it has them all */
const freeName = (text, className, names) => {
  const free = names.find((name) => !hasMember(text, className, name));
  if (free === undefined) throw new Error(`${className} has ${names.join(' and ')} already.`);
  return free;
};

/** @returns the class of the store, and its new methods */
const addToStore = (tree, subject) => {
  const { place, type, action, constant, confirms } = subject;
  const source = tree.read(place.store, 'utf8');
  const store = injectableIn(source);
  const method = freeName(source, store, [action, constant]);
  const selection = freeName(source, store, ['selectAffected', `selectAffectedBy${type}`]);
  let text = withMember(source, store, storeMethodOf(subject, { method, selection }));
  text = withImports(text, '@acervo/contracts', ['NotFound', `type ${type}Request`, `type ${type}Result`]);
  const types = ['type Transaction', ...(confirms ? ['type Selection'] : [])];
  tree.write(place.store, withImports(text, '@acervo/platform-database', types));
  return { store, method, selection };
};

const readMethod = ({ constant, type }, { name, store, method }) => `
  @Handles(${constant})
  ${name}(scope: Scope, request: ${type}Request): Promise<${type}Result> {
    return this.database.read(scope, (tx) => this.${store}.${method}(tx, request));
  }`;

const writeMethod = ({ constant, type }, { name, store, method }) => `
  @Handles(${constant})
  ${name}(_scope: Scope, request: ${type}Request, context: WriteContext): Promise<${type}Result> {
    return context.write((tx) => this.${store}.${method}(tx, request));
  }`;

const previewMethod = ({ type }, { previewName, store, selection }) => `
  @Handles(preview${type})
  ${previewName}(scope: Scope, request: ${type}Request): Promise<${type}Effect> {
    return this.database.read(scope, async (tx) => {
      const { affected } = await countSelected(tx, this.${store}.${selection}(tx, request));
      return { total: affected };
    });
  }
`;

const contractNames = ({ constant, type, confirms }) => [
  ...[constant, `type ${type}Request`, `type ${type}Result`],
  ...(confirms ? [`preview${type}`, `type ${type}Effect`] : []),
];

const relative = (from, to) => {
  const path = posix.relative(dirname(from), to.replace(/\.ts$/, ''));
  return path.startsWith('.') ? path : `./${path}`;
};

/** The handlers with the providers that the new methods use. */
const withProviders = (source, handlers, subject, stored) => {
  const { domain, place, confirms, writes } = subject;
  const { text, property } = withProvider(source, handlers, stored.store, camel(domain));
  const imported = withImports(text, relative(place.handlers, place.store), [stored.store]);
  if (writes && !confirms) return { text: imported, property };
  const named = ['Database', ...(confirms ? ['countSelected'] : [])];
  const read = withProvider(imported, handlers, 'Database', 'database');
  return { text: withImports(read.text, '@acervo/platform-database', named), property };
};

const addToHandlers = (tree, subject, stored) => {
  const { place, action, constant, type, confirms, writes } = subject;
  const source = tree.read(place.handlers, 'utf8');
  const handlers = injectableIn(source);
  const provided = withProviders(source, handlers, subject, stored);
  const names = {
    ...stored,
    store: provided.property,
    name: freeName(source, handlers, [action, constant]),
    previewName: freeName(source, handlers, [`preview${pascal(action)}`, `preview${type}`]),
  };
  const method = writes ? writeMethod(subject, names) : readMethod(subject, names);
  let text = withMember(provided.text, handlers, `${confirms ? previewMethod(subject, names) : ''}${method}`);
  text = withImports(text, '@acervo/contracts', contractNames(subject));
  text = withImports(text, '@acervo/platform-calls', ['Handles', ...(writes ? ['type WriteContext'] : [])]);
  tree.write(place.handlers, withImports(text, '@acervo/rbac', ['type Scope']));
};

const previewTestOf = ({ code, constant, type }) => `
  it('the preview of ${code} counts what its execution changes', async () => {
    const administrator = administratorOf(newGroup());
    const { total } = await bed.send(preview${type}, administrator, { name: 'Describe a row' });
    expect(total).toBe(1);
    await bed.send(${constant}, administrator, { name: 'Describe a row' });
  });
`;

const testsOf = (subject) => `
describe('${subject.code}', () => {
  it('${subject.code} returns what its contract declares', async () => {
    const result = await bed.send(${subject.constant}, administratorOf(newGroup()), { name: 'Describe a row' });
    expect(result).toEqual('write this test');
  });
${subject.confirms ? previewTestOf(subject) : ''}});
`;

const addSpec = (tree, subject) => {
  const { place, constant, type, confirms } = subject;
  const source = tree.exists(place.spec) ? tree.read(place.spec, 'utf8') : bedOf('administratorOf', 'newGroup');
  const text = withImports(source, '@acervo/contracts', [constant, ...(confirms ? [`preview${type}`] : [])]);
  tree.write(place.spec, `${text}${testsOf(subject)}`);
};

/** Whether a contract declares the operation: it may live apart from its domain. */
const isDeclared = (tree, code) => {
  let found = false;
  visitNotIgnoredFiles(tree, CONTRACTS, (path) => {
    if (path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      found ||= tree.read(path, 'utf8').includes(`code: '${code}'`);
  });
  return found;
};

const assertReady = (tree, { code, domain, place }) => {
  if (place.store === null) throw new Error(`The row of ${code} in domains.cjs names no store; name one.`);
  const missing = [place.contract, place.handlers, place.store].filter((path) => !tree.exists(path));
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')} is missing; run \`npx nx g @acervo/tools:feature ${domain}\` first.`);
  if (isDeclared(tree, code)) throw new Error(`${code} is declared already.`);
};

/**
 * An operation, in at most four files: its contract, a method of the handlers and of the store of its domain, and a spec.
 * Kind, profile and screens come from the contract's table.
 * `npx nx g @acervo/tools:operation spaces.annotate --kind=write`
 */
module.exports = async (tree, { code, kind }) => {
  if (!/^\w+\.\w+$/.test(code)) throw new Error('An operation is named domain.action, such as spaces.create.');
  const subject = subjectOf(tree, code, kind);
  assertReady(tree, subject);
  addContract(tree, subject);
  addToHandlers(tree, subject, addToStore(tree, subject));
  addSpec(tree, subject);
  await formatFiles(tree);
};

const { contractedRow } = require('./contracted.cjs');
const {
  addToModule,
  camel,
  create,
  ensureFeature,
  exportContract,
  formatFiles,
  kebab,
  pascal,
  serviceFor,
} = require('./lib.cjs');

const quoted = (values) => values.map((value) => `'${value}'`).join(', ');

/** The contract of a preview. */
const previewOf = (name, code, owner) => `
/** The effect of an execution, counted by its preview. */
export class ${pascal(name)}Effect {
  @Int({ description: 'Objects that an execution changes' }) readonly total!: number;
}

export const preview${pascal(name)} = call({
  code: '${code.replace('.', '.preview_')}',
  owner: '${owner}',
  effect: 'read',
  scope: 'user',
  callers: ['operations'],
  input: ${pascal(name)}Request,
  output: ${pascal(name)}Effect,
});
`;

const contractOf = (name, code, owner, { kind, profile, screens }) => {
  const confirms = kind === 'write_confirm';
  return `${confirms ? "import { call } from '../calls';\n" : ''}import { Code${confirms ? ', Int' : ''} } from '../fields';
import { operation } from '../operation';

export class ${pascal(name)}Request {
  @Code({ description: 'Describe the field' }) readonly code!: string;
}

export class ${pascal(name)}Result {
  @Code({ description: 'Describe the field' }) readonly code!: string;
}
${confirms ? previewOf(name, code, owner) : ''}
/** Describe the result of the operation and its errors. */
export const ${camel(name)} = operation({
  code: '${code}',
  owner: '${owner}',
  kind: '${kind}',
  profile: '${profile}',
  screens: [${quoted(screens)}],
  summary: 'Describe the operation in one sentence.',
  ${confirms ? `preview: preview${pascal(name)},\n  ` : ''}input: ${pascal(name)}Request,
  output: ${pascal(name)}Result,
});
`;
};

const readHandler = (name) => `
  @Handles(${camel(name)})
  ${camel(name)}(scope: Scope, { code }: ${pascal(name)}Request): Promise<${pascal(name)}Result> {
    return this.database.read(scope, async (tx) => {
      const [row] = await tx.query<${pascal(name)}Result>('select $1::text as code', [code]);
      if (row === undefined) throw new NotFound();
      return row;
    });
  }
`;

const writeHandler = (name) => `
  @Handles(${camel(name)})
  ${camel(name)}(_scope: Scope, { code }: ${pascal(name)}Request, context: WriteContext): Promise<${pascal(name)}Result> {
    return context.write(async (tx) => {
      const [row] = await tx.query<${pascal(name)}Result>('select $1::text as code', [code]);
      if (row === undefined) throw new NotFound();
      return row;
    });
  }
`;

const previewHandler = (name) => `
  @Handles(preview${pascal(name)})
  preview(scope: Scope, { code }: ${pascal(name)}Request): Promise<${pascal(name)}Effect> {
    return this.database.read(scope, async (tx) => {
      const rows = await tx.query('select $1::text as code', [code]);
      return { total: rows.length };
    });
  }
`;

const handlersOf = (name, kind) => {
  const [confirms, writes] = [kind === 'write_confirm', kind !== 'read'];
  const imported = [
    camel(name),
    `type ${pascal(name)}Request`,
    `type ${pascal(name)}Result`,
    'NotFound',
    ...(confirms ? [`preview${pascal(name)}`, `type ${pascal(name)}Effect`] : []),
  ];
  const usesDatabase = confirms || !writes;
  return `import { Injectable } from '@nestjs/common';
import { ${imported.join(', ')} } from '@acervo/contracts';
import { Handles${writes ? ', type WriteContext' : ''} } from '@acervo/platform-calls';
${usesDatabase ? "import { Database } from '@acervo/platform-database';\n" : ''}import type { Scope } from '@acervo/rbac';

@Injectable()
export class ${pascal(name)}Handlers {
${usesDatabase ? '  constructor(private readonly database: Database) {}\n' : ''}${confirms ? previewHandler(name) : ''}${
    writes ? writeHandler(name) : readHandler(name)
  }}
`;
};

const specOf = (name, code) => `import { ${camel(name)} } from '@acervo/contracts';

describe('${code}', () => {
  it('${code} returns what its contract declares', () => {
    expect(\`write this test for \${${camel(name)}.code}\`).toBe('written');
  });
});
`;

/**
 * An operation, in five files: contract, its index, handlers, module, spec. Kind, profile and screens come from the
 * contract's table. `npx nx g @acervo/tools:operation spaces.create`
 */
module.exports = async (tree, options) => {
  const { code } = options;
  const [domain, action] = code.split('.');
  if (action === undefined) throw new Error('An operation is named domain.action, such as spaces.create.');
  const service = serviceFor(domain, options.service);
  const row = { ...contractedRow(tree, code), ...(options.kind === undefined ? {} : { kind: options.kind }) };
  const name = `${kebab(action)}-${kebab(domain)}`;
  create(tree, `libs/contracts/src/${kebab(domain)}/${name}.ts`, contractOf(name, code, service, row));
  exportContract(tree, kebab(domain), name);
  const { folder, module: featureModule } = ensureFeature(tree, service, options.feature ?? domain);
  create(tree, `${folder}/${name}.handlers.ts`, handlersOf(name, row.kind));
  create(tree, `${folder}/${name}.handlers.spec.ts`, specOf(name, code));
  addToModule(tree, featureModule, 'providers', `${pascal(name)}Handlers`, `./${name}.handlers`);
  await formatFiles(tree);
};

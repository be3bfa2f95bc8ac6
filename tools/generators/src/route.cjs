const { addToModule, camel, create, formatFiles, kebab, pascal } = require('./lib.cjs');

/** A route of `/v1` that presents a call: `npx nx g @acervo/tools:route spaces --call listSpaces`. */
module.exports = async (tree, options) => {
  const { path, call, method = 'Get', requirement = 'readsDocuments' } = options;
  const { request = `${pascal(call)}Request`, answer = `${pascal(call)}Result` } = options;
  const source = ['Get', 'Delete'].includes(method) ? 'Query' : 'Body';
  const folder = `libs/gateway/src/${kebab(path)}`;
  const [file, type] = [`${kebab(path)}.controller`, `${pascal(path)}Controller`];
  create(
    tree,
    `${folder}/${file}.ts`,
    `import { ${source}, Controller, ${method} } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ${call}, ${request}, ${answer} } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { ${requirement}, Requires, type Scope } from '@acervo/rbac';

@ApiTags('${path}')
@ApiBearerAuth('credential')
@Controller('v1/${path}')
export class ${type} {
  constructor(private readonly calls: Calls) {}

  @${method}()
  @Requires(${requirement})
  @Answers(${answer})
  @ApiOperation({ summary: 'Describe the answer in one sentence' })
  ${camel(`${method.toLowerCase()}-${path}`)}(@Caller() scope: Scope, @${source}() request: ${request}): Promise<${answer}> {
    return this.calls.send(${call}, scope, request);
  }
}
`,
  );
  create(
    tree,
    `${folder}/${kebab(path)}.module.ts`,
    `import { Module } from '@nestjs/common';
import { ${type} } from './${file}';

/** Describe in one sentence what these routes answer. */
@Module({ controllers: [${type}] })
export class ${pascal(path)}Module {}
`,
  );
  create(
    tree,
    `${folder}/${file}.spec.ts`,
    `import { ${type} } from './${file}';

describe('/v1/${path}', () => {
  it('the route /v1/${path} returns the result of its call', () => {
    expect(\`write this test for \${${type}.name}\`).toBe('written');
  });
});
`,
  );
  addToModule(
    tree,
    'libs/gateway/src/gateway.module.ts',
    'imports',
    `${pascal(path)}Module`,
    `./${kebab(path)}/${kebab(path)}.module`,
  );
  await formatFiles(tree);
};

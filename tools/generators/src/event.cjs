const { addToModule, camel, create, ensureFeature, exportContract, formatFiles, kebab, pascal } = require('./lib.cjs');

/** An event and its consumer: `npx nx g @acervo/tools:event space.refreshed --producer retrieval --subscriber ingestion --feature documents`. */
module.exports = async (tree, { name, producer, subscriber, feature }) => {
  const [subject, fact] = name.split('.');
  const [file, type] = [`${kebab(name)}.event`, pascal(name)];
  create(
    tree,
    `libs/contracts/src/${kebab(subject)}/${file}.ts`,
    `import { event } from '../events';
import { Code } from '../fields';

/** Names the ${subject} of the event. */
export class ${type} {
  @Code({ description: 'Code of the ${subject}' }) readonly code!: string;
}

/** A ${subject} was ${fact}. */
export const ${camel(name)} = event({
  topic: '${name}.v1',
  producer: '${producer}',
  subscribers: ['${subscriber}'],
  payload: ${type},
  key: ({ code }) => code,
});
`,
  );
  exportContract(tree, kebab(subject), file);
  const { folder, module: featureModule } = ensureFeature(tree, subscriber, feature);
  const consumer = `${kebab(name)}.consumer`;
  create(
    tree,
    `${folder}/${consumer}.ts`,
    `import { Injectable } from '@nestjs/common';
import { ${camel(name)}, type ${type} } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';

/** Updates the rows of this service that depend on the event. */
@Injectable()
export class ${type}Consumer {
  @On(${camel(name)})
  async note(_scope: WorkScope, tx: Transaction, { code }: ${type}): Promise<void> {
    await tx.query('select $1::text', [code]);
  }
}
`,
  );
  create(
    tree,
    `${folder}/${consumer}.spec.ts`,
    `import { ${camel(name)} } from '@acervo/contracts';

describe('the event ${name}', () => {
  it('the event ${name} updates the rows of this service once', () => {
    expect(\`write this test for \${${camel(name)}.topic}\`).toBe('written');
  });
});
`,
  );
  addToModule(tree, featureModule, 'providers', `${type}Consumer`, `./${consumer}`);
  await formatFiles(tree);
};

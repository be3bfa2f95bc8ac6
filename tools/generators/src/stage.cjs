const { addToModule, camel, create, ensureFeature, formatFiles, kebab, pascal } = require('./lib.cjs');

/** A stage of work: `npx nx g @acervo/tools:stage classify --service ingestion --feature classification`. */
module.exports = async (tree, { name, service, feature }) => {
  const { folder, module: featureModule } = ensureFeature(tree, service, feature);
  const [file, type] = [`${kebab(name)}.stage`, `${pascal(name)}Stage`];
  create(
    tree,
    `${folder}/${file}.ts`,
    `import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { type Lease, RunsStage, type Stage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';

export const ${camel(name)}Stage: Stage = { name: '${kebab(name)}', batch: 8, leaseSeconds: 60, attempts: 5 };

/** Describe in one sentence what this stage does with a task. */
@Injectable()
export class ${type} {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
  ) {}

  @RunsStage(${camel(name)}Stage)
  async work(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) await this.database.write(scope, (tx) => this.tasks.complete(tx, lease));
  }
}
`,
  );
  create(
    tree,
    `${folder}/${file}.spec.ts`,
    `import { ${camel(name)}Stage } from './${file}';

describe('the stage ${kebab(name)}', () => {
  it('the stage ${kebab(name)} commits its result with the lease', () => {
    expect(\`write this test for \${${camel(name)}Stage.name}\`).toBe('written');
  });
});
`,
  );
  addToModule(tree, featureModule, 'providers', type, `./${file}`);
  await formatFiles(tree);
};

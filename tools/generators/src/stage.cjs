const { addToModule, bedOf, constantOf, create, ensureFeature, formatFiles, kebab, pascal } = require('./lib.cjs');
const { withImports } = require('./source.cjs');

/**
 * A stage of work beside the pipeline of documents, for which there is `step`:
 * `npx nx g @acervo/tools:stage weigh --service=retrieval --feature=spaces`.
 */
module.exports = async (tree, { name, service, feature }) => {
  const { folder, module: featureModule } = ensureFeature(tree, service, feature);
  const [file, type, constant] = [`${kebab(name)}.stage`, `${pascal(name)}Stage`, constantOf(name)];
  create(
    tree,
    `${folder}/${file}.ts`,
    `import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { type Lease, RunsStage, type Stage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';

export const ${constant}: Stage = { name: '${kebab(name)}', batch: 8, leaseSeconds: 60, attempts: 5 };

/** Describe in one sentence what this stage does with a task. */
@Injectable()
export class ${type} {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
  ) {}

  @RunsStage(${constant})
  async work(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) await this.database.write(scope, (tx) => this.tasks.complete(tx, lease));
  }
}
`,
  );
  create(
    tree,
    `${folder}/${file}.spec.ts`,
    `${withImports(bedOf('newGroup'), `./${file}`, [constant])}
describe('the stage ${kebab(name)}', () => {
  it('the stage ${kebab(name)} commits its result with the lease', async () => {
    const worked = await bed.runBatch(newGroup(), ${constant}.name);
    expect(worked).toBe('write this test');
  });
});
`,
  );
  addToModule(tree, featureModule, 'providers', type, `./${file}`);
  await formatFiles(tree);
};

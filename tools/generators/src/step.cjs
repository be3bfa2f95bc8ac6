const { constantOf, create, formatFiles, kebab, pascal } = require('./lib.cjs');
const { elementsOf, withImports } = require('./source.cjs');

const FOLDER = 'libs/ingestion/src/pipeline';
const TABLE = `${FOLDER}/pipeline-table.ts`;

const stepOf = (name, type) => `import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import type { Stage } from '@acervo/platform-queue';
import type { WorkingDocument } from '../../document-state/working-document.store';
import type { Step, StepContext, StepOutput } from './step';

export const ${constantOf(name)}: Stage = { name: '${kebab(name)}', batch: 32, leaseSeconds: 30, attempts: 6 };

/** Describe in one sentence what this step does with a document. */
@Injectable()
export class ${type} implements Step {
  work(_scope: TenantScope, _document: WorkingDocument, _context: StepContext): Promise<StepOutput> {
    return Promise.resolve({ patch: {}, objects: [] });
  }
}
`;

const specOf = (name, type) => `import type { WorkingDocument } from '../../document-state/working-document.store';
import { pipelineOrder } from '../pipeline-table';
import type { StepContext } from './step';
import { ${constantOf(name)}, ${type} } from './${kebab(name)}.step';

describe('the step ${kebab(name)}', () => {
  it('the step ${kebab(name)} fills the columns of its row', async () => {
    const output = await new ${type}().work({ groupId: 'group' }, {} as WorkingDocument, {} as StepContext);
    expect(Object.keys(output.patch)).toEqual(pipelineOrder.rowOf(${constantOf(name)})?.columns);
    expect(output).toEqual('write this test');
  });
});
`;

/** A row without a state of its own: documents pass it between two states. */
const rowOf = (name, type, { to, publicProcess }) => `{
    stage: ${constantOf(name)},
    from: '${to}',
    to: '${to}',
    columns: [],
    resultKey: null,
    isCheap: true,
    publicProcess: '${publicProcess}',
    step: ${type},
  }`;

/** The row of a stage. @throws where the table has none */
const rowBefore = (text, stage) => {
  const found = elementsOf(text, 'PIPELINE').find(({ properties }) => properties.stage === constantOf(stage));
  if (found === undefined) throw new Error(`${TABLE} has no row of ${constantOf(stage)}.`);
  return found;
};

/**
 * A step of the pipeline of documents, in three files: its row in the table, the step and a failing test:
 * `npx nx g @acervo/tools:step weigh --after=extract`.
 */
module.exports = async (tree, { name, after }) => {
  const [file, type] = [`${kebab(name)}.step`, `${pascal(name)}Step`];
  create(tree, `${FOLDER}/steps/${file}.ts`, stepOf(name, type));
  create(tree, `${FOLDER}/steps/${file}.spec.ts`, specOf(name, type));
  const text = tree.read(TABLE, 'utf8');
  const { end, properties } = rowBefore(text, after);
  const row = rowOf(name, type, properties);
  const inserted = `${text.slice(0, end)},\n  ${row}${text.slice(end)}`;
  tree.write(TABLE, withImports(inserted, `./steps/${file}`, [constantOf(name), type]));
  await formatFiles(tree);
};

const { eventsOf } = require('./domains.cjs');
const {
  addToModule,
  assertService,
  bedOf,
  camel,
  create,
  ensureFeature,
  exportContract,
  formatFiles,
  kebab,
  pascal,
} = require('./lib.cjs');
const { injectableIn, withImports, withMember } = require('./source.cjs');

const payloadOf = ({ name, subject, fact, type, constant, producer, subscriber }) => `
/** Names the ${subject} of the event. */
export class ${type} {
  @Code({ description: 'Code of the ${subject}' }) readonly code!: string;
}

/** A ${subject} was ${fact}. */
export const ${constant} = event({
  topic: '${name}.v1',
  producer: '${producer}',
  subscribers: ['${subscriber}'],
  payload: ${type},
  key: ({ code }) => code,
});
`;

const addContract = (tree, event) => {
  const contract = eventsOf(event.subject);
  const isNew = !tree.exists(contract);
  const source = isNew ? '' : tree.read(contract, 'utf8');
  const up = contract.split('/').length > 4 ? '..' : '.';
  const text = withImports(source, `${up}/events`, ['event']);
  tree.write(contract, `${withImports(text, `${up}/fields`, ['Code'])}${payloadOf(event)}`);
  if (isNew) exportContract(tree, contract);
};

const EMPTY = (type) => `import { Injectable } from '@nestjs/common';

/** Updates the rows of this feature that depend on events of others. */
@Injectable()
export class ${type} {}
`;

const methodOf = ({ constant, type }) => `
  @On(${constant})
  async ${constant}(_scope: WorkScope, tx: Transaction, { code }: ${type}): Promise<void> {
    await tx.query('select $1::text', [code]);
  }`;

/** The consumer of the feature; its first event creates it. @returns its path */
const consumerOf = (tree, { subscriber, feature }) => {
  const { folder, module: featureModule } = ensureFeature(tree, subscriber, feature);
  const existing = tree.children(folder).find((each) => each.endsWith('.consumer.ts'));
  if (existing !== undefined) return `${folder}/${existing}`;
  const [file, type] = [`${kebab(feature)}.consumer`, `${pascal(feature)}Consumer`];
  create(tree, `${folder}/${file}.ts`, EMPTY(type));
  addToModule(tree, featureModule, 'providers', type, `./${file}`);
  return `${folder}/${file}.ts`;
};

const addToConsumer = (tree, path, event) => {
  const source = tree.read(path, 'utf8');
  let text = withMember(source, injectableIn(source), methodOf(event));
  text = withImports(text, '@acervo/contracts', [event.constant, `type ${event.type}`]);
  text = withImports(text, '@acervo/platform-database', ['type Transaction']);
  text = withImports(text, '@acervo/platform-messaging', ['On']);
  tree.write(path, withImports(text, '@acervo/rbac', ['type WorkScope']));
};

const testOf = ({ name, constant }) => `
describe('the event ${name}', () => {
  it('the event ${name} updates the rows of this service once', async () => {
    await bed.deliver(${constant}, newGroup(), { code: 'A-1' });
    expect('the rows of the feature').toBe('written');
  });
});
`;

const addSpec = (tree, path, event) => {
  const source = tree.exists(path) ? tree.read(path, 'utf8') : bedOf('newGroup');
  tree.write(path, `${withImports(source, '@acervo/contracts', [event.constant])}${testOf(event)}`);
};

/**
 * An event, in three files: its contract, a method of the consumer of the feature, and a failing test. The first event
 * of a feature adds its consumer to the module.
 * `npx nx g @acervo/tools:event document.refreshed --producer=ingestion --subscriber=retrieval --feature=projection`
 */
module.exports = async (tree, options) => {
  const [subject, fact] = options.name.split('.');
  if (fact === undefined) throw new Error('An event is named subject.fact, such as document.refreshed.');
  const event = { ...options, subject, fact, type: pascal(options.name), constant: camel(options.name) };
  assertService(tree, event.producer);
  addContract(tree, event);
  const consumer = consumerOf(tree, event);
  addToConsumer(tree, consumer, event);
  addSpec(tree, consumer.replace(/\.ts$/, '.spec.ts'), event);
  await formatFiles(tree);
};

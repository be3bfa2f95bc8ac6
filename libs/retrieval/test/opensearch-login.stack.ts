import { Metrics } from '@acervo/platform-observability';
import { describeOnStack, stackVariable } from '@acervo/platform-testing';
import { OpenSearchEngine } from '../src/legs/opensearch/open-search-engine';
import { ShardFigures } from '../src/legs/opensearch/shard-figures';
import { engineSettings, openEngine } from './opensearch';

describeOnStack('the OpenSearch of a deployment', ['opensearch'], () => {
  it('OpenSearch answers the user that the settings name', async () => {
    const engine = openEngine();
    await expect(engine.ping()).resolves.toBeUndefined();
    await engine.close();
  });

  it('the shards of the cluster are published against their limit', async () => {
    const [engine, metrics] = [openEngine(), new Metrics('retrieval')];
    await new ShardFigures(engine, metrics).measure();
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^acervo_opensearch_shards\{state="used",service="retrieval"\} \d+$/m);
    expect(text).toMatch(/^acervo_opensearch_shards\{state="limit",service="retrieval"\} [1-9]\d*$/m);
    await engine.close();
  });

  it.each([
    ['a wrong password', () => ({ password: 'wrong' })],
    ['no login', () => ({ user: null, password: null })],
    ['no TLS', () => ({ url: stackVariable('ACERVO_OPENSEARCH_URL').replace('https:', 'http:') })],
    ['an untrusted authority', () => ({ certificates: null })],
  ])('OpenSearch refuses a client with %s', async (_what, changed) => {
    const engine = new OpenSearchEngine({ ...engineSettings(), ...changed() }, new Metrics('retrieval'));
    await expect(engine.ping()).rejects.toThrow();
    await engine.close();
  });
});

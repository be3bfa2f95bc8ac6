import { Metrics } from '@acervo/platform-observability';
import { silent } from '@acervo/platform-testing';
import { StoresReporter } from './stores-reporter';

describe('the differences between stores as a metric', () => {
  it('each kind begins at zero, and counts what was repaired and what is left', async () => {
    const metrics = new Metrics('ingestion');
    const reporter = new StoresReporter(silent, metrics);
    const difference = { kind: 'chunks.missing', found: 3, repaired: 2 };
    expect(await metrics.registry.metrics()).toMatch(/^acervo_store_differences_total\{kind="copies.extra".*\} 0$/m);
    reporter.report({ documents: 5, objects: 9, copiesUnread: 0, differences: [difference] });
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^acervo_store_differences_total\{kind="chunks.missing",outcome="repaired",.*\} 2$/m);
    expect(text).toMatch(/^acervo_store_differences_total\{kind="chunks.missing",outcome="left",.*\} 1$/m);
  });
});

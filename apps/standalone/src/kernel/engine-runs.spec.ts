import { Metrics } from '@acervo/platform-observability';
import { engineRunsCounter } from './engine-runs';

const runs = (statements: number) => ({ statements, role: 1, question: 0, cleaning: 0, checkpoint: 0 });

describe('the counter of engine runs', () => {
  it('each report adds its runs to those before', async () => {
    const metrics = new Metrics('standalone');
    const hear = engineRunsCounter(metrics);
    const published = (): Promise<string> => metrics.registry.metrics();
    expect(await published()).toContain('acervo_embedded_engine_runs_total{kind="statements",service="standalone"} 0');
    for (const count of [10, 5, 4]) hear(runs(count));
    expect(await published()).toContain('acervo_embedded_engine_runs_total{kind="statements",service="standalone"} 19');
    expect(await published()).toContain('acervo_embedded_engine_runs_total{kind="role",service="standalone"} 3');
  });
});

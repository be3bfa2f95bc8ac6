import { Metrics } from '@acervo/platform-observability';
import { WorkFigures } from '../src/work-figures';
import type { WaitingWork } from '../src/waiting-work';

const SOME: WaitingWork = {
  stages: [{ stage: 'extract', count: 3, seconds: 40 }],
  groups: { oldest: 40, median: 4, busiestShare: 0.75 },
};

const publishedBy = async (
  read: () => Promise<WaitingWork>,
): Promise<{ text: string; again: () => Promise<string> }> => {
  const metrics = new Metrics('ingestion');
  const figures = new WorkFigures(metrics, { waitingWork: () => read() });
  figures.start(['extract', 'index']);
  figures.stop();
  await figures.measure();
  const again = async (): Promise<string> => {
    await figures.measure();
    return metrics.registry.metrics();
  };
  return { text: await metrics.registry.metrics(), again };
};

describe('the figures of waiting work', () => {
  it('each stage has a count and an age, a stage without work zero', async () => {
    const { text } = await publishedBy(() => Promise.resolve(SOME));
    expect(text).toContain('acervo_work_waiting{stage="extract",service="ingestion"} 3');
    expect(text).toContain('acervo_work_oldest_seconds{stage="extract",service="ingestion"} 40');
    expect(text).toContain('acervo_work_waiting{stage="index",service="ingestion"} 0');
    expect(text).toContain('acervo_work_group_oldest_seconds{over="median",service="ingestion"} 4');
    expect(text).toContain('acervo_work_busiest_group_share{service="ingestion"} 0.75');
  });
  it('an absent database leaves no stale figure', async () => {
    let isThere = true;
    const { again } = await publishedBy(() => (isThere ? Promise.resolve(SOME) : Promise.reject(new Error('away'))));
    isThere = false;
    const text = await again();
    expect(text).not.toContain('stage="extract"');
    expect(text).not.toMatch(/^acervo_work_busiest_group_share/m);
  });
});

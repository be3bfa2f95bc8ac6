import { Writable } from 'node:stream';
import { createLogger, declareCounter, Metrics, processMetrics, workContext } from './index';

const THINGS = declareCounter('things_total', 'Things', ['kind']);

const capture = (): { lines: () => string; stream: Writable } => {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { lines: () => text, stream };
};

describe('a log line', () => {
  it('a log line contains the request and group of its work', () => {
    const { lines, stream } = capture();
    const logger = createLogger({ service: 'test', level: 'info', destination: stream });
    workContext.run({ requestId: 'r-1', groupId: 'g-1' }, () => logger.info('done'));
    expect(JSON.parse(lines())).toMatchObject({ service: 'test', requestId: 'r-1', groupId: 'g-1', msg: 'done' });
  });
  it('a log line hides values named as secret or content', () => {
    const { lines, stream } = capture();
    const logger = createLogger({ service: 'test', level: 'info', destination: stream });
    logger.info({ token: 'hush', headers: { authorization: 'hush' }, request: { input: { query: 'hush' } } }, 'call');
    expect(lines()).not.toContain('hush');
  });
  it('a log line omits the parameters of a failed statement', () => {
    const { lines, stream } = capture();
    const error = Object.assign(new Error('syntax error'), { code: '42601', parameters: ['hush'], detail: 'hush' });
    createLogger({ service: 'test', level: 'info', destination: stream }).error({ error }, 'failed');
    expect(lines()).toContain('42601');
    expect(lines()).not.toContain('hush');
  });
});

describe('the metrics of two services in one process', () => {
  it('metrics of two services stay separate and name their service', async () => {
    const [one, two] = [new Metrics('one'), new Metrics('two')];
    one.counter(THINGS).inc({ kind: 'a' });
    two.counter(THINGS).inc({ kind: 'a' }, 5);
    expect(await one.registry.metrics()).toContain('acervo_things_total{kind="a",service="one"} 1');
    expect(await two.registry.metrics()).toContain('acervo_things_total{kind="a",service="two"} 5');
  });
});

describe('a metric', () => {
  it('a counter begins at zero for every combination of known labels', async () => {
    const metrics = new Metrics('one');
    const pairs = declareCounter('pairs_total', 'Pairs', ['stage', 'outcome']);
    metrics.counter(pairs, { stage: ['scan', 'index'], outcome: ['done', 'failed'] });
    const text = await metrics.registry.metrics();
    expect(text.match(/^acervo_pairs_total\{.*\} 0$/gm)).toHaveLength(4);
  });
  it('the build is a metric, with unknown for a commit that is not known', async () => {
    const metrics = new Metrics('one');
    metrics.describeBuild({ version: '1.2.3', commit: null });
    const [line] = /^acervo_build_info.*$/m.exec(await metrics.registry.metrics()) ?? [];
    expect(line).toMatch(/\{version="1.2.3",commit="unknown",node="v\d[^"]*",service="one"\} 1$/);
  });
  it('the process is measured with the delay of its event loop', async () => {
    const names = (await processMetrics()).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']),
    );
  });
});

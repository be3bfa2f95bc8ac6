import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

const REPORT_MODULES = `process.on('exit', () => require('node:fs').writeFileSync(
  require('node:path').join(__dirname, 'loaded-' + process.pid), Object.keys(require.cache).join('\\n')));`;

describe('without a receiver of spans', () => {
  const place = temporary();
  const [folder, data, reporter] = ['folder', 'data', 'tells.cjs'].map((name) => join(place.path, name)) as [
    ...[string, string, string],
  ];
  let program: Program;
  const trace = randomBytes(16).toString('hex');
  const logged = (): string => readFileSync(join(data, 'logs', 'acervo.log'), 'utf8');

  beforeAll(async () => {
    write(folder, { 'uno.txt': 'La cuota del agua sube.' });
    writeFileSync(reporter, REPORT_MODULES);
    const environment = { NODE_OPTIONS: `--require=${reporter}` };
    program = await Program.start({ folder, data, port: await freePort(), environment });
    await program.done();
  });
  afterAll(() => place.remove());

  it('a request is logged with the trace of its caller', async () => {
    const traceparent = `00-${trace}-${'1'.repeat(16)}-01`;
    const { status } = await program.ask('GET', '/v1/session', undefined, { traceparent });
    expect(status).toBe(200);
    await until('it is logged', () => logged().includes(`"trace_id":"${trace}"`));
  });

  it('no service loads the library that records spans', async () => {
    await program.stop();
    const loaded = readFileSync(join(place.path, `loaded-${program.pid}`), 'utf8').split('\n');
    const packages = loaded.flatMap((path) => /node_modules\/(@opentelemetry\/[\w-]+)\//.exec(path)?.[1] ?? []);
    expect(loaded.filter((path) => path.includes('/prom-client/')).length).toBeGreaterThan(0);
    // The metrics library loads the API package, which records nothing by itself.
    expect([...new Set(packages)]).toEqual(['@opentelemetry/api']);
  });
});

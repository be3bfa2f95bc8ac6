import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OtlpReceiver, type ReceivedSpan } from '../harness/otlp-receiver';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

/** A word of documents, names, queries and keys of this suite that no span may contain. */
const CANARY = 'zarigüeya';

describe('the trace of one request through all processes', () => {
  const place = temporary();
  const [first, second, data] = ['first', 'second', 'data'].map((name) => join(place.path, name)) as [
    ...[string, string, string],
  ];
  let receiver: OtlpReceiver;
  let program: Program;
  const trace = randomBytes(16).toString('hex');
  /** The caller does not sample the trace; the services decide about sampling themselves. */
  const traceparent = `00-${trace}-${randomBytes(8).toString('hex')}-00`;
  const spansOf = (id: string): ReceivedSpan[] => receiver.spans.filter((span) => span.trace === id);
  const LED_TO = [
    'gateway: POST /v1/operations/:code\\:execute',
    'gateway: call operations.execute',
    'operations: answer operations.execute',
    'operations: call locations.create',
    'ingestion: answer locations.create',
    'ingestion: stage scan',
    'ingestion: stage acquire',
    'ingestion: stage vectors',
    'retrieval: handle document.prepared.v1',
    'retrieval: handle document.embedded.v1',
    'retrieval: stage index',
    'ingestion: handle document.indexed.v1',
  ];
  const missing = (): string[] => LED_TO.filter((name) => !receiver.named(trace).includes(name));

  beforeAll(async () => {
    receiver = await OtlpReceiver.open();
    write(first, { 'uno.txt': 'La cuota del agua sube.' });
    write(second, { [`${CANARY}.txt`]: `La cuota de la ${CANARY} baja.` });
    program = await Program.start({
      folder: first,
      data,
      port: await freePort(),
      processes: true,
      environment: {
        ACERVO_FOLDER_ROOTS: `G1=${place.path}`,
        ACERVO_OTLP_URL: receiver.url,
        ACERVO_OTLP_HEADERS: 'authorization=Bearer collector',
      },
    });
    await program.done();
    const body = { input: { path: second }, confirm: true };
    const { status } = await program.ask('POST', '/v1/operations/locations.create:execute', body, { traceparent });
    expect(status).toBe(200);
    await until('its document is found', async () => (await program.names('cuota')).includes(`${CANARY}.txt`));
  });
  afterAll(async () => {
    await program.stop();
    await receiver.close();
    place.remove();
  });

  it('one trace contains request, Calls, stages, events and their effects', async () => {
    // Each process exports its spans at its own interval.
    await until('every span is recorded', () => missing().length === 0).catch(() => expect(missing()).toEqual([]));
  });

  it('each span except the first has its parent in the trace', async () => {
    const orphans = (): string[] => {
      const spans = spansOf(trace);
      const expected = new Set([...spans.map(({ id }) => id), traceparent.split('-')[2]]);
      return spans.flatMap(({ name, parent }) => (parent === undefined || !expected.has(parent) ? [name] : []));
    };
    // A span is exported at its end, perhaps after its children.
    await until('every parent is recorded', () => orphans().length === 0).catch(() => expect(orphans()).toEqual([]));
  });

  it('the log lines of all reached services contain the trace', () => {
    const lines = readFileSync(join(data, 'logs', 'acervo.log'), 'utf8').split('\n');
    const services = lines.flatMap((line) =>
      line.includes(`"trace_id":"${trace}"`) ? [String((JSON.parse(line) as { service: string }).service)] : [],
    );
    expect(services).toEqual(expect.arrayContaining(['gateway', 'operations', 'ingestion']));
  });

  it('the spans of a search contain its Call and both legs', async () => {
    const asked = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${asked}-${randomBytes(8).toString('hex')}-01` };
    await program.ask('POST', '/v1/documents/search', { query: `cuota ${CANARY}` }, headers);
    const legs = ['retrieval: leg lexical', 'retrieval: leg vector', 'retrieval: answer documents.search'];
    await until('its spans', () => legs.every((name) => receiver.named(asked).includes(name)));
  });

  it('spans contain no word, name, path, key or address', () => {
    expect(receiver.spans.length).toBeGreaterThan(20);
    for (const secret of [CANARY, 'cuota', program.key, place.path, 'acervo.local', '.txt'])
      expect([secret, receiver.raw.includes(secret)]).toEqual([secret, false]);
    const names = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    const expected = ['http.request.method', 'http.route', 'http.response.status_code', 'error.type'];
    expect([...names].filter((name) => !expected.includes(name) && !name.startsWith('acervo.'))).toEqual([]);
    expect([...receiver.authorisations]).toEqual(['Bearer collector']);
  });
});

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver';
import { freePort, Program, temporary, until, write } from './program';

/** Words that stand in documents, names, questions and keys here, and must stand in no span. */
const CANARY = 'zarigüeya';

describe('what one request leads to, in every process', () => {
  const place = temporary();
  const [first, second, data] = ['first', 'second', 'data'].map((name) => join(place.path, name)) as [
    ...[string, string, string],
  ];
  let receiver: OtlpReceiver;
  let program: Program;
  const trace = randomBytes(16).toString('hex');
  /** Whoever asks records nothing of it; whether we do is not for them to say. */
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
    'ingestion: stage extract',
    'ingestion: stage chunk',
    'ingestion: stage embed',
    'retrieval: handle document.prepared.v1',
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
  }, 180_000);
  afterAll(async () => {
    await program.stop();
    await receiver.close();
    place.remove();
  }, 30_000);

  it('stands in one trace: the request, the call, the stages, the events and what they lead to', async () => {
    // Each process tells its spans in its own time.
    await until('every span is told', () => missing().length === 0).catch(() => expect(missing()).toEqual([]));
  }, 60_000);

  it('hangs together: each span but the first has its parent in the trace', async () => {
    const orphans = (): string[] => {
      const spans = spansOf(trace);
      const known = new Set([...spans.map(({ id }) => id), traceparent.split('-')[2]]);
      return spans.flatMap(({ name, parent }) => (parent === undefined || !known.has(parent) ? [name] : []));
    };
    // A span is told when it ends, and what it led to may have ended before.
    await until('every parent is told', () => orphans().length === 0).catch(() => expect(orphans()).toEqual([]));
  }, 60_000);

  it('stands in the log lines of the services that it reached', () => {
    const lines = readFileSync(join(data, 'logs', 'acervo.log'), 'utf8').split('\n');
    const services = lines.flatMap((line) =>
      line.includes(`"trace_id":"${trace}"`) ? [String((JSON.parse(line) as { service: string }).service)] : [],
    );
    expect(services).toEqual(expect.arrayContaining(['gateway', 'operations', 'ingestion']));
  });

  it('tells a search with the call that answers it and both of its legs', async () => {
    const asked = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${asked}-${randomBytes(8).toString('hex')}-01` };
    await program.ask('POST', '/v1/documents/search', { query: `cuota ${CANARY}` }, headers);
    const legs = ['retrieval: leg lexical', 'retrieval: leg vector', 'retrieval: answer documents.search'];
    await until('its spans', () => legs.every((name) => receiver.named(asked).includes(name)));
  }, 60_000);

  it('is told without content: no word, name, path, key or address of anybody', () => {
    expect(receiver.spans.length).toBeGreaterThan(20);
    for (const secret of [CANARY, 'cuota', program.key, place.path, 'acervo.local', '.txt'])
      expect([secret, receiver.raw.includes(secret)]).toEqual([secret, false]);
    const names = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    const known = ['http.request.method', 'http.route', 'http.response.status_code', 'error.type'];
    expect([...names].filter((name) => !known.includes(name) && !name.startsWith('acervo.'))).toEqual([]);
    expect([...receiver.authorisations]).toEqual(['Bearer collector']);
  });
});

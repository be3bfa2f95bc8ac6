import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { documentIndexed } from '@acervo/contracts';
import { appRole, relayRole } from '@acervo/platform-database';
import { actOnEngine, describeOnStack, type TestDatabase } from '@acervo/platform-testing';
import { Outbox } from '../src';
import type { KafkaSettings, KafkaTransport } from '../src/kafka';
import { testKafka, transportOf } from './kafka-way';
import { indexed, openMessaging, until } from './support';

const DOCUMENTS = 3;
const REVISIONS = 60;

describeOnStack('through Kafka, with faults,', ['kafka', 'postgres'], () => {
  let server: TestDatabase;
  let expected: string[];
  let settings: KafkaSettings;
  const outbox = new Outbox('retrieval');
  const group = { groupId: randomUUID() };

  const publish = async (revisions: number, pace = 0): Promise<void> => {
    const documents = Array.from({ length: DOCUMENTS }, () => randomUUID());
    const producer = server.database('retrieval');
    for (let revision = 1; revision <= revisions; revision += 1) {
      await producer.write(group, async (tx) => {
        for (const document of documents) await outbox.append(tx, documentIndexed, indexed(document, revision));
      });
      expected.push(...documents.map((document) => `${document}:${revision}`));
      if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace));
    }
  };
  const arrived = async (from: string): Promise<string[]> =>
    (await server.asOwner('ingestion', `select * from ${from} order by id`)).map(
      ({ document_id: document, revision }) => `${String(document)}:${String(revision)}`,
    );
  /** First deliveries only: the inbox skips repeated ones later. */
  const incoming = async (): Promise<string[]> => [
    ...new Set(
      await arrived(
        `(select id, event_key as document_id, payload->>'revision' as revision from ingestion.incoming) i`,
      ),
    ),
  ];
  const expectInOrder = (found: string[]): void => {
    expect(found.toSorted()).toEqual(expected.toSorted());
    for (const document of new Set(expected.map((entry) => entry.slice(0, 36))))
      expect(found.filter((entry) => entry.startsWith(document))).toEqual(
        expected.filter((entry) => entry.startsWith(document)),
      );
  };

  beforeAll(async () => {
    server = await openMessaging();
    await server.asOwner(
      'ingestion',
      `create table ingestion.effect (id bigint generated always as identity, document_id uuid, revision int);
       grant insert, select on ingestion.effect to ingestion_app`,
    );
  });
  afterAll(() => server.close());
  beforeEach(() => {
    expected = [];
    settings = testKafka();
    return server.asOwner('ingestion', 'truncate ingestion.effect, ingestion.inbox, ingestion.incoming');
  });

  it('a restarted broker loses no event, doubles no effect, keeps the order', async () => {
    const [sends, listens] = [transportOf(server, 'retrieval', settings), transportOf(server, 'ingestion', settings)];
    for (const each of [sends, listens]) await each.start();
    const publishing = publish(REVISIONS, 60);
    await until('the first arrive', async () => (await incoming()).length > 0, 20_000);
    await actOnEngine('kafka', 'kill');
    const back = actOnEngine('kafka', 'start');
    await publishing;
    await back;
    await until('all arrive', async () => (await incoming()).length === expected.length, 30_000);
    expectInOrder(await incoming());
    await Promise.all([sends.stop(), listens.stop()]);
  });

  it.each(['relay.after-publish:1', 'receiver.before-commit:1', 'consumer.before-inbox:40'])(
    'a process killed at %s leaves one effect per event, in order',
    async (failpoint) => {
      await publish(REVISIONS);
      const run = (point: string | null): Promise<{ code: number | null; signal: string | null }> =>
        new Promise((resolve, reject) => {
          const child = fork(join(__dirname, 'kafka-process.cjs'), [], { execArgv: [] });
          child.once('error', reject);
          child.once('exit', (code, signal) => resolve({ code, signal }));
          child.send({
            ...{
              settings,
              failpoint: point,
              wanted: expected.length,
              relay: server.connection(relayRole('retrieval')),
            },
            retrieval: server.connection(appRole('retrieval')),
            ingestion: server.connection(appRole('ingestion')),
          });
        });
      expect(await run(failpoint)).toEqual({ code: null, signal: 'SIGKILL' });
      expect((await arrived('ingestion.effect')).length).toBeLessThan(expected.length);
      await server.asOwner('retrieval', `update retrieval.outbox_lane set held_until = '-infinity'`);
      await server.asOwner('ingestion', `update ingestion.consumer_lease set held_until = '-infinity'`);
      expect(await run(null)).toEqual({ code: 0, signal: null });
      expectInOrder(await arrived('ingestion.effect'));
    },
  );

  it('a leaving replica releases its partitions at once', async () => {
    const sends = transportOf(server, 'retrieval', settings);
    const replicas: KafkaTransport[] = [0, 1].map(() => transportOf(server, 'ingestion', settings));
    for (const each of [sends, ...replicas]) await each.start();
    await publish(5);
    await until('the first arrive', async () => (await incoming()).length === expected.length, 20_000);
    await replicas[0]?.stop();
    const left = Date.now();
    await publish(5);
    await until('the others arrive', async () => (await incoming()).length === expected.length, 20_000);
    // Well before the session timeout of a dead member.
    expect(Date.now() - left).toBeLessThan(8_000);
    await Promise.all([sends.stop(), replicas[1]?.stop()]);
  });
});

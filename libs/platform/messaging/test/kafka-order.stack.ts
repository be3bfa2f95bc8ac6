import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { documentIndexed } from '@acervo/contracts';
import { appRole, relayRole } from '@acervo/platform-database';
import { describeOnStack, type TestDatabase } from '@acervo/platform-testing';
import { Outbox } from '../src';
import { openKafka } from '../src/kafka';
import { testKafka } from './kafka-way';
import { indexed, openMessaging, silent, until } from './support';

const GROUPS = 3;
const KEYS = 8;
const CHANGES = 60;
const PACE_MS = 40;

interface Part {
  readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

describeOnStack('two relays and two handlers, each a process of its own,', ['kafka', 'postgres'], () => {
  let server: TestDatabase;
  const settings = testKafka();
  const outbox = new Outbox('retrieval');
  const started: Part[] = [];
  const keys = Array.from({ length: GROUPS }, () => ({
    groupId: randomUUID(),
    documents: Array.from({ length: KEYS }, () => randomUUID()),
  }));
  const expected = GROUPS * KEYS * CHANGES;

  const start = async (part: 'relay' | 'handler', failpoint: string | null = null): Promise<Part> => {
    const child = fork(join(__dirname, 'kafka-part.cjs'), [], { execArgv: [] });
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
      child.once('exit', (code, signal) => resolve(signal ?? code)),
    );
    started.push({ child, ended });
    child.send({
      ...{ part, failpoint, settings, relay: server.connection(relayRole('retrieval')) },
      retrieval: server.connection(appRole('retrieval')),
      ingestion: server.connection(appRole('ingestion')),
    });
    await Promise.race([new Promise((resolve) => child.once('message', resolve)), ended]);
    return { child, ended };
  };
  const publish = async (): Promise<void> => {
    const producer = server.database('retrieval');
    for (let revision = 1; revision <= CHANGES; revision += 1) {
      for (const { groupId, documents } of keys)
        await producer.write({ groupId }, async (tx) => {
          for (const document of documents) await outbox.append(tx, documentIndexed, indexed(document, revision));
        });
      await pause(PACE_MS);
    }
  };
  const effects = () =>
    server.asOwner('ingestion', 'select document_id as key, revision, before from ingestion.effect order by id');
  /** Messages in Kafka, including duplicates. */
  const sent = async (): Promise<number> => {
    const admin = openKafka(settings, silent).admin();
    await admin.connect();
    const partitions = await admin.fetchTopicOffsets(`${settings.prefix}${documentIndexed.topic}`);
    await admin.disconnect();
    return partitions.reduce((sum, { high }) => sum + Number(high), 0);
  };

  beforeAll(async () => {
    server = await openMessaging();
    await server.asOwner(
      'ingestion',
      `create table ingestion.effect (id bigint generated always as identity, document_id uuid, revision int, before int);
       grant insert, select on ingestion.effect to ingestion_app`,
    );
  });
  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    await server.close();
  });

  it('every change is handled once, in order, despite kills', async () => {
    // Each dies after its work and before it is recorded: messages are sent and received again.
    const relay = await start('relay', 'relay.after-publish:8');
    const handler = await start('handler', 'receiver.before-commit:8');
    const others = [await start('relay'), await start('handler')];
    const publishing = publish();
    expect(await Promise.all([relay.ended, handler.ended])).toEqual(['SIGKILL', 'SIGKILL']);
    expect((await effects()).length).toBeLessThan(expected);
    others.push(await start('relay'), await start('handler'));
    await publishing;
    const count = async (): Promise<number> => (await effects()).length;
    await until('every change is handled', async () => (await count()) >= expected, 90_000);
    await until(
      'nothing waits any more',
      async () =>
        (await server.asOwner('retrieval', 'select from retrieval.outbox limit 1')).length === 0 &&
        (await server.asOwner('ingestion', 'select from ingestion.incoming limit 1')).length === 0,
      60_000,
    );

    const found = await effects();
    for (const key of keys.flatMap(({ documents }) => documents))
      expect(found.filter((effect) => effect['key'] === key)).toEqual(
        Array.from({ length: CHANGES }, (_, index) => ({ key, revision: index + 1, before: index })),
      );
    expect(found).toHaveLength(expected);
    expect(await sent()).toBeGreaterThan(expected);

    for (const { child } of others) child.send('stop');
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  }, 240_000);
});

/**
 * Each service twice behind HAProxy; the key pepper and all passwords of the database are replaced under load.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeOnStack } from '@acervo/platform-testing';
import { Cluster } from '../harness/cluster/cluster';
import { EMAIL, openClusterTenant, type ClusterTenant } from '../harness/cluster/cluster-tenant';
import { Rotation } from '../harness/cluster/rotation';
import { Sessions } from '../harness/cluster/sessions';
import { traffic } from '../harness/cluster/traffic';
import { HttpClient } from '../harness/http-client';
import { temporary } from '../harness/program';

/** Beside the sessions. */
const PER_SECOND = Number(process.env['ACERVO_ROLL_PER_SECOND'] ?? 20);
/** Used sessions, and as many idle ones. */
const SESSIONS = 4;
const LONGEST_MS = 1_800_000;

describeOnStack('a rotation under load', ['postgres', 'kafka', 'opensearch', 'redis', 's3'], () => {
  const place = temporary();
  const documents = join(place.path, 'documents');
  let cluster: Cluster;
  let tenant: ClusterTenant;
  let rotation: Rotation;

  beforeAll(async () => {
    mkdirSync(documents, { recursive: true });
    cluster = await Cluster.make(place.path, documents);
    rotation = new Rotation(cluster, place.path);
    expect(await cluster.run('migrate', [])).toMatchObject({ code: 0 });
    tenant = await openClusterTenant(cluster, documents);
  }, 300_000);
  afterAll(async () => {
    await cluster.stop();
    await rotation.undo();
    place.remove();
  });

  it(
    'fails no request and loses no session',
    async () => {
      const client = new HttpClient({ port: cluster.port, answersWithinMs: 30_000 });
      const sessions = await Sessions.open(client, EMAIL, SESSIONS);
      const over = new AbortController();
      const using = sessions.keep(over.signal);
      const sending = traffic(cluster.port, { perSecond: PER_SECOND, mix: tenant.mix, until: over.signal });
      try {
        await rotation.add();
        await rotation.promote();
        await rotation.tidyUp();
      } finally {
        over.abort();
        await Promise.allSettled([sending, using]);
      }
      await sessions.assertAlive();
      const found = await sending;
      process.stdout.write(
        `${found.sent} requests beside ${JSON.stringify(sessions.answered)}, ${found.failures.length} and ${sessions.failures.length} failed\n`,
      );
      expect([...found.failures, ...sessions.failures]).toEqual([]);
      expect(cluster.ends.filter(({ code }) => code !== 0)).toEqual([]);
    },
    LONGEST_MS,
  );
});

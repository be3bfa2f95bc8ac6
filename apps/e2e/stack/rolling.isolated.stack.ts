/**
 * Each service twice behind HAProxy, rolled one after the other under load.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeOnStack } from '@acervo/platform-testing';
import { Cluster } from '../harness/cluster/cluster';
import { openClusterTenant, openPeople, type ClusterTenant } from '../harness/cluster/cluster-tenant';
import { traffic } from '../harness/cluster/traffic';
import { type Service, SERVICES } from '../harness/deployment/composed-environments';
import { temporary } from '../harness/program';

const IS_SHORT = process.env['ACERVO_STACK_SHORT'] === 'true';
const PER_SECOND = Number(process.env['ACERVO_ROLL_PER_SECOND'] ?? (IS_SHORT ? 5 : 50));
/** The short form runs two services, without documents, and rolls the one that calls the other. */
const RUN: readonly Service[] = IS_SHORT ? ['auth', 'gateway'] : SERVICES;
const ROLLED: readonly Service[] = IS_SHORT ? ['gateway'] : SERVICES;
/** Processes that just started are slow: the load is only measured once they carry it. */
const WARM_UP_MS = 5_000;
const MOST_WARM_UPS = 24;
/** Requests that a whole run sends at least; rolls are repeated until then. */
const LEAST = Number(process.env['ACERVO_ROLL_REQUESTS'] ?? 0);
const LONGEST_MS = 1_800_000;
/** Requests go on for a while after the last process was replaced. */
const SETTLE_MS = 2_000;

/** The failures, and what the processes wrote about them. */
const explained = (cluster: Cluster, failures: readonly string[]): string[] =>
  failures.flatMap((failure) => {
    const requestId = /"request_id":"([^"]+)"/.exec(failure)?.[1];
    return [failure, ...(requestId === undefined ? [] : cluster.logged(requestId))];
  });

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, next) => one.place - next.place)
    .map(({ item }) => item);

describeOnStack('a rolling upgrade', ['postgres', 'kafka', 'opensearch', 'redis', 's3'], () => {
  const place = temporary();
  const documents = join(place.path, 'documents');
  let cluster: Cluster;
  let tenant: ClusterTenant;

  beforeAll(async () => {
    mkdirSync(documents, { recursive: true });
    cluster = await Cluster.make(place.path, documents, RUN);
    expect(await cluster.run('migrate', [])).toMatchObject({ code: 0 });
    tenant = await (IS_SHORT ? openPeople(cluster) : openClusterTenant(cluster, documents));
  }, 300_000);
  afterAll(async () => {
    await cluster.stop();
    place.remove();
  });

  /** Sends the load until the cluster has carried it for a while. @throws where it never does */
  const warmUp = async (): Promise<void> => {
    for (let turn = 0; turn < MOST_WARM_UPS; turn += 1) {
      const until = AbortSignal.timeout(WARM_UP_MS);
      const { failures } = await traffic(cluster.port, { perSecond: PER_SECOND, mix: tenant.mix, until });
      if (failures.length === 0) return;
    }
    throw new Error(`This machine does not carry ${PER_SECOND} requests a second.`);
  };

  /** Rolls onto the later version, again and again, until enough requests were sent. */
  const rollUntilSent = async (): Promise<void> => {
    const began = performance.now();
    await cluster.expand(RUN);
    do for (const service of shuffled(ROLLED)) await cluster.roll(service, cluster.laterVersionOf(service));
    while (((performance.now() - began) / 1_000) * PER_SECOND < LEAST);
  };

  it(
    'fails no request and loses no document',
    async () => {
      await warmUp();
      const over = new AbortController();
      const arriving = tenant.arriving(over.signal);
      const sending = traffic(cluster.port, { perSecond: PER_SECOND, mix: tenant.mix, until: over.signal });
      try {
        await rollUntilSent();
        await pause(SETTLE_MS);
      } finally {
        over.abort();
        await Promise.allSettled([sending, arriving]);
      }
      const [found, arrived] = await Promise.all([sending, arriving]);
      process.stdout.write(
        `${found.sent} requests, ${found.failures.length} failed; ${arrived.names.length} documents\n`,
      );
      expect(explained(cluster, [...found.failures, ...arrived.failures])).toEqual([]);
      expect(cluster.ends.map(({ code, signal }) => ({ code, signal }))).toEqual(
        cluster.ends.map(() => ({ code: 0, signal: null })),
      );
      expect(Math.max(...cluster.ends.map(({ seconds }) => seconds))).toBeLessThan(30);
      expect(await tenant.missing(arrived.names)).toEqual([]);
    },
    LONGEST_MS,
  );
});

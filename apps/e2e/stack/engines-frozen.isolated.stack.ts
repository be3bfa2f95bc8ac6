/**
 * This process starts the built installation, so that the suite probes its processes.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { actOnEngine, describeOnStack, onThisMachine, type StackEngine } from '@acervo/platform-testing';
import { SERVICES } from '../harness/deployment/composed-environments';
import { temporary, write } from '../harness/program';
import { Installation } from '../harness/installation';

const LONGEST_ANSWER_MS = 500;
const LONGEST_NOTICE_MS = 5_000;
/** How long an engine stays frozen once it is named; the checks of readiness run every second. */
const FROZEN_MS = 10_000;

interface Probe {
  readonly status: number;
  readonly ms: number;
  readonly checks: Readonly<Record<string, boolean>>;
}

describeOnStack('readiness while engines are frozen', ['postgres', 'kafka', 'opensearch', 'redis', 's3'], () => {
  const place = temporary();
  let installation: Installation;

  const probe = async (service: string): Promise<Probe> => {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${installation.running.internalPort}/${service}/health/ready`);
    const { checks } = (await answer.json()) as Pick<Probe, 'checks'>;
    return { status: answer.status, ms: performance.now() - began, checks };
  };
  const probeAll = (): Promise<Probe[]> => Promise.all(SERVICES.map(probe));
  /** Probes every service until all agree; answers how long that took, and every probe. */
  const until = async (agreed: (probe: Probe) => boolean): Promise<{ ms: number; probes: Probe[] }> => {
    const began = performance.now();
    const probes: Probe[] = [];
    for (;;) {
      const round = await probeAll();
      probes.push(...round);
      const ms = performance.now() - began;
      if (round.every(agreed)) return { ms, probes };
      if (ms > 60_000) throw new Error(`After a minute the services answer ${JSON.stringify(round)}.`);
      await pause(100);
    }
  };
  /** Every probe of so many milliseconds. */
  const during = async (ms: number): Promise<Probe[]> => {
    const probes: Probe[] = [];
    for (const end = performance.now() + ms; performance.now() < end; await pause(100))
      probes.push(...(await probeAll()));
    return probes;
  };
  const longest = (probes: readonly Probe[]): number => Math.max(...probes.map(({ ms }) => ms));

  beforeAll(async () => {
    write(join(place.path, 'folder'), { 'norte.txt': 'La acequia del norte riega el huerto.' });
    installation = await Installation.start({ folder: join(place.path, 'folder'), data: join(place.path, 'data') });
    await until(({ checks }) => Object.values(checks).every(Boolean));
  }, 240_000);
  afterAll(async () => {
    await installation.stop();
    place.remove();
  });

  it.each<[StackEngine, string]>([
    ['kafka', 'kafka'],
    ['opensearch', 'opensearch'],
    ['s3', 'objects'],
    ['redis', 'jobs'],
  ])('frozen %s is named and takes no process out', async (engine, check) => {
    await actOnEngine(engine, 'freeze');
    try {
      const named = await until(({ checks }) => checks[check] !== true);
      const frozen = await during(FROZEN_MS);
      const all = [...named.probes, ...frozen];
      const flaps = all.filter(({ status }) => status !== 200);
      const recoveries = frozen.filter(({ checks }) => checks[check] === true);
      process.stdout.write(
        `  ${engine}: named after ${Math.round(named.ms)} ms, ${flaps.length} flaps of ${all.length} probes, slowest ${Math.round(longest(all))} ms\n`,
      );
      expect([...flaps, ...recoveries]).toEqual([]);
      expect(longest(all)).toBeLessThan(onThisMachine(LONGEST_ANSWER_MS));
    } finally {
      await actOnEngine(engine, 'thaw');
    }
    const back = await until(({ checks }) => Object.values(checks).every(Boolean));
    expect(back.probes.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('stopped PostgreSQL takes every process out within five seconds, and back', async () => {
    await actOnEngine('postgres', 'stop');
    const out = await until(({ status }) => status === 503);
    await actOnEngine('postgres', 'start');
    const back = await until(({ status }) => status === 200);
    process.stdout.write(`  postgres: out after ${Math.round(out.ms)} ms, back after ${Math.round(back.ms)} ms\n`);
    expect(Math.max(out.ms, back.ms)).toBeLessThan(onThisMachine(LONGEST_NOTICE_MS));
    expect(longest([...out.probes, ...back.probes])).toBeLessThan(onThisMachine(LONGEST_ANSWER_MS));
  });
});

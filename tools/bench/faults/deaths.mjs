// Records which process ended when and in which phase: by a kill, or at its own failpoint.
import { setTimeout as pause } from 'node:timers/promises';
import { retryUntilAvailable, SERVICES } from '@acervo/e2e/harness';
import { phaseOf } from './plan.mjs';

/** The services that work on documents. */
const WORKING = ['ingestion', 'retrieval'];
const LEASED = (service) =>
  `select distinct stage from ${service}.task where status = 'LEASED' and leased_until > now() and updated_at > $1`;

/** Counts by process and phase. */
export class Hits {
  counts = new Map();

  add(kind, phase) {
    const key = `${kind} ${phase}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  of(phase) {
    return [...this.counts].filter(([key]) => key.endsWith(` ${phase}`)).reduce((sum, [, count]) => sum + count, 0);
  }

  get lines() {
    return [...this.counts].sort(([a], [b]) => a.localeCompare(b)).map(([key, count]) => `${key} ${count}`);
  }
}

/** Watches and kills the services of one round. */
export class Deaths {
  pids = new Map();
  lives = new Map();
  born = new Map();
  killed = new Set();
  on = true;

  constructor(installation, { lives }, hits) {
    Object.assign(this, { installation, planned: lives, hits });
    installation.onRootEnd = () => this.rootEnded();
  }

  /** The failpoints of the round: the n-th life of each process ends at its n-th place. */
  get failpoints() {
    const most = Math.max(...Object.values(this.planned).map(({ length }) => length));
    const entry = (life) =>
      Object.entries(this.planned).flatMap(([kind, places]) =>
        places[life] === undefined ? [] : [`${kind}/${places[life]}`],
      );
    return Array.from({ length: most }, (_, life) => entry(life).join(',')).join(';');
  }

  async watch() {
    while (this.on) {
      this.look();
      await pause(100);
    }
  }

  look() {
    for (const { pid, kind } of this.installation.tree) {
      if (!SERVICES.includes(kind) || this.pids.get(kind) === pid) continue;
      const before = this.pids.get(kind);
      if (before !== undefined && !this.killed.has(before)) this.endedByItself(kind);
      this.pids.set(kind, pid);
      this.born.set(kind, new Date());
      this.lives.set(kind, (this.lives.get(kind) ?? 0) + 1);
    }
  }

  endedByItself(kind) {
    const place = this.planned[kind]?.[this.lives.get(kind) - 1];
    this.hits.add(kind, phaseOf(kind, place) ?? 'UNEXPLAINED');
  }

  /** The children of the root end with it; their successors continue with the remaining failpoints. */
  rootEnded() {
    if (!this.killed.has(this.installation.program.pid))
      this.hits.add('root', phaseOf('root', this.planned.root?.[0]) ?? 'UNEXPLAINED');
    const left = SERVICES.map((kind) => [
      kind,
      (this.planned[kind] ?? []).slice(Math.max(0, (this.lives.get(kind) ?? 0) - 1)),
    ]);
    this.planned = Object.fromEntries(left);
    this.pids.clear();
    this.lives.clear();
    return this.failpoints;
  }

  /** Kills a process and records its current work: the leases that it can no longer return. */
  async kill(victim, random) {
    this.look();
    const found = await retryUntilAvailable(
      `A process of ${victim}`,
      () => {
        const all = this.installation.tree.filter(({ kind }) => kind === victim);
        return all[Math.floor(random * all.length)];
      },
      victim === 'extraction' ? 5_000 : 60_000,
    ).catch(() => undefined);
    if (found === undefined) return this.hits.add(victim, 'none there');
    this.killed.add(found.pid);
    const doing = ['database', 'root'].includes(victim) ? await this.doing(...WORKING) : undefined;
    try {
      process.kill(found.pid, 'SIGKILL');
    } catch {
      return this.hits.add(victim, 'ended before');
    }
    this.report(victim, doing ?? (await this.doing(victim)));
  }

  report(victim, stages) {
    if (victim === 'extraction') this.hits.add(victim, 'extract');
    else if (SERVICES.includes(victim) && !WORKING.includes(victim)) this.hits.add(victim, 'serving');
    else for (const stage of stages.length > 0 ? stages : ['between']) this.hits.add(victim, stage);
  }

  /** The stages with leases that a service has taken since its start. */
  async doing(...services) {
    const asked = services.filter((name) => WORKING.includes(name));
    const answers = await Promise.all(
      asked.map((name) =>
        this.installation.rows(name, LEASED(name), [this.born.get(name) ?? new Date(0)]).catch(() => []),
      ),
    );
    return answers.flat().map(({ stage }) => stage);
  }

  stop() {
    this.on = false;
  }
}

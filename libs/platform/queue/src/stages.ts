import 'reflect-metadata';
import type { WorkScope } from '@acervo/rbac';
import type { Lease } from './lease';

/**
 * The slots that a batch takes. Each capacity has a queue and slots of its own, so that neither scans nor short stages
 * wait for batches of minutes. `egress` is for stages that fetch from addresses of users: a site sets their pace, and
 * processes of their own may work them.
 */
export const CAPACITIES = ['short', 'scan', 'long', 'egress'] as const;
export type Capacity = (typeof CAPACITIES)[number];

/** Which stages a process works: all, those that fetch from addresses of users, or those that do not. */
export const WORK_SHARES = ['all', 'internal', 'egress'] as const;
export type WorkShare = (typeof WORK_SHARES)[number];

/** The capacities whose stages a process with this share works. */
export const capacitiesOf = (share: WorkShare): readonly Capacity[] =>
  CAPACITIES.filter((capacity) => share === 'all' || (capacity === 'egress') === (share === 'egress'));

/** A step of work on many subjects: its batch size, its lease time and its number of tries. */
export interface Stage {
  readonly name: string;
  /** Tasks that one worker claims at once, all of one group. */
  readonly batch: number;
  readonly leaseSeconds: number;
  /** Tries before `exhausted` is called. */
  readonly attempts: number;
  /** `short` where it is absent. */
  readonly capacity?: Capacity;
  /** The payload class of its tasks; absent where the subject is enough. */
  readonly payload?: new () => object;
}

/** The capacity whose slots the batches of a stage take. */
export const capacityOf = ({ capacity = 'short' }: Stage): Capacity => capacity;

/**
 * Works a batch; each result is committed with its lease by the worker itself. Once `stopping` is aborted the worker has
 * some seconds to commit or to give back what it has; then its leases are given back, and its later commits are refused.
 */
export type StageWork = (scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal) => Promise<void>;

/** A worker of one stage that is notified of tasks which failed for good. */
export interface StageWorker {
  /** Called for a task that will not be retried, outside any transaction and before its lease is released. */
  exhausted?(scope: WorkScope, lease: Lease, reason: string): Promise<void>;
}

/** Works a batch of one of several stages. */
export type StagesWork = (stage: Stage, ...args: Parameters<StageWork>) => Promise<void>;

const STAGE = Symbol('acervo:stage');
const STAGES = Symbol('acervo:stages');

/** Marks the one method that works a stage. */
export const RunsStage =
  (stage: Stage) =>
  <T extends StageWork>(_target: object, _key: string | symbol, descriptor: TypedPropertyDescriptor<T>): void => {
    Reflect.defineMetadata(STAGE, stage, descriptor.value as object);
  };

/** Marks the one method that works each of these stages; it gets the stage first. */
export const RunsStages =
  (stages: readonly Stage[]) =>
  <T extends StagesWork>(_target: object, _key: string | symbol, descriptor: TypedPropertyDescriptor<T>): void => {
    Reflect.defineMetadata(STAGES, stages, descriptor.value as object);
  };

export interface BoundStage {
  readonly stage: Stage;
  readonly work: StageWork;
  readonly worker: StageWorker;
}

/** The stages that one method works. */
const stagesOfMethod = (method: object, provider: object): readonly Omit<BoundStage, 'worker'>[] => {
  const stage = Reflect.getMetadata(STAGE, method) as Stage | undefined;
  if (stage !== undefined) return [{ stage, work: (method as StageWork).bind(provider) }];
  const stages = (Reflect.getMetadata(STAGES, method) as readonly Stage[] | undefined) ?? [];
  return stages.map((each) => ({ stage: each, work: (method as StagesWork).bind(provider, each) }));
};

/** The stages that providers work, each once. @throws when two methods work one stage. */
export const stagesOf = (providers: readonly object[]): readonly BoundStage[] => {
  const found = new Map<string, BoundStage>();
  for (const provider of providers) {
    const prototype = Object.getPrototypeOf(provider) as object;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
      if (typeof method !== 'function') continue;
      for (const { stage, work } of stagesOfMethod(method, provider)) {
        if (found.has(stage.name)) throw new Error(`Stage ${stage.name} is worked by two methods.`);
        found.set(stage.name, { stage, work, worker: provider as StageWorker });
      }
    }
  }
  return [...found.values()];
};

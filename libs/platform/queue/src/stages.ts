import 'reflect-metadata';
import type { WorkScope } from '@acervo/rbac';
import type { Lease } from './lease';

/** A step of work on many subjects: how much at once, for how long, and how often it is tried. */
export interface Stage {
  readonly name: string;
  /** Pieces that one worker takes at once, all of one group. */
  readonly batch: number;
  readonly leaseSeconds: number;
  /** Tries before `exhausted` hears of it. */
  readonly attempts: number;
  /** What a piece of the work says beside its subject; a stage without it needs nothing more. */
  readonly payload?: new () => object;
}

/** Works a batch; each result is committed with its lease by the worker itself. */
export type StageWork = (scope: WorkScope, leases: readonly Lease[]) => Promise<void>;

/** A worker of one stage that is told of work which failed for good. */
export interface StageWorker {
  /** Work that will not be tried again; called outside any transaction, before the lease is given up. */
  exhausted?(scope: WorkScope, lease: Lease, reason: string): Promise<void>;
}

const STAGE = Symbol('acervo:stage');

/** Marks the one method that works a stage. */
export const RunsStage =
  (stage: Stage) =>
  <T extends StageWork>(_target: object, _key: string | symbol, descriptor: TypedPropertyDescriptor<T>): void => {
    Reflect.defineMetadata(STAGE, stage, descriptor.value as object);
  };

export interface BoundStage {
  readonly stage: Stage;
  readonly work: StageWork;
  readonly worker: StageWorker;
}

/** The stages that providers work, each once. @throws when two methods work one stage. */
export const stagesOf = (providers: readonly object[]): readonly BoundStage[] => {
  const found = new Map<string, BoundStage>();
  for (const provider of providers) {
    const prototype = Object.getPrototypeOf(provider) as object;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
      const stage =
        typeof method === 'function' ? (Reflect.getMetadata(STAGE, method) as Stage | undefined) : undefined;
      if (stage === undefined || typeof method !== 'function') continue;
      if (found.has(stage.name)) throw new Error(`Stage ${stage.name} is worked by two methods.`);
      found.set(stage.name, { stage, work: method.bind(provider) as StageWork, worker: provider as StageWorker });
    }
  }
  return [...found.values()];
};

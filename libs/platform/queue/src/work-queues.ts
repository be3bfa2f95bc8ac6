import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import type { WorkSignal } from './jobs/job-backend';
import { CAPACITIES, type Capacity, capacityOf, type Stage } from './stages';

export type SignalQueue = Queue<WorkSignal, void>;

/** The queue of short stages has the name of the service. */
export const queueNameOf = (service: string, capacity: Capacity): string =>
  capacity === 'short' ? service : `${service}-${capacity}`;

/** The provider tokens of the queues of a service, in the order of the capacities. */
export const queueTokensOf = (service: string): readonly string[] =>
  CAPACITIES.map((capacity) => getQueueToken(queueNameOf(service, capacity)));

/** The queues of a service, and which of them has the signals of a stage. */
export class WorkQueues {
  private capacities: ReadonlyMap<string, Capacity> = new Map();

  /** @param all the queues in the order of the capacities */
  constructor(readonly all: readonly SignalQueue[]) {}

  /** Sets the stages of the service. Signals of other stages go to the queue of short stages. */
  bind(stages: readonly Stage[]): void {
    this.capacities = new Map(stages.map((stage) => [stage.name, capacityOf(stage)]));
  }

  of(stage: string): SignalQueue {
    const queue = this.all[CAPACITIES.indexOf(this.capacities.get(stage) ?? 'short')];
    if (queue === undefined) throw new Error('Each capacity needs a queue.');
    return queue;
  }
}

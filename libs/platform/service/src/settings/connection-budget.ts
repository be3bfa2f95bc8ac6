import { Inject, Injectable } from '@nestjs/common';
import { capacitiesOf } from '@acervo/platform-queue';
import { EventsConfig } from './events-config';
import { RolesConfig } from './roles-config';
import { WorkConfig } from './work-config';

/** What a service needs connections for, beside what every service does. */
export interface ConnectionNeeds {
  /** It works stages. */
  readonly stages?: boolean;
  /** Some of them fetch from addresses of users. */
  readonly egress?: boolean;
  /** Connections of pools of its own, at most. */
  readonly additional?: number;
}

export const CONNECTION_NEEDS = Symbol('acervo:connection-needs');

/** Background work beside its batches: looking for waiting tasks, measuring. */
const BESIDE_BATCHES = 2;

/** How many connections to PostgreSQL one process of a service opens at most, by what they are for. */
@Injectable()
export class ConnectionBudget {
  readonly requests: number;
  /** Receiving, handling and pruning events overlap. */
  readonly events = 3;
  /** Batches of stages and what accompanies them. */
  readonly background: number;
  /** Makes partitions as the owner of the schema. */
  readonly partitions = 1;
  /** Looks for tasks that wait for too long. */
  readonly reconciler = 1;
  /** Asks whether the database answers. */
  readonly readiness = 1;
  /** Hears the notifications of all channels. */
  readonly notifications = 1;
  /** Publishes the outbox to Kafka; reading, deleting and leases overlap. */
  readonly relay: number;
  /** Jobs that are not in Redis. */
  readonly jobs: number;
  /** Pools of this service alone. */
  readonly additional: number;

  constructor(
    { databasePool }: RolesConfig,
    { stageConcurrency, queue, work }: WorkConfig,
    { events }: EventsConfig,
    @Inject(CONNECTION_NEEDS) { stages = false, egress = false, additional = 0 }: ConnectionNeeds,
  ) {
    this.requests = databasePool;
    const capacities = capacitiesOf(work).filter((capacity) => stages && (egress || capacity !== 'egress'));
    this.background = capacities.length * stageConcurrency + BESIDE_BATCHES;
    this.relay = events === 'kafka' ? 3 : 0;
    this.additional = additional;
    this.jobs = queue === 'redis' ? 0 : 10;
  }

  /** All of them together. */
  get total(): number {
    const { requests, events, background, partitions, reconciler, readiness, notifications, relay, jobs, additional } =
      this;
    return (
      requests + events + background + partitions + reconciler + readiness + notifications + relay + jobs + additional
    );
  }
}

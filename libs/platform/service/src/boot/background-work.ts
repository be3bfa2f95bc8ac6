import { Injectable } from '@nestjs/common';
import { EventDelivery } from '../modules/event-delivery';
import { StageWorkers } from '../modules/stage-workers';

/** Background work of a service: handling events, working stages. */
@Injectable()
export class BackgroundWork {
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly delivery: EventDelivery,
    private readonly workers: StageWorkers,
  ) {}

  /**
   * Starts all background work. Resolves when events can be sent and received: this waits for Kafka and may take long.
   * @throws when the event transport can never be used as configured
   */
  async start(): Promise<void> {
    this.workers.start();
    await this.delivery.start();
  }

  /** A second call waits for the same end. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  /** Concurrently: leaving Kafka may take seconds, and interrupted work goes to another process at once. */
  private async end(): Promise<void> {
    await Promise.all([this.delivery.stopReceiving(), this.delivery.stopHandling(), this.workers.stop()]);
  }
}

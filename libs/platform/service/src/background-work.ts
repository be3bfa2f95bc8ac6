import { Injectable } from '@nestjs/common';
import { EventDelivery } from './event-delivery';
import { StageWorkers } from './stage-workers';

/** Background work of a service: handling events, working stages. */
@Injectable()
export class BackgroundWork {
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

  async stop(): Promise<void> {
    const endOfWork = async (): Promise<void> => {
      await this.delivery.stopHandling();
      await this.workers.stop();
    };
    // Leaving Kafka may take seconds; no new work starts meanwhile.
    await Promise.all([this.delivery.stopReceiving(), endOfWork()]);
  }
}

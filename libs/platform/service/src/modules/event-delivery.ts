import { Injectable } from '@nestjs/common';
import { Consumer, RemoteEventTransport, type Subscription, WaitingFigures } from '@acervo/platform-messaging';
import { Logger } from '@acervo/platform-observability';
import { HOURLY, Periodic } from '@acervo/platform-resilience';

/** Delivers events: receives them from the transport, passes them to their handlers, measures those that wait. */
@Injectable()
export class EventDelivery {
  private readonly trimming = new Periodic(() => this.consumer.trim(), {
    ...HOURLY,
    failed: (error) => this.logger.warn({ error }, 'inbox was not trimmed'),
  });

  constructor(
    private readonly consumer: Consumer,
    private readonly transport: RemoteEventTransport,
    private readonly figures: WaitingFigures,
    private readonly logger: Logger,
  ) {}

  /** Whether Kafka answers; absent where Kafka is not the transport. */
  get ping(): (() => Promise<void>) | undefined {
    const { transport } = this;
    return transport.remote ? () => transport.ping() : undefined;
  }

  subscribe(subscriptions: ReadonlyMap<string, Subscription>): void {
    this.consumer.subscribe(subscriptions);
  }

  /** Calls the listener after events are handled and committed. */
  onHandled(listener: () => void): void {
    this.consumer.onHandled(listener);
  }

  /** Checks, for some seconds at most, whether Kafka can be used. @throws when it never can as configured */
  async check(): Promise<void> {
    await this.transport.check().catch(async (error: unknown) => {
      await this.transport.stop();
      throw error;
    });
  }

  /**
   * Resolves when events can be sent and received: this waits for Kafka and may take long.
   * @throws when the event transport can never be used as configured
   */
  async start(): Promise<void> {
    this.consumer.start();
    this.figures.start();
    this.trimming.start();
    await this.transport.start();
  }

  /** Stops receiving events from Kafka, which may take seconds, and stops measuring. */
  async stopReceiving(): Promise<void> {
    void this.trimming.stop();
    this.figures.stop();
    await this.transport.stop();
  }

  /** Handles the events already taken, then stops. */
  stopHandling(): Promise<void> {
    return this.consumer.stop();
  }
}

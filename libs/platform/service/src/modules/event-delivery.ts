import { Injectable } from '@nestjs/common';
import { Consumer, RemoteEventTransport, type Subscription, WaitingFigures } from '@acervo/platform-messaging';
import { Logger } from '@acervo/platform-observability';

const HOUR_MS = 3_600_000;

/** Delivers events: receives them from the transport, passes them to their handlers, measures those that wait. */
@Injectable()
export class EventDelivery {
  private trimmer: NodeJS.Timeout | undefined;

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
    this.trimmer = setInterval(() => void this.trim(), HOUR_MS);
    this.trimmer.unref();
    await this.transport.start();
  }

  /** Stops receiving events from Kafka, which may take seconds, and stops measuring. */
  async stopReceiving(): Promise<void> {
    clearInterval(this.trimmer);
    this.figures.stop();
    await this.transport.stop();
  }

  /** Handles the events already taken, then stops. */
  stopHandling(): Promise<void> {
    return this.consumer.stop();
  }

  private async trim(): Promise<void> {
    await this.consumer.trim().catch((error: unknown) => this.logger.warn({ error }, 'inbox was not trimmed'));
  }
}

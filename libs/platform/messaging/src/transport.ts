/**
 * Brings the events of a service from its outbox to those who listen, and those of others into its `incoming`. What
 * arrives may arrive twice; events of one topic, group and key arrive in the order in which they were written.
 */
export abstract class EventTransport {
  /** Begins and goes on by itself, whatever becomes of the engine behind it. Resolves when events come and go. */
  abstract start(): Promise<void>;
  /** Hands over what it has begun and leaves; without an engine that answers it leaves within seconds. */
  abstract stop(): Promise<void>;
}

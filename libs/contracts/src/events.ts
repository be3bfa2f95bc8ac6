import type { Type } from '@nestjs/common';
import type { ServiceName } from './services';

/** An event. Written to the outbox in the transaction that made it true. */
export interface Event<P extends object = object> {
  /** Name with version: `document.prepared.v1`. */
  readonly topic: string;
  /** The service that publishes it; `any` for events that every service publishes. */
  readonly producer: ServiceName | 'any';
  /** The field of the payload that names the producer. A receiver compares it with the service that signed the event. */
  readonly producerField?: string;
  readonly subscribers: readonly ServiceName[];
  readonly payload: Type<P>;
  /** The ordering key: events of one group and key arrive in the order of their writes. */
  key(payload: P): string;
}

const events = new Map<string, Event>();

type Declaration<P extends object> = Omit<Event<P>, 'key' | 'producerField'> & {
  readonly producerField?: keyof NoInfer<P> & string;
  key(payload: NoInfer<P>): string;
};

/** Declares an event. Topics are unique; a second event with one topic fails to load. */
export const event = <P extends object>(declaration: Declaration<P>): Event<P> => {
  if (events.has(declaration.topic)) throw new Error(`Two events have the topic ${declaration.topic}.`);
  const value = Object.freeze({ ...declaration });
  events.set(value.topic, value);
  return value;
};

/** All declared events. */
export const allEvents = (): readonly Event[] => [...events.values()];

/** The events that a service may publish. */
export const publishedBy = (service: ServiceName): readonly Event[] =>
  allEvents().filter(({ producer }) => producer === 'any' || producer === service);

/** The events that a service listens to. */
export const receivedBy = (service: ServiceName): readonly Event[] =>
  allEvents().filter(({ subscribers }) => subscribers.includes(service));

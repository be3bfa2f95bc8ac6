import type { Type } from '@nestjs/common';
import type { ServiceName } from './services';

/** A fact that happened. Written to the outbox in the transaction that made it true. */
export interface Event<P extends object = object> {
  /** Name with version: `document.prepared.v1`. */
  readonly topic: string;
  /** The service that publishes it; `any` for facts that all of them have. */
  readonly producer: ServiceName | 'any';
  readonly subscribers: readonly ServiceName[];
  readonly payload: Type<P>;
  /** What must stay in order: events of one group and key arrive as they were written. */
  key(payload: P): string;
}

const known = new Map<string, Event>();

type Declaration<P extends object> = Omit<Event<P>, 'key'> & { key(payload: NoInfer<P>): string };

/** Declares an event. Topics are unique: two events with one topic do not load. */
export const event = <P extends object>(declaration: Declaration<P>): Event<P> => {
  if (known.has(declaration.topic)) throw new Error(`Two events have the topic ${declaration.topic}.`);
  const value = Object.freeze({ ...declaration });
  known.set(value.topic, value);
  return value;
};

/** All events that have been declared. */
export const allEvents = (): readonly Event[] => [...known.values()];

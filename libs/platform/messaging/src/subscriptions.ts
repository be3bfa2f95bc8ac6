import 'reflect-metadata';
import { allEvents, type Event, type ServiceName } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';

/** Handles an event in the transaction of its inbox row: writes rows of its own service, and nothing else. */
export type EventHandler<P extends object> = (scope: WorkScope, tx: Transaction, payload: P) => Promise<void>;

const CONSUMED = Symbol('acervo:consumed-event');

/** Marks the one method of a service that handles an event. */
export const On =
  <P extends object>(event: Event<P>) =>
  <T extends EventHandler<P>>(_target: object, _key: string | symbol, descriptor: TypedPropertyDescriptor<T>): void => {
    Reflect.defineMetadata(CONSUMED, event, descriptor.value as object);
  };

const consumedEvent = (method: object): Event | undefined => Reflect.getMetadata(CONSUMED, method) as Event | undefined;

export interface Subscription {
  readonly event: Event;
  readonly handle: EventHandler<object>;
}

const handlersIn = (provider: object): Subscription[] => {
  const prototype = Object.getPrototypeOf(provider) as object;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    const event = typeof method === 'function' ? consumedEvent(method) : undefined;
    return event === undefined || typeof method !== 'function'
      ? []
      : [{ event, handle: method.bind(provider) as EventHandler<object> }];
  });
};

/**
 * The handlers of one service by topic.
 * @throws when a subscribed event has no handler or two, or a handler is for an event outside the subscriptions
 */
export const subscriptionsOf = (
  service: ServiceName,
  providers: readonly object[],
): ReadonlyMap<string, Subscription> => {
  const found = new Map<string, Subscription>();
  for (const subscription of providers.flatMap(handlersIn)) {
    const { topic, subscribers } = subscription.event;
    if (!subscribers.includes(service))
      throw new Error(`${service} listens to ${topic} and is not among its subscribers.`);
    if (found.has(topic)) throw new Error(`${topic} has two handlers in ${service}.`);
    found.set(topic, subscription);
  }
  const missing = allEvents().filter(({ subscribers, topic }) => subscribers.includes(service) && !found.has(topic));
  if (missing.length > 0)
    throw new Error(
      `${service} does not listen to ${missing.map(({ topic }) => topic).join(', ')}; add @On to a method of a provider.`,
    );
  return found;
};

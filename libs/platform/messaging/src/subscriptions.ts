import 'reflect-metadata';
import { type Event, receivedBy, type ServiceName } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';

/** Handles an event in the transaction of its inbox row: writes rows of its own service, and nothing else. */
export type EventHandler<P extends object> = (scope: WorkScope, tx: Transaction, payload: P) => Promise<void>;

/**
 * Handles several events of one topic and one group in the transaction of their inbox rows, by set-based statements. Of
 * one key they come in the order in which they were published. When it fails, each event is passed to it alone.
 */
export type EventsHandler<P extends object> = (
  scope: WorkScope,
  tx: Transaction,
  payloads: readonly P[],
) => Promise<void>;

/** How a handler takes events. */
export interface AtOnce {
  /** Most events of one call. Fewer come where these take long: a transaction of one machine blocks all others. */
  readonly atOnce: number;
}

interface Consumed {
  readonly event: Event;
  /** 1 for a handler of single events. */
  readonly atOnce: number;
}

type Decorates<H> = <T extends H>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<T>) => void;

const CONSUMED = Symbol('acervo:consumed-event');

/** Marks the one method of a service that handles an event, or several events of one topic at once. */
export function On<P extends object>(event: Event<P>): Decorates<EventHandler<P>>;
export function On<P extends object>(event: Event<P>, how: AtOnce): Decorates<EventsHandler<P>>;
export function On<P extends object>(
  event: Event<P>,
  { atOnce }: AtOnce = { atOnce: 1 },
): Decorates<EventHandler<P> & EventsHandler<P>> {
  return (_target, _key, descriptor) => {
    Reflect.defineMetadata(CONSUMED, { event, atOnce }, descriptor.value as object);
  };
}

const consumedBy = (method: object): Consumed | undefined =>
  Reflect.getMetadata(CONSUMED, method) as Consumed | undefined;

export interface Subscription {
  readonly event: Event;
  readonly handle: EventHandler<object>;
  /** Present where several events may be handled at once. */
  readonly together?: AtOnce & { readonly handle: EventsHandler<object> };
}

const subscriptionOf = ({ event, atOnce }: Consumed, method: (...parameters: unknown[]) => unknown): Subscription => {
  if (atOnce === 1) return { event, handle: method as EventHandler<object> };
  const handle = method as EventsHandler<object>;
  return { event, handle: (scope, tx, payload) => handle(scope, tx, [payload]), together: { atOnce, handle } };
};

const handlersIn = (provider: object): Subscription[] => {
  const prototype = Object.getPrototypeOf(provider) as object;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    if (typeof method !== 'function') return [];
    const consumed = consumedBy(method);
    const bound = method.bind(provider) as (...parameters: unknown[]) => unknown;
    return consumed === undefined ? [] : [subscriptionOf(consumed, bound)];
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
  const missing = receivedBy(service).filter(({ topic }) => !found.has(topic));
  if (missing.length > 0)
    throw new Error(
      `${service} does not listen to ${missing.map(({ topic }) => topic).join(', ')}; add @On to a method of a provider.`,
    );
  return found;
};

/** Where an event came from: the trace of what caused it, as a `traceparent`; null where there is none. */
export interface EventOrigin {
  readonly trace: string | null;
}

const origins = new WeakMap<object, EventOrigin>();

/** The origin of a payload that a handler received; handlers of several events pass it on for each. */
export const originOf = (payload: object): EventOrigin => origins.get(payload) ?? { trace: null };

export const withOrigin = <P extends object>(payload: P, { trace }: EventOrigin): P => {
  origins.set(payload, { trace });
  return payload;
};

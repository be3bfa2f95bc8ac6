/** What an error of the library may carry. */
type Told = Error & { readonly type?: unknown; readonly retriable?: unknown };

/** What the library calls final and time mends: locks that it did not get, brokers that are not quite there yet. */
const PASSING: readonly unknown[] = ['KafkaJSTimeout', 'KafkaJSLockTimeout', 'UNKNOWN', 'BROKER_NOT_AVAILABLE'];
/** The library could not even write down what it was given. */
const UNWRITABLE: readonly unknown[] = ['TypeError', 'RangeError'];

/** The library wraps what it hears, and calls its own giving up final, whatever it gave up on. */
const rootOf = (error: Error): Told => (error.cause instanceof Error ? rootOf(error.cause) : error);

/** Whether a broker said that what it was sent is larger than it takes. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && rootOf(error).type === 'MESSAGE_TOO_LARGE';

/** Whether the same would fail again however often it is tried. */
export const isFinal = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { name, type, retriable } = rootOf(error);
  if (PASSING.includes(name) || PASSING.includes(type)) return false;
  return retriable === false || UNWRITABLE.includes(name);
};

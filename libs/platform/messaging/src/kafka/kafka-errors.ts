/** What an error of the library may carry. */
type Told = Error & {
  readonly type?: unknown;
  readonly retriable?: unknown;
  readonly topic?: unknown;
  readonly errors?: unknown;
};

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

/** The errors of several things that were asked at once; the one where it was one thing. */
const partsOf = (error: unknown): readonly Told[] => {
  if (!(error instanceof Error)) return [];
  const { errors } = rootOf(error);
  return Array.isArray(errors) ? (errors as unknown[]).flatMap(partsOf) : [rootOf(error)];
};

/** What a broker refuses for good of topics that it was to make, each with the topic; nothing that is there already. */
export const refusedTopics = (error: unknown): string[] =>
  partsOf(error)
    .filter((part) => part.topic !== undefined && part.type !== 'TOPIC_ALREADY_EXISTS' && isFinal(part))
    .map(({ topic, type }) => `${String(topic)}: ${String(type)}`);

/** What brokers answered; nothing where none did. */
export const answersIn = (error: unknown): string[] => [
  ...new Set(
    partsOf(error).flatMap(({ type, name, message }) =>
      typeof type === 'string' ? [type] : name === 'KafkaJSSASLAuthenticationError' ? [message] : [],
    ),
  ),
];

/** Properties that an error of the library may have. */
type KafkaErrorDetails = Error & {
  readonly type?: unknown;
  readonly retriable?: unknown;
  readonly topic?: unknown;
  readonly errors?: unknown;
};

/** Errors that the library calls final but that pass: locks not obtained, brokers not quite ready. */
const PASSING: readonly unknown[] = ['KafkaJSTimeout', 'KafkaJSLockTimeout', 'UNKNOWN', 'BROKER_NOT_AVAILABLE'];
/** Errors of the library when it cannot serialise its input. */
const UNWRITABLE: readonly unknown[] = ['TypeError', 'RangeError'];

/** The library wraps errors and marks its own giving up as final, whatever the cause. */
const rootOf = (error: Error): KafkaErrorDetails => (error.cause instanceof Error ? rootOf(error.cause) : error);

/** Whether a broker refused a message or batch for its size. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && rootOf(error).type === 'MESSAGE_TOO_LARGE';

/** Whether every retry would fail the same way. */
export const isFinal = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { name, type, retriable } = rootOf(error);
  if (PASSING.includes(name) || PASSING.includes(type)) return false;
  return retriable === false || UNWRITABLE.includes(name);
};

/** The single errors of an aggregate; the error itself where it is not an aggregate. */
const partsOf = (error: unknown): readonly KafkaErrorDetails[] => {
  if (!(error instanceof Error)) return [];
  const { errors } = rootOf(error);
  return Array.isArray(errors) ? (errors as unknown[]).flatMap(partsOf) : [rootOf(error)];
};

/** Final refusals of a request to create topics, each with its topic; existing topics are not refusals. */
export const refusedTopics = (error: unknown): string[] =>
  partsOf(error)
    .filter((part) => part.topic !== undefined && part.type !== 'TOPIC_ALREADY_EXISTS' && isFinal(part))
    .map(({ topic, type }) => `${String(topic)}: ${String(type)}`);

/** Error codes that brokers answered; empty where no broker answered. */
export const answersIn = (error: unknown): string[] => [
  ...new Set(
    partsOf(error).flatMap(({ type, name, message }) =>
      typeof type === 'string' ? [type] : name === 'KafkaJSSASLAuthenticationError' ? [message] : [],
    ),
  ),
];

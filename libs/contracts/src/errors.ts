import { type PublicErrorCode, publicErrors } from '@acervo/public-mapping';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * A refusal that the domain means. `code` decides the HTTP status and the public sentence; `message` is for logs and
 * internal routes and says what to do next; `details` holds declared names and numbers only, never what was sent.
 */
export abstract class DomainError extends Error {
  abstract readonly code: PublicErrorCode;
  constructor(
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
    this.name = new.target.name;
  }

  /** A sentence for Spanish-speaking users of the internal routes, where that of the code says too little. */
  get spoken(): string | undefined {
    return undefined;
  }
}

type DomainErrorClass = abstract new (...args: never[]) => DomainError;
const crossing = new Map<string, DomainErrorClass>();

/** Lets an error cross a call: the far side raises the same class again, with its code, message and details. */
export const CrossesCalls = <T extends DomainErrorClass>(type: T): T => {
  if (crossing.has(type.name)) throw new Error(`Two errors are called ${type.name}; rename one.`);
  crossing.set(type.name, type);
  return type;
};

export interface ErrorFrame {
  readonly name: string;
  readonly code: PublicErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
  /** What it is besides, the nearest first: a caller may know these where it does not know the name. */
  readonly kinds?: readonly string[];
}

const kindsOf = (error: DomainError): string[] => {
  const kinds: string[] = [];
  for (let type: unknown = error.constructor; typeof type === 'function'; type = Object.getPrototypeOf(type))
    if (type.name !== error.name && crossing.has(type.name)) kinds.push(type.name);
  return kinds;
};

export const errorFrame = (error: DomainError): ErrorFrame => ({
  name: error.name,
  code: error.code,
  message: error.message,
  details: error.details,
  kinds: kindsOf(error),
});

@CrossesCalls
export class InternalFailure extends DomainError {
  readonly code = 'INTERNAL_ERROR';
}

/** An error that only its owner has a class for: its code says enough. */
class OwnersError extends DomainError {
  readonly code: PublicErrorCode = 'INTERNAL_ERROR';
}

/**
 * The error of a frame as its class, or the nearest that this side knows: errors of one service are no part of another.
 * One with a code that is not known here is an internal failure.
 */
export const raiseFrame = ({ name, code, message, details, kinds = [] }: ErrorFrame): DomainError => {
  if (!Object.hasOwn(publicErrors, code)) return new InternalFailure(`A call failed with ${name} of an unknown code.`);
  const known = [name, ...kinds].map((each) => crossing.get(each)).find((type) => type !== undefined);
  const error = Object.create((known ?? OwnersError).prototype as object) as DomainError;
  return Object.assign(error, { name, code, message, details });
};

@CrossesCalls
export class InvalidInput extends DomainError {
  readonly code = 'VALIDATION_ERROR';
  constructor(found: { missing: readonly string[]; invalid: readonly string[]; unknown: number }) {
    super('The input does not match its schema.', {
      ...(found.missing.length > 0 ? { missing_fields: found.missing } : {}),
      ...(found.invalid.length > 0 ? { invalid_fields: found.invalid } : {}),
      ...(found.unknown > 0 ? { unknown_field_count: found.unknown } : {}),
    });
  }
}

@CrossesCalls
export class InvalidMeaning extends DomainError {
  readonly code = 'INVALID_REQUEST';
  constructor(fields: readonly string[]) {
    super('The input has the right shape and no meaning; give the named fields a value.', { invalid_fields: fields });
  }
}

/** Absent and invisible are this one error, made in this one way. */
@CrossesCalls
export class NotFound extends DomainError {
  readonly code = 'NOT_FOUND';
  constructor() {
    super('The requested resource was not found.');
  }
}

@CrossesCalls
export class Unauthorized extends DomainError {
  readonly code = 'UNAUTHORIZED';
  constructor() {
    super('Valid credentials are required.');
  }
}

@CrossesCalls
export class Forbidden extends DomainError {
  readonly code = 'FORBIDDEN';
  constructor(message = 'The credential does not reach this resource.') {
    super(message);
  }
}

@CrossesCalls
export class ContextConflict extends DomainError {
  readonly code = 'CONTEXT_CONFLICT';
  constructor() {
    super('The saved area scope no longer matches the permissions of its owner; release or replace it.');
  }
}

@CrossesCalls
export class InvalidContext extends DomainError {
  readonly code = 'INVALID_CONTEXT';
  constructor() {
    super('No entity could be resolved for this request; activate one or name it.');
  }
}

@CrossesCalls
export class RateLimited extends DomainError {
  readonly code = 'RATE_LIMITED';
  constructor(retryAfterSeconds: number) {
    super('The rate limit was exceeded; retry later.', { retry_after_seconds: retryAfterSeconds });
  }
}

/** What the plan includes is used up. Nothing was done and nothing was counted. */
@CrossesCalls
export class QuotaExceeded extends DomainError {
  readonly code = 'QUOTA_EXCEEDED';
  constructor() {
    super('The plan quota is used up; wait for the next period or change the plan.');
  }
}

/** Something else is in the way: what was asked for is understood and cannot be, as things stand. */
@CrossesCalls
export class Conflict extends DomainError {
  readonly code = 'CONFLICT';
}

/** The same request had its effect before; it has none this time. What it answered then is not known here. */
@CrossesCalls
export class DoneBefore extends Conflict {
  constructor() {
    super('A request with this idempotency key was carried out before; look what it did.', { done: true });
  }
}

/** A route that is known and answers for good that it does nothing. Served as 410. */
@CrossesCalls
export class Gone extends DomainError {
  readonly code = 'INVALID_REQUEST';
}

/** A dependency that this request cannot do without does not answer. Served as 503. */
@CrossesCalls
export class Unavailable extends DomainError {
  readonly code = 'INTERNAL_ERROR';
}

/** An engine behind a port does not answer; what needs it is tried again when it does. The message names the engine. */
@CrossesCalls
export class EngineDown extends Unavailable {
  constructor(engine: string, why: string) {
    super(`${engine} does not answer (${why}); see that it runs and can be reached.`, { engine });
  }
}

import { type PublicErrorCode, publicErrors } from '@acervo/public-mapping';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * A deliberate refusal by the domain. `code` decides the HTTP status and the public sentence. `message` is for logs and
 * internal routes and names the next step. `details` contains only declared names and numbers, never input.
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

  /** A sentence for Spanish-speaking users of the internal routes, where the sentence of the code is too general. */
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
  /** Names of its base classes, the nearest first: a caller may have one of these without having the name itself. */
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

/** An error whose class exists only in its own service; other services use its code. */
class OwnersError extends DomainError {
  readonly code: PublicErrorCode = 'INTERNAL_ERROR';
}

/**
 * The error of a frame as its class, or as the nearest base class on this side: errors of one service are not part of
 * another. An unknown code becomes an internal failure.
 */
export const raiseFrame = ({ name, code, message, details, kinds = [] }: ErrorFrame): DomainError => {
  if (!Object.hasOwn(publicErrors, code)) return new InternalFailure(`A call failed with ${name} of an unknown code.`);
  const registered = [name, ...kinds].map((each) => crossing.get(each)).find((type) => type !== undefined);
  const error = Object.create((registered ?? OwnersError).prototype as object) as DomainError;
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

/** Absent and invisible things give this same error, created in this one way. */
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

/** The quota of the plan is used up. Nothing was done and nothing was counted. */
@CrossesCalls
export class QuotaExceeded extends DomainError {
  readonly code = 'QUOTA_EXCEEDED';
  constructor() {
    super('The plan quota is used up; wait for the next period or change the plan.');
  }
}

/** The request is valid, but it conflicts with the current state. */
@CrossesCalls
export class Conflict extends DomainError {
  readonly code = 'CONFLICT';
}

/** An earlier identical request had its effect; this one has none. The earlier answer is not available. */
@CrossesCalls
export class DoneBefore extends Conflict {
  constructor() {
    super('A request with this idempotency key was executed before; check what it did.', { done: true });
  }
}

/** A retired route that permanently has no effect. Served as 410. */
@CrossesCalls
export class Gone extends DomainError {
  readonly code = 'INVALID_REQUEST';
}

/** A dependency that this request needs does not answer. Served as 503. */
@CrossesCalls
export class Unavailable extends DomainError {
  readonly code = 'INTERNAL_ERROR';
}

const OVERLOAD_SECONDS = 1;

/** Too many requests wait for a resource. Nothing was done. Served as 503 with `Retry-After`. */
@CrossesCalls
export class Overloaded extends Unavailable {
  constructor(resource: string) {
    super(`Too many requests wait for ${resource}; retry later.`, { retry_after_seconds: OVERLOAD_SECONDS });
  }
}

/** An engine behind a port does not answer; dependent work is retried later. The message names the engine. */
@CrossesCalls
export class EngineDown extends Unavailable {
  /** Time until dependent work is tried again, in milliseconds; soon without it. */
  readonly waitMs: number | undefined;

  constructor(engine: string, why: string) {
    super(`${engine} does not answer (${why}); see that it runs and can be reached.`, { engine });
  }
}

import type { components } from './generated/schema';

/** The codes of the API. */
export type ErrorCode = components['schemas']['Error']['code'];

/** Codes that the client gives to what never was an answer of the API. */
export type ClientErrorCode = 'CONNECTION_FAILED' | 'UNEXPECTED_ANSWER';

interface Failure {
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
  readonly cause?: unknown;
}

/** A request that failed. Its class follows from its code. */
export class AcervoError extends Error {
  readonly code: ErrorCode | ClientErrorCode;
  /** HTTP status; 0 where no answer arrived. */
  readonly status: number;
  /** Declared names and counts; usually empty. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Names the request in the logs of the service; empty where no answer arrived. */
  readonly requestId: string;

  constructor({ code, message, status, details = {}, requestId = '', cause }: Failure) {
    super(message, { cause });
    this.name = new.target.name;
    [this.code, this.status, this.details, this.requestId] = [code, status, details, requestId];
  }
}

/** 400: the request has the right shape and no meaning. */
export class InvalidRequest extends AcervoError {}
/** 400: the request needs an active entity. */
export class InvalidContext extends AcervoError {}
/** 401: the key is absent, wrong or revoked. */
export class Unauthorized extends AcervoError {}
/** 402: the quota of the plan is used up. */
export class QuotaExceeded extends AcervoError {}
/** 403: the role of the key does not reach the route. */
export class Forbidden extends AcervoError {}
/** 404: absent or invisible. */
export class NotFound extends AcervoError {}
/** 409: the state of the resource refuses the request. */
export class Conflict extends AcervoError {}
/** 409: the saved area is no longer permitted; set or release the focus. */
export class ContextConflict extends AcervoError {}
/** 422: a field is missing, unknown or out of bounds; `details` names it. */
export class ValidationFailed extends AcervoError {}
/** 429, after all retries. */
export class RateLimited extends AcervoError {}
/** 500, or 503 after all retries. */
export class InternalFailure extends AcervoError {}
/** No answer arrived. */
export class ConnectionFailed extends AcervoError {}
/** An answer that the API does not give: of a proxy, or of another service at this address. */
export class UnexpectedAnswer extends AcervoError {}

const classes: Readonly<Record<ErrorCode | ClientErrorCode, typeof AcervoError>> = {
  INVALID_REQUEST: InvalidRequest,
  INVALID_CONTEXT: InvalidContext,
  UNAUTHORIZED: Unauthorized,
  QUOTA_EXCEEDED: QuotaExceeded,
  FORBIDDEN: Forbidden,
  NOT_FOUND: NotFound,
  CONFLICT: Conflict,
  CONTEXT_CONFLICT: ContextConflict,
  VALIDATION_ERROR: ValidationFailed,
  RATE_LIMITED: RateLimited,
  INTERNAL_ERROR: InternalFailure,
  PUBLIC_CODE_MAPPING_MISSING: InternalFailure,
  PUBLIC_FIELD_MAPPING_MISSING: InternalFailure,
  CONNECTION_FAILED: ConnectionFailed,
  UNEXPECTED_ANSWER: UnexpectedAnswer,
};

const isEnvelope = (body: unknown): body is components['schemas']['Error'] =>
  typeof body === 'object' && body !== null && 'code' in body && 'message' in body && 'request_id' in body;

/** The error of an answer. A code that is newer than this client keeps its name and has the base class. */
export const errorOf = (status: number, body: unknown): AcervoError => {
  if (!isEnvelope(body)) {
    const message = `The answer has status ${status} and no error of the API: check the address.`;
    return new UnexpectedAnswer({ code: 'UNEXPECTED_ANSWER', message, status });
  }
  const { code, message, details, request_id: requestId } = body;
  const type = Object.hasOwn(classes, code) ? classes[code] : AcervoError;
  return new type({ code, message, status, details, requestId });
};

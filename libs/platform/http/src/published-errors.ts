import { type PublicErrorCode, publicErrors } from '@acervo/public-mapping';

type Node = Record<string, unknown>;

/** One way in which a route fails, as its example shows it. */
interface ErrorExample {
  readonly code: PublicErrorCode;
  readonly details?: Node;
}

/** The errors of one status: the name of its response, when it is sent, and an example for each code. */
interface ErrorAnswer {
  readonly name: string;
  readonly status: number;
  readonly description: string;
  readonly examples: readonly ErrorExample[];
  /** Whether it says in `Retry-After` when the next try may succeed. */
  readonly isRetried?: boolean;
}

const REQUEST_ID = '0199c0de-7a51-7c3e-9b1a-4f2d5e6a7b8c';

const answers: readonly ErrorAnswer[] = [
  {
    name: 'InvalidRequest',
    status: 400,
    description: 'The request has the right shape and no meaning, or needs an active entity. Change it; a retry fails.',
    examples: [{ code: 'INVALID_REQUEST', details: { invalid_fields: ['query'] } }, { code: 'INVALID_CONTEXT' }],
  },
  {
    name: 'Unauthorized',
    status: 401,
    description: 'The credential is absent, wrong, revoked or expired. Send a valid key or sign in again.',
    examples: [{ code: 'UNAUTHORIZED' }],
  },
  {
    name: 'QuotaExceeded',
    status: 402,
    description: 'The plan quota is used up. Nothing was done and nothing was counted.',
    examples: [{ code: 'QUOTA_EXCEEDED' }],
  },
  {
    name: 'Forbidden',
    status: 403,
    description: 'The role of the credential does not reach this route. Ask for another role or use another key.',
    examples: [{ code: 'FORBIDDEN' }],
  },
  {
    name: 'NotFound',
    status: 404,
    description: 'Nothing with this code is visible. Absent and invisible things have the same answer.',
    examples: [{ code: 'NOT_FOUND' }],
  },
  {
    name: 'Conflict',
    status: 409,
    description:
      'The state of the resource refuses the request, a request with this idempotency key was executed before, or the saved area is no longer permitted.',
    examples: [{ code: 'CONFLICT', details: { done: true } }, { code: 'CONTEXT_CONFLICT' }],
  },
  {
    name: 'ValidationError',
    status: 422,
    description:
      'A field is missing, unknown or out of bounds. `details` names declared fields and counts unknown ones.',
    examples: [{ code: 'VALIDATION_ERROR', details: { missing_fields: ['query'], unknown_field_count: 1 } }],
  },
  {
    name: 'RateLimited',
    status: 429,
    description: 'Too many requests of this credential or address. Repeat the request after `Retry-After` seconds.',
    examples: [{ code: 'RATE_LIMITED', details: { retry_after_seconds: 2 } }],
    isRetried: true,
  },
  {
    name: 'InternalError',
    status: 500,
    description: 'The service failed, or an answer has a value without a public name. Report it with its `request_id`.',
    examples: [
      { code: 'INTERNAL_ERROR' },
      { code: 'PUBLIC_CODE_MAPPING_MISSING' },
      { code: 'PUBLIC_FIELD_MAPPING_MISSING' },
    ],
  },
  {
    name: 'Unavailable',
    status: 503,
    description:
      'A part that this request needs does not answer, or is busy. Nothing was done: repeat the request later.',
    examples: [{ code: 'INTERNAL_ERROR', details: { retry_after_seconds: 1 } }],
    isRetried: true,
  },
];

const content = (examples: Node): Node => ({
  'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples },
});

const exampleOf = ({ code, details = {} }: ErrorExample): Node => ({
  summary: publicErrors[code].message,
  value: { code, message: publicErrors[code].message, details, request_id: REQUEST_ID },
});

const retryAfter = {
  'Retry-After': {
    description: 'Seconds until the next try; absent where they are unknown',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
  },
};

const responseOf = ({ description, examples, isRetried = false }: ErrorAnswer): Node => ({
  description,
  ...(isRetried ? { headers: retryAfter } : {}),
  content: content(Object.fromEntries(examples.map((example) => [example.code, exampleOf(example)]))),
});

/** The shared error responses of the published description, by name. */
export const errorResponses: Node = Object.fromEntries(answers.map((answer) => [answer.name, responseOf(answer)]));

/** The answer of any status that is not listed. */
export const otherError: Node = {
  description: 'An error of another status',
  content: content({ INTERNAL_ERROR: exampleOf({ code: 'INTERNAL_ERROR' }) }),
};

export const errorSchema = {
  type: 'object',
  description: 'What every answer of /v1 says that is not a success',
  additionalProperties: false,
  required: ['code', 'message', 'details', 'request_id'],
  properties: {
    code: { type: 'string', enum: Object.keys(publicErrors), description: 'What went wrong' },
    message: { type: 'string', maxLength: 200, description: 'The fixed sentence of the code' },
    details: { type: 'object', additionalProperties: true, description: 'Declared names and counts, usually none' },
    request_id: {
      type: 'string',
      pattern: '^[A-Za-z0-9._:-]+$',
      maxLength: 128,
      description: 'The X-Request-Id of the request, or one that was given to it',
    },
  },
};

/** What decides the errors of a route. */
export interface RouteTraits {
  readonly isProtected: boolean;
  readonly hasInput: boolean;
  readonly namesResource: boolean;
  /** Codes beside those that follow from the above. */
  readonly more: readonly string[];
}

const everyRoute = [429, 500, 503];
const protectedRoute = [400, 401, 403, 409];

/** References to the error responses that a route may give, by status. */
export const errorsOf = ({ isProtected, hasInput, namesResource, more }: RouteTraits): Node => {
  const statuses = new Set([
    ...everyRoute,
    ...(isProtected ? protectedRoute : []),
    ...(hasInput ? [422] : []),
    ...(namesResource ? [404] : []),
  ]);
  const references = answers
    .filter(({ status, examples }) => statuses.has(status) || examples.some(({ code }) => more.includes(code)))
    .map(({ name, status }): [string, Node] => [String(status), { $ref: `#/components/responses/${name}` }]);
  return { ...Object.fromEntries(references), default: otherError };
};

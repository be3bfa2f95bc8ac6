import { HttpException } from '@nestjs/common';
import { DomainError, Gone, Unavailable } from '@acervo/contracts';
import {
  CodeMappingMissing,
  FieldMappingMissing,
  internalDetails,
  internalMessages,
  publicErrors,
  type PublicErrorBody,
  type PublicErrorCode,
} from '@acervo/public-mapping';

/** An error as HTTP sees it, before it is worded for one of the two audiences. */
export interface Problem {
  readonly status: number;
  readonly code: PublicErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
}

const byStatus: Readonly<Record<number, PublicErrorCode>> = {
  400: 'INVALID_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'QUOTA_EXCEEDED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'VALIDATION_ERROR',
  429: 'RATE_LIMITED',
};

/**
 * Body parsers and the router throw errors with a numeric `status` and no class of Nest. `expose` marks an error of the
 * caller. An error of any other origin that has a status counts as a crash.
 */
const statusOf = (error: unknown): number => {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof URIError) return 400;
  if (typeof error !== 'object' || error === null || Reflect.get(error, 'expose') !== true) return 500;
  const status: unknown = Reflect.get(error, 'status');
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
};

const domainStatus = (error: DomainError): number =>
  error instanceof Unavailable ? 503 : error instanceof Gone ? 410 : publicErrors[error.code].status;

/** The problem that a caller receives for an error: codes, names and counts of the product, never the error's text. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof DomainError) {
    const retry = error.details['retry_after_seconds'];
    return {
      status: domainStatus(error),
      code: error.code,
      details: error.details,
      ...(typeof retry === 'number' ? { retryAfterSeconds: retry } : {}),
    };
  }
  if (error instanceof CodeMappingMissing || error instanceof FieldMappingMissing)
    return { status: 500, code: error.code, details: {} };
  const status = statusOf(error);
  // By contract, any status that it does not list has this code, whatever the cause.
  return { status, code: byStatus[status] ?? 'INTERNAL_ERROR', details: {} };
};

export const publicBody = ({ code, details }: Problem, requestId: string): PublicErrorBody => ({
  code,
  message: publicErrors[code].message,
  details,
  request_id: requestId,
});

/** The body of an error on an internal route, worded for Spanish-speaking users. */
export interface InternalErrorBody {
  readonly codigo: PublicErrorCode;
  readonly mensaje: string;
  readonly detalles: Readonly<Record<string, unknown>>;
  readonly id_solicitud: string;
}

export const internalBody = (
  { code, details }: Problem,
  requestId: string,
  userMessage?: string,
): InternalErrorBody => ({
  codigo: code,
  mensaje: userMessage ?? internalMessages[code],
  detalles: Object.fromEntries(
    Object.entries(details).map(([name, detail]) => [internalDetails[name] ?? name, detail]),
  ),
  id_solicitud: requestId,
});

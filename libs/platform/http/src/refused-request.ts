import { randomUUID } from 'node:crypto';
import { type OutgoingHttpHeaders, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import { HttpException } from '@nestjs/common';
import { isPublicContract } from './paths';
import { internalBody, type Problem, problemOf, publicBody } from './problem';

/** Statuses by the code of Node's error; any other refusal is a bad request. */
const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const BAD_REQUEST = 400;
const EXPECTATION_FAILED = 417;

/** The body of an error before a request has a route, worded for the readers of its path. */
const bodyOf = (problem: Problem, requestId: string, path = '/'): string =>
  JSON.stringify(isPublicContract(path) ? publicBody(problem, requestId) : internalBody(problem, requestId));

/** A whole answer for a connection that no request is read from. */
export const rawAnswer = (status: number, headers: OutgoingHttpHeaders = {}): string => {
  const requestId = randomUUID();
  const body = bodyOf(problemOf(new HttpException('', status)), requestId);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
};

/** Whether an answer to an earlier request of the connection is being written. */
const isAnswering = (socket: Duplex): boolean => {
  const message: unknown = Reflect.get(socket, '_httpMessage');
  return typeof message === 'object' && message !== null && Reflect.get(message, 'headersSent') === true;
};

const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) return void socket.destroy();
  socket.end(rawAnswer(STATUS[error.code ?? ''] ?? BAD_REQUEST));
};

interface Refused {
  readonly path?: string | undefined;
  readonly requestId: string;
}

/** Sends a problem outside of an application's routes, with these headers beside its own. */
export const sendProblem = (
  response: ServerResponse,
  problem: Problem,
  { path, requestId }: Refused,
  more: OutgoingHttpHeaders = {},
): void => {
  const body = bodyOf(problem, requestId, path);
  const { status, retryAfterSeconds } = problem;
  const again = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  const about = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...about, ...again, ...more, 'x-request-id': requestId }).end(body);
};

/** Sends an error of this status for a request that no application answers. */
export const sendStatus = (
  response: ServerResponse,
  status: number,
  path?: string,
  more: OutgoingHttpHeaders = {},
): void => sendProblem(response, problemOf(new HttpException('', status)), { path, requestId: randomUUID() }, more);

/** Answers requests that Node refuses by itself in the envelope: unparsable, too long, too late, unexpected. */
export const answerRefusedRequests = (server: Server): void => {
  server.on('clientError', refuse);
  server.on('checkExpectation', (_request, response) => sendStatus(response, EXPECTATION_FAILED));
  server.on('connect', (_request, socket) => socket.end(rawAnswer(BAD_REQUEST)));
};

/** Refuses a request of HTTP/1.1 without a host, as its specification demands. */
export const requireHost: RequestHandler = (request, _response, next) => {
  const { httpVersion, headers } = request;
  next(httpVersion === '1.1' && headers.host === undefined ? new HttpException('', BAD_REQUEST) : undefined);
};

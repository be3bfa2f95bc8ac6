import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from '@acervo/rbac';

/** State of a request in this library, stored beside the request object and not on it. */
interface RequestState {
  readonly requestId: string;
  scope?: Scope;
}

const states = new WeakMap<IncomingMessage, RequestState>();
const SAFE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The request's id: the caller's when it is well-formed, else a generated one. */
export const requestIdOf = (request: IncomingMessage): string => {
  const state = states.get(request);
  if (state !== undefined) return state.requestId;
  const header = request.headers['x-request-id'];
  const requestId = typeof header === 'string' && SAFE_ID.test(header) ? header : randomUUID();
  states.set(request, { requestId });
  return requestId;
};

export const attachScope = (request: IncomingMessage, scope: Scope): void => {
  states.set(request, { requestId: requestIdOf(request), scope });
};

export const scopeOf = (request: IncomingMessage): Scope | undefined => states.get(request)?.scope;

/** The verified scope of the caller, as a parameter of a route that requires a credential. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): Scope => {
  const scope = scopeOf(context.switchToHttp().getRequest<Request>());
  if (scope === undefined) throw new Error('This route asks for its caller and requires no credential.');
  return scope;
});

/** The body of a request as it was parsed, for a library that reads it by itself. */
export const ParsedBody = createParamDecorator(
  (_data: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<Request>().body,
);

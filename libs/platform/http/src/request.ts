import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from '@acervo/rbac';

/** What this library keeps about a request, beside the request and not on it. */
interface Held {
  readonly requestId: string;
  scope?: Scope;
}

const held = new WeakMap<IncomingMessage, Held>();
const SAFE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The request's id: the caller's when it is harmless, else one of ours. */
export const requestIdOf = (request: IncomingMessage): string => {
  const known = held.get(request);
  if (known !== undefined) return known.requestId;
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
  held.set(request, { requestId });
  return requestId;
};

export const attachScope = (request: IncomingMessage, scope: Scope): void => {
  held.set(request, { requestId: requestIdOf(request), scope });
};

export const scopeOf = (request: IncomingMessage): Scope | undefined => held.get(request)?.scope;

/** The verified scope of the caller, as a parameter of a route that requires a credential. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): Scope => {
  const scope = scopeOf(context.switchToHttp().getRequest<Request>());
  if (scope === undefined) throw new Error('This route asks for its caller and requires no credential.');
  return scope;
});

import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { InvalidInput } from '@acervo/contracts';

const KEY = /^[!-~]{1,128}$/;
const HEADER = 'Idempotency-Key';

/** The options of a call that is sent under the key of its request, where it has one. */
export interface Keyed {
  readonly idempotencyKey?: string;
}

/** Documents the key of a route that reads it. */
export const ApiIdempotencyKey = (description: string): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: HEADER,
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[!-~]+$' },
      description,
    }),
  );

/** @param name that the caller knows the key by @throws InvalidInput for a key that is not one word of printable characters */
export const keyedBy = (key: unknown, name: string): Keyed => {
  if (key === undefined) return {};
  if (typeof key === 'string' && KEY.test(key)) return { idempotencyKey: key };
  throw new InvalidInput({ missing: [], invalid: [name], unknown: 0 });
};

/** The idempotency key of a request. @throws InvalidInput */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): Keyed => {
  const { headers } = context.switchToHttp().getRequest<Request>();
  return keyedBy(headers[HEADER.toLowerCase()], HEADER);
});

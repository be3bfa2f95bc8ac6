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

/** The idempotency key of a request. @throws InvalidInput for a key that is not one word of printable characters. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): Keyed => {
  const key = context.switchToHttp().getRequest<Request>().headers[HEADER.toLowerCase()];
  if (key === undefined) return {};
  if (typeof key === 'string' && KEY.test(key)) return { idempotencyKey: key };
  throw new InvalidInput({ missing: [], invalid: [HEADER], unknown: 0 });
});

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ClientInfo } from '@acervo/contracts';

/** How long a device stays known. */
export const DEVICE_DAYS = 90;

const COOKIE = 'acervo_dispositivo';
const HEADER = 'x-device-token';

const cookieOf = (request: Request): string | undefined =>
  (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);

/** The client of a request: the address it came from and the device token it sends. */
export const Client = createParamDecorator((_data: unknown, context: ExecutionContext): ClientInfo => {
  const request = context.switchToHttp().getRequest<Request>();
  const header = request.headers[HEADER];
  const token = (typeof header === 'string' ? header : undefined) ?? cookieOf(request) ?? null;
  return {
    address: (request.ip ?? 'unknown').slice(0, 64),
    deviceToken: token !== null && token.length > 512 ? null : token,
  };
});

/** Sends a device the token that makes it known: as a cookie, and as a header for programs. */
export const rememberDevice = (response: Response, token: string | null): void => {
  if (token === null) return;
  response.setHeader(HEADER, token);
  response.cookie(COOKIE, token, {
    httpOnly: true,
    sameSite: 'strict',
    secure: response.req.secure,
    path: '/auth',
    maxAge: DEVICE_DAYS * 86_400_000,
  });
};

/** Forbids caches to store an answer that contains tokens. */
export const keepNowhere = (response: Response): void => void response.setHeader('Cache-Control', 'no-store');

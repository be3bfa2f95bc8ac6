import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Visitor } from '@acervo/contracts';
import { DEVICE_DAYS } from '../guesses/devices';

const COOKIE = 'acervo_dispositivo';
const HEADER = 'x-device-token';

const cookieOf = (request: Request): string | undefined =>
  (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);

/** Who knocks: the address that the request came from and the device that it says it is. */
export const From = createParamDecorator((_data: unknown, context: ExecutionContext): Visitor => {
  const request = context.switchToHttp().getRequest<Request>();
  const given = request.headers[HEADER];
  const token = (typeof given === 'string' ? given : undefined) ?? cookieOf(request) ?? null;
  return {
    address: (request.ip ?? 'unknown').slice(0, 64),
    deviceToken: token !== null && token.length > 512 ? null : token,
  };
});

/** Tells a device the token that makes it known, as a cookie and for programs as a header. */
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

/** Answers with tokens in them are kept by nobody on the way. */
export const keepNowhere = (response: Response): void => void response.setHeader('Cache-Control', 'no-store');

import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Forbidden } from '@acervo/contracts';
import { GatewayConfig } from '../gateway.config';

export const RELEASE_TOKEN_HEADER = 'x-desktop-release-token';
const SHORTEST = 16;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Admits requests with the token of releases. Without a configured token it admits none. */
@Injectable()
export class ReleaseTokenGuard implements CanActivate {
  private readonly expected: Buffer | null;

  /** @throws for a token that could be guessed */
  constructor({ releaseToken }: GatewayConfig) {
    if (releaseToken !== '' && releaseToken.length < SHORTEST)
      throw new Error(`ACERVO_RELEASE_TOKEN needs at least ${SHORTEST} characters.`);
    this.expected = releaseToken === '' ? null : digestOf(releaseToken);
  }

  /** Compares digests of one length in constant time. @throws Forbidden */
  canActivate(context: ExecutionContext): boolean {
    const presented = context.switchToHttp().getRequest<Request>().headers[RELEASE_TOKEN_HEADER];
    const isRight =
      this.expected !== null && typeof presented === 'string' && timingSafeEqual(digestOf(presented), this.expected);
    if (!isRight) throw new Forbidden('A release is published with the token of releases.');
    return true;
  }
}

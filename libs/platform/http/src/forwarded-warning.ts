import type { RequestHandler } from 'express';
import type { Logger } from '@acervo/platform-observability';
import { listenerOfPath } from './paths';

const FORWARDED = ['x-forwarded-for', 'forwarded'] as const;

/** Warns once where requests arrive through a proxy and none is trusted: the limits then count all callers as one address. */
export const warnOfForwarded = (logger: Logger, trustedProxies: number): RequestHandler => {
  let isSilent = trustedProxies > 0;
  return ({ headers, path }, _response, next) => {
    if (!isSilent && listenerOfPath(path) === 'public' && FORWARDED.some((name) => headers[name] !== undefined)) {
      isSilent = true;
      logger.warn(
        { setting: 'ACERVO_TRUSTED_PROXIES' },
        'requests arrive with forwarded addresses, and no proxy is trusted: set ACERVO_TRUSTED_PROXIES to the number of proxies, else all callers share the limits of one address',
      );
    }
    next();
  };
};

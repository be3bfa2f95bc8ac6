import type { RequestListener } from 'node:http';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import { BaseConfig } from '@acervo/platform-config';
import { Logger, Metrics, Tracer } from '@acervo/platform-observability';
import { requirementOf } from '@acervo/rbac';
import { access } from './access';
import { AddressLimiter, limitAddresses } from './address-limit';
import { admitRequests, KnownTenants, RequestAdmission } from './admission';
import { answerOf } from './answers';
import { warnOfForwarded } from './forwarded-warning';
import { ReadinessMonitor } from './health/readiness-monitor';
import { onlyOwnListener } from './listeners';
import { requireHost } from './refused-request';

export interface HttpApp {
  readonly app: INestApplication;
  readonly handler: RequestListener;
  close(): Promise<void>;
}

/** Routes that declare no requirement or no answer, by name. */
const undeclared = (app: INestApplication): string[] => {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    if (typeof metatype !== 'function') return [];
    const prototype = metatype.prototype as Record<string, unknown>;
    return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      if (typeof handler !== 'function' || !Reflect.hasMetadata('method', handler)) return [];
      const route = `${metatype.name}.${name}`;
      return [
        ...(requirementOf(handler, metatype) === undefined ? [`${route} declares no @Requires`] : []),
        ...(answerOf(handler) === undefined ? [`${route} declares no @Answers`] : []),
      ];
    });
  });
};

const headers = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        upgradeInsecureRequests: null,
      },
    },
    // One machine serves plain HTTP; where a proxy terminates TLS, the proxy sets this header.
    strictTransportSecurity: false,
  }) as RequestHandler;

export interface HttpAppOptions {
  /** Called with the application before its first request; awaited. */
  readonly prepare?: (app: INestApplication) => void | Promise<void>;
}

/**
 * A Nest application as one handler for both listeners. Its modules provide what HttpModule needs: logger, metrics,
 * tracer, settings, limits, and an Authenticator where a route requires a credential.
 * @throws when a route declares no requirement or no answer, naming it.
 */
export const createHttpApp = async (
  module: DynamicModule | Type,
  { prepare }: HttpAppOptions = {},
): Promise<HttpApp> => {
  const server = express();
  server.set('query parser', 'simple');
  // A path that matches a route must be exactly the path that listeners and API keys are checked by.
  server.enable('case sensitive routing');
  server.disable('x-powered-by');
  // An answer depends on the caller and the time: it must not be served from a cache.
  server.disable('etag');
  const app = await NestFactory.create(module, new ExpressAdapter(server), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  const { trustedProxies } = app.get(BaseConfig);
  server.set('trust proxy', trustedProxies);
  app.use(access(app.get(Logger), app.get(Metrics), app.get(Tracer)), headers(), requireHost, onlyOwnListener);
  app.use(warnOfForwarded(app.get<Logger>(Logger), trustedProxies));
  app.use(limitAddresses(app.get<AddressLimiter>(AddressLimiter)));
  app.use(admitRequests(app.get<RequestAdmission>(RequestAdmission), app.get(KnownTenants)));
  try {
    const missing = undeclared(app);
    if (missing.length > 0) throw new Error(`Every route declares what it asks and answers: ${missing.join('; ')}.`);
    await prepare?.(app);
    await app.init();
    app.get(ReadinessMonitor).start();
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
  return { app, handler: server as RequestListener, close: () => app.close() };
};

import type { RequestListener } from 'node:http';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import { type Logger, type Metrics, Tracer } from '@acervo/platform-observability';
import { requirementOf } from '@acervo/rbac';
import { access } from './access';
import { AnswerInterceptor, answerOf } from './answers';
import { readBody } from './body';
import { ClosedPipe } from './closed-pipe';
import { onlyOwnFace } from './faces';
import { type Authenticator, RequirementGuard } from './guard';
import { operationsRoutes, type ReadinessCheck } from './operations';
import { ProblemFilter } from './problem.filter';

export interface HttpAppOptions {
  readonly module: DynamicModule | Type;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  /** Who verifies credentials; made once the module is there, since it may need its providers. */
  readonly authenticator?: (app: INestApplication) => Authenticator;
  readonly readiness?: readonly ReadinessCheck[];
  /** How many proxies stand in front: so far back the forwarded addresses are believed, and no further. */
  readonly trustedProxies?: number;
  /** What is to be done with the app before it takes its first request: the reference, more checks. */
  readonly prepare?: (app: INestApplication) => void;
}

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
    // One machine serves plain HTTP; where TLS ends in front of the service, that place sets this header.
    strictTransportSecurity: false,
  }) as RequestHandler;

/**
 * A Nest application as one handler for both faces: closed guard, closed inputs, declared answers, fixed errors.
 * @throws when a route declares no requirement or no answer, naming it.
 */
export const createHttpApp = async (options: HttpAppOptions): Promise<HttpApp> => {
  const { module, logger, metrics } = options;
  const server = express();
  server.set('query parser', 'simple');
  server.set('trust proxy', options.trustedProxies ?? 0);
  // A path that a route would match must be the very path that faces and API keys are judged by.
  server.enable('case sensitive routing');
  server.disable('x-powered-by');
  // An answer depends on who asks and when: none may be taken for an earlier one.
  server.disable('etag');
  const app = await NestFactory.create(module, new ExpressAdapter(server), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  app.use(
    access(logger, metrics, options.tracer ?? Tracer.none),
    headers(),
    onlyOwnFace,
    operationsRoutes(metrics, options.readiness ?? []),
    readBody(),
  );
  app.useGlobalFilters(new ProblemFilter(logger));
  app.useGlobalPipes(new ClosedPipe());
  app.useGlobalInterceptors(new AnswerInterceptor());
  app.useGlobalGuards(new RequirementGuard(options.authenticator?.(app)));
  const missing = undeclared(app);
  if (missing.length > 0) throw new Error(`Every route declares what it asks and answers: ${missing.join('; ')}.`);
  options.prepare?.(app);
  await app.init();
  return { app, handler: server as RequestListener, close: () => app.close() };
};

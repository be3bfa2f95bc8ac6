import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError, Overloaded } from '@acervo/contracts';
import { Logger } from '@acervo/platform-observability';
import { CallerGone } from '@acervo/platform-resilience';
import { ApiKeyOnInternalRoute, bringsKeyInside } from './guard';
import { isPublicContract } from './paths';
import { internalBody, problemOf, publicBody } from './problem';
import { requestIdOf } from './request';

/** Writes every error for its audience: English and fixed on the public contract, Spanish on the internal routes. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const [request, response] = [
      host.switchToHttp().getRequest<Request>(),
      host.switchToHttp().getResponse<Response>(),
    ];
    if (thrown instanceof CallerGone) return;
    const error = this.refusalOf(request, thrown);
    const problem = problemOf(error);
    // Refusals under overload are many and meant; the line of the request says 503.
    if (problem.status >= 500 && !(error instanceof Overloaded))
      this.logger.error({ error, requestId: requestIdOf(request) }, 'request failed');
    if (response.headersSent) return void response.end();
    if (problem.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(problem.retryAfterSeconds));
    const userMessage = error instanceof DomainError ? error.spoken : undefined;
    const id = requestIdOf(request);
    response
      .status(problem.status)
      .json(isPublicContract(request.path) ? publicBody(problem, id) : internalBody(problem, id, userMessage));
  }

  /** No guard sees a path that the router refuses; there too an API key is refused for being inside. */
  private refusalOf(request: Request, thrown: unknown): unknown {
    const byRouter = !(thrown instanceof DomainError) && [400, 404].includes(problemOf(thrown).status);
    return byRouter && bringsKeyInside(request) ? new ApiKeyOnInternalRoute() : thrown;
  }
}

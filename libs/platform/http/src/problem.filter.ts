import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '@acervo/contracts';
import { Logger } from '@acervo/platform-observability';
import { isPublicContract } from './paths';
import { internalBody, problemOf, publicBody } from './problem';
import { requestIdOf } from './request';

/** Writes every error for its audience: English and fixed on the public contract, Spanish on the internal routes. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const [request, response] = [
      host.switchToHttp().getRequest<Request>(),
      host.switchToHttp().getResponse<Response>(),
    ];
    const problem = problemOf(error);
    if (problem.status >= 500) this.logger.error({ error, requestId: requestIdOf(request) }, 'request failed');
    if (response.headersSent) return void response.end();
    if (problem.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(problem.retryAfterSeconds));
    const userMessage = error instanceof DomainError ? error.spoken : undefined;
    const id = requestIdOf(request);
    response
      .status(problem.status)
      .json(isPublicContract(request.path) ? publicBody(problem, id) : internalBody(problem, id, userMessage));
  }
}

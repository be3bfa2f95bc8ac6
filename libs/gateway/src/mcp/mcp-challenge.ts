import { type ArgumentsHost, Catch, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Unauthorized } from '@acervo/contracts';
import { BaseConfig } from '@acervo/platform-config';
import { ProblemFilter } from '@acervo/platform-http';
import { Logger } from '@acervo/platform-observability';

/** Errors of `/mcp`: a client without a credential is told where the protocol finds what it needs (RFC 9728). */
@Injectable()
@Catch()
export class McpChallenge extends ProblemFilter {
  constructor(
    logger: Logger,
    private readonly config: BaseConfig,
  ) {
    super(logger);
  }

  override catch(thrown: unknown, host: ArgumentsHost): void {
    if (thrown instanceof Unauthorized) {
      const metadata = new URL('/.well-known/oauth-protected-resource/mcp', this.config.publicUrl);
      const response = host.switchToHttp().getResponse<Response>();
      response.setHeader('WWW-Authenticate', `Bearer resource_metadata="${metadata.href}"`);
    }
    super.catch(thrown, host);
  }
}

import { Controller, Delete, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { Request, Response } from 'express';
import { Forbidden } from '@acervo/contracts';
import { BaseConfig } from '@acervo/platform-config';
import { AnswersRaw, Caller, ParsedBody, requestIdOf } from '@acervo/platform-http';
import { Requires, type Scope, searches } from '@acervo/rbac';
import { McpServers } from './mcp-servers';
import { McpChallenge } from './mcp-challenge';

/** A browser sent a request of the protocol from a page of another site. */
class ForeignOrigin extends Forbidden {}

/** The Model Context Protocol: each request is answered by itself, under the credential that it brings. */
@Controller('mcp')
@Requires(searches)
@UseFilters(McpChallenge)
export class McpController {
  constructor(
    private readonly servers: McpServers,
    private readonly config: BaseConfig,
  ) {}

  @Post()
  @AnswersRaw()
  async exchange(
    @Caller() scope: Scope,
    @ParsedBody() body: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.assertOwnOrigin(request);
    const fetch = this.servers.exchangeFor({ scope, requestId: requestIdOf(request) });
    await toNodeHandler({ fetch })(request, response, body);
  }

  /** No stream is opened by a client, and none is resumed: the protocol answers 405. */
  @Get()
  @AnswersRaw()
  openStream(@Res() response: Response): void {
    notAllowed(response);
  }

  @Delete()
  @AnswersRaw()
  endSession(@Res() response: Response): void {
    notAllowed(response);
  }

  /** Programs send no origin; a browser sends that of its page, and only pages of this product may ask. */
  private assertOwnOrigin({ headers: { origin, host } }: Request): void {
    if (origin === undefined) return;
    const own = new URL(this.config.publicUrl);
    if (origin !== own.origin || host !== own.host) throw new ForeignOrigin();
  }
}

const notAllowed = (response: Response): void => {
  response
    .status(405)
    .set('Allow', 'POST')
    .json({ jsonrpc: '2.0', error: { code: -32_000, message: 'Method not allowed.' }, id: null });
};

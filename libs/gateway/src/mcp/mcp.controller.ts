import { Controller, Delete, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { Forbidden } from '@acervo/contracts';
import { BaseConfig } from '@acervo/platform-config';
import { AnswersRaw, Caller, ParsedBody, requestIdOf, Stream, type StreamSignals } from '@acervo/platform-http';
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
    @Stream() { ending }: StreamSignals,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.assertOwnOrigin(request);
    const handler = this.servers.handlerFor({ scope, requestId: requestIdOf(request) });
    // Other requests end by themselves, and the drain waits for them.
    const end = (): void => void (isSubscription(body) && handler.close());
    ending.addEventListener('abort', end, { once: true });
    try {
      await toNodeHandler(handler)(request, response, body);
    } finally {
      ending.removeEventListener('abort', end);
    }
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
    const { hostname } = new URL(this.config.publicUrl);
    const loopback = localhostAllowedHostnames();
    const own = loopback.includes(hostname) ? loopback : [hostname];
    if (!validateOriginHeader(origin, own).ok || !validateHostHeader(host, own).ok) throw new ForeignOrigin();
  }
}

/** A request whose answer lasts as long as its client listens. */
const isSubscription = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Reflect.get(body, 'method') === 'subscriptions/listen';

const notAllowed = (response: Response): void => {
  response
    .status(405)
    .set('Allow', 'POST')
    .json({ jsonrpc: '2.0', error: { code: -32_000, message: 'Method not allowed.' }, id: null });
};

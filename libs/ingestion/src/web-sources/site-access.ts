import { Injectable } from '@nestjs/common';
import { EngineDown, Forbidden, NotFound, readWebToken, Unavailable, type WebToken } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { TenantScope } from '@acervo/platform-database';
import { Egress, SiteToken } from '@acervo/platform-egress';
import { WorkScope } from '@acervo/rbac';
import type { SiteClient } from '../web/site-client';

/** Opens the web for a group: with its token for the one site that may see it. */
@Injectable()
export class SiteAccess {
  constructor(
    private readonly egress: Egress,
    private readonly calls: Calls,
  ) {}

  /** A client for one lease: a token that is replaced is used from the next one on. @throws EngineDown while auth is away */
  async clientOf({ groupId }: TenantScope): Promise<SiteClient> {
    const { egress } = this;
    const { host, token } = await this.tokenOf(groupId);
    const siteToken = host === null || token === null ? null : SiteToken.of(host, token);
    return {
      fetch: (group, request) =>
        egress.fetch(group, { ...request, ...(siteToken === null ? {} : { token: siteToken }) }),
      sitemapsOf: (group, url) => egress.sitemapsOf(group, url),
    };
  }

  private async tokenOf(groupId: string): Promise<WebToken> {
    try {
      return await this.calls.send(readWebToken, new WorkScope(groupId, 'ingestion', 'web'), {});
    } catch (error) {
      // A release before does not answer this.
      if (error instanceof NotFound || error instanceof Forbidden) return { host: null, token: null };
      // Runs wait for auth: the tries of a task that meets an absent engine do not count.
      if (error instanceof Unavailable) throw new EngineDown('auth', error.message);
      throw error;
    }
  }
}

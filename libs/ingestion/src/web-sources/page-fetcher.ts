import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { defaultLanguages } from '@acervo/analysis';
import type { TenantScope } from '@acervo/platform-database';
import { EgressBusy, EgressFailure, type Page } from '@acervo/platform-egress';
import { newObjectKey, ObjectStore } from '@acervo/platform-object-store';
import { registrableDomain } from '../web/canonical-address';
import { LostPages } from '../web/lost-pages';
import { pageFacts } from '../web/page-facts';
import type { SiteClient } from '../web/site-client';
import { documentTypes, pageName } from './page-name';
import { SiteAccess } from './site-access';
import type { ApprovedPage, Checked } from './web-page.store';

const GONE = new Set([404, 410]);
const NOT_MODIFIED = 304;
const OK = 200;
const HTML = new Set(['text/html', 'application/xhtml+xml']);

/** What the requests of one lease share. */
interface FetchSession {
  readonly scope: TenantScope;
  readonly signal: AbortSignal;
  readonly client: SiteClient;
  /** What sites show for absent pages, as far as the lease has asked them. */
  readonly lost: LostPages;
}

/** Asks sites for approved pages, and stores the content that changed. */
@Injectable()
export class PageFetcher {
  constructor(
    private readonly access: SiteAccess,
    private readonly objects: ObjectStore,
  ) {}

  async session(scope: TenantScope, signal: AbortSignal): Promise<FetchSession> {
    const client = await this.access.clientOf(scope);
    return { scope, signal, client, lost: new LostPages(client, { group: scope.groupId, signal }) };
  }

  /** @throws EgressBusy when the page has to wait */
  async fetch(session: FetchSession, page: ApprovedPage): Promise<Checked> {
    const { url, validators, contentHash } = page;
    const { scope, signal, client } = session;
    try {
      const conditional = contentHash === null ? {} : { validators };
      const answer = await client.fetch(scope.groupId, { url, types: documentTypes, signal, ...conditional });
      return await this.judge(session, page, answer);
    } catch (error) {
      if (error instanceof EgressBusy || !(error instanceof EgressFailure)) throw error;
      return { kind: 'failed', problem: error.message };
    }
  }

  private async judge(session: FetchSession, { url, contentHash }: ApprovedPage, answer: Page): Promise<Checked> {
    const { status, validators, body, mediaType } = answer;
    const { scope } = session;
    if (GONE.has(status)) return { kind: 'absent' };
    if (status === NOT_MODIFIED) return { kind: 'unchanged', validators: null };
    if (status !== OK) return { kind: 'failed', problem: `The site answered with status ${status}.` };
    // Only the approved site was approved.
    if (registrableDomain(answer.url) !== registrableDomain(url))
      return { kind: 'failed', problem: 'The page moved to another site.' };
    const hash = createHash('sha256').update(body).digest('hex');
    if (hash === contentHash) return { kind: 'unchanged', validators };
    if (contentHash !== null && (await this.isLost(session, answer))) return { kind: 'absent' };
    const object = newObjectKey(scope, 'original');
    await this.objects.put(scope, object, body);
    const content = { name: pageName(url, mediaType), mediaType, size: body.length, object, contentHash: hash };
    return { kind: 'changed', content, validators };
  }

  /** Whether a page that had content now is the one that its site shows for absent pages. */
  private async isLost({ lost }: FetchSession, { url, mediaType, body }: Page): Promise<boolean> {
    if (!HTML.has(mediaType)) return false;
    lost.remember(await lost.learn(url));
    return lost.isLost(url, pageFacts(body.toString('utf8'), url, defaultLanguages).text);
  }
}

import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { Egress, EgressBusy, EgressFailure, type Page } from '@acervo/platform-egress';
import { newObjectKey, ObjectStore } from '@acervo/platform-object-store';
import { registrableDomain } from '../web/canonical-address';
import { documentTypes, pageName } from './page-name';
import type { ApprovedPage, Checked } from './web-page.store';

const GONE = new Set([404, 410]);
const NOT_MODIFIED = 304;
const OK = 200;

/** Asks sites for approved pages, and stores the content that changed. */
@Injectable()
export class PageFetcher {
  constructor(
    private readonly egress: Egress,
    private readonly objects: ObjectStore,
  ) {}

  /** @throws EgressBusy when the page has to wait */
  async fetch(scope: TenantScope, page: ApprovedPage, signal: AbortSignal): Promise<Checked> {
    const { url, validators, contentHash } = page;
    try {
      const conditional = contentHash === null ? {} : { validators };
      const answer = await this.egress.fetch(scope.groupId, { url, types: documentTypes, signal, ...conditional });
      return await this.judge(scope, page, answer);
    } catch (error) {
      if (error instanceof EgressBusy || !(error instanceof EgressFailure)) throw error;
      return { kind: 'failed', problem: error.message };
    }
  }

  private async judge(scope: TenantScope, { url, contentHash }: ApprovedPage, answer: Page): Promise<Checked> {
    const { status, validators, body, mediaType } = answer;
    if (GONE.has(status)) return { kind: 'absent' };
    if (status === NOT_MODIFIED) return { kind: 'unchanged', validators: null };
    if (status !== OK) return { kind: 'failed', problem: `The site answered with status ${status}.` };
    // Only the approved site was approved.
    if (registrableDomain(answer.url) !== registrableDomain(url))
      return { kind: 'failed', problem: 'The page moved to another site.' };
    const hash = createHash('sha256').update(body).digest('hex');
    if (hash === contentHash) return { kind: 'unchanged', validators };
    const object = newObjectKey(scope, 'original');
    await this.objects.put(scope, object, body);
    const content = { name: pageName(url, mediaType), mediaType, size: body.length, object, contentHash: hash };
    return { kind: 'changed', content, validators };
  }
}

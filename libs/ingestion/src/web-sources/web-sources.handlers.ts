import { Injectable } from '@nestjs/common';
import {
  InvalidMeaning,
  materializeWeb,
  researchWeb,
  reviewWeb,
  type RootReference,
  type RunReference,
  type WebCandidates,
  type WebReview,
} from '@acervo/contracts';
import { Cursors, Handles, type Listing, pageOf, type WriteContext } from '@acervo/platform-calls';
import type { Transaction } from '@acervo/platform-database';
import { Egress } from '@acervo/platform-egress';
import { Tasks } from '@acervo/platform-queue';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { planRescans } from '../kernel/upkeep';
import { LocationStore, type Root } from '../locations/location.store';
import { RunStore } from '../scans/run.store';
import { ScanRequests } from '../scans/scan-requests';
import { addressesOf } from './start-addresses';
import { type CandidatePlace, type Decided, WebSourceStore } from './web-source.store';

const isPattern = (text: string): boolean => text.includes('*');

/** Research of web locations, decisions about what it found, and documents of what was approved. */
@Injectable()
export class WebSourcesHandlers {
  constructor(
    private readonly locations: LocationStore,
    private readonly sources: WebSourceStore,
    private readonly runs: RunStore,
    private readonly requests: ScanRequests,
    private readonly egress: Egress,
    private readonly cursors: Cursors,
    private readonly tasks: Tasks,
  ) {}

  @Handles(researchWeb)
  async research(scope: Scope, { locationCode }: RootReference, context: WriteContext): Promise<RunReference> {
    const { requests, runs } = this;
    const run = await context.write(async (tx) => {
      const root = await this.webRoot(tx, scope, locationCode);
      return (await runs.openResearch(tx, root)) ?? (await requests.planResearch(tx, root));
    });
    await requests.notify(scope);
    return { run };
  }

  @Handles(reviewWeb)
  async review(scope: Scope, review: WebReview, context: WriteContext): Promise<WebCandidates> {
    const { locationCode: code, limit, cursor, decision } = review;
    const decided = this.decisionsOf(review);
    const listing: Listing = { call: reviewWeb, scope, filters: { code, decision } };
    const after = placeIn(this.cursors.open(listing, cursor));
    return context.write(async (tx) => {
      await this.webRoot(tx, scope, code);
      for (const each of decided) await this.sources.decide(tx, code, each);
      // Approved pages are refreshed from now on.
      if (decided.length > 0) await planRescans(this.tasks, tx);
      const rows = await this.sources.list(tx, { code, decision, after, limit: limit + 1 });
      const placed = rows.map((row) => ({ ...row, code: JSON.stringify([row.score, row.url]) }));
      const { items, nextCursor } = pageOf(placed, limit, (place) => this.cursors.seal(listing, place));
      const candidates = items.map(({ code: _, ...candidate }) => candidate);
      return { locationCode: code, candidates, ...(await this.sources.counts(tx, code)), nextCursor };
    });
  }

  @Handles(materializeWeb)
  async materialize(scope: Scope, { locationCode }: RootReference, context: WriteContext): Promise<RunReference> {
    const { requests } = this;
    const run = await context.write(async (tx) =>
      requests.plan(tx, await this.webRoot(tx, scope, locationCode), false),
    );
    await requests.notify(scope);
    return { run };
  }

  /** @throws NotFound, InvalidMeaning for a folder */
  private async webRoot(tx: Transaction, scope: Scope, code: string): Promise<Root> {
    const root = await this.locations.visibleRootIn(tx, visibilityOf(scope), code, 'for update of l');
    await this.sources.assertWeb(tx, code);
    return root;
  }

  /** Rejections come last: what is in both is rejected. */
  private decisionsOf({ approve = [], reject = [] }: WebReview): Decided[] {
    const decided = (decision: Decided['decision'], field: string, texts: readonly string[]): Decided => {
      if (texts.some((text) => text.trim() === '')) throw new InvalidMeaning([field]);
      return {
        decision,
        patterns: texts.filter(isPattern),
        addresses: addressesOf(
          this.egress,
          texts.filter((text) => !isPattern(text)),
        ),
      };
    };
    return [decided('APPROVED', 'approve', approve), decided('REJECTED', 'reject', reject)].filter(
      ({ patterns, addresses }) => patterns.length + addresses.length > 0,
    );
  }
}

const placeIn = (sealed: string | null): CandidatePlace | null => {
  if (sealed === null) return null;
  const [score, url] = JSON.parse(sealed) as [number, string];
  return { score, url };
};

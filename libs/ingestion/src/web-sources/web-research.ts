import { Injectable } from '@nestjs/common';
import { Embedders, HashingEmbedder } from '@acervo/models';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { Egress, EgressBusy } from '@acervo/platform-egress';
import { Failpoints } from '@acervo/platform-messaging';
import { Cpu } from '../cpu/cpu';
import { PipelineSettings } from '../reading/pipeline-settings';
import { type ScanSummary, unscanned } from '../scans/scan-summary';
import { SiteResearch } from '../web/site-research';
import { Topic } from '../web/topic';
import { PooledEmbedder } from './pooled-embedder';
import { type WebSource, WebSourceStore } from './web-source.store';
import type { WebOutcome, WebRun } from './web-run';

/**
 * Looks for pages about the topic of a web location. What is known is stored after each page: a killed worker fetches one
 * page twice at most.
 */
@Injectable()
export class WebResearch {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly sources: WebSourceStore,
    private readonly egress: Egress,
    private readonly embedders: Embedders,
    private readonly cpu: Cpu,
    private readonly settings: PipelineSettings,
    private readonly failpoints: Failpoints,
  ) {}

  async work(run: WebRun, source: WebSource): Promise<WebOutcome> {
    const research = await this.open(run, source);
    try {
      if (source.research === null) await research.begin();
      const isOver = await this.read(run, research);
      if (!isOver) return { againInMs: 0 };
    } catch (error) {
      if (!(error instanceof EgressBusy)) throw error;
      await this.save(run, research);
      return { againInMs: error.retryAfterSeconds * 1_000 };
    }
    return { summary: await this.end(run, research) };
  }

  private async open({ scope, stopping }: WebRun, { startUrls, topic, research }: WebSource): Promise<SiteResearch> {
    const { languages } = this.settings.chunks;
    const target = this.embedders.targetRuns ? this.embedders.target : new HashingEmbedder();
    const question = {
      ...{ group: scope.groupId, startUrls, languages, signal: stopping },
      topic: await Topic.of(topic, new PooledEmbedder(target, this.cpu), languages),
    };
    return new SiteResearch(this.egress, question, research ?? undefined);
  }

  /** Reads pages until none is left, or the lease is over; answers whether none is left. */
  private async read(run: WebRun, research: SiteResearch): Promise<boolean> {
    await this.save(run, research);
    while (!run.isOver()) {
      await run.progress();
      if (!(await research.step())) return true;
      await this.save(run, research);
      this.failpoints.hit('web.page');
    }
    return false;
  }

  private async save(run: WebRun, research: SiteResearch): Promise<void> {
    await this.underLock(run, (tx) => this.sources.saveResearch(tx, run.root.code, research.state));
  }

  private async end(run: WebRun, research: SiteResearch): Promise<ScanSummary> {
    const candidates = research.candidates();
    const added = await this.underLock(run, async (tx) => {
      await this.sources.saveResearch(tx, run.root.code, null);
      return this.sources.addCandidates(tx, run.root.code, candidates);
    });
    const { requested } = research.state;
    const notice = `The research asked for ${requested} pages; ${candidates.length} of them may concern the topic, ${added} for the first time.`;
    return { ...unscanned(notice), seen: candidates.length };
  }

  private underLock<T>({ scope, lock }: WebRun, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.write(scope, async (tx) => {
      await lock.assertOwned(tx);
      return work(tx);
    });
  }
}

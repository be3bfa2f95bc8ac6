import { Injectable } from '@nestjs/common';
import { Embedders, HashingEmbedder } from '@acervo/models';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { EgressBusy } from '@acervo/platform-egress';
import { Failpoints } from '@acervo/platform-messaging';
import { Cpu } from '../cpu/cpu';
import { PipelineSettings } from '../reading/pipeline-settings';
import { type ScanSummary, unscanned } from '../scans/scan-summary';
import type { ResearchStep } from '../web/research-state';
import { SiteResearch } from '../web/site-research';
import { Topic } from '../web/topic';
import { PageJudge } from './page-judge';
import { PooledEmbedder } from './pooled-embedder';
import { type ResearchJournal, ResearchJournalStore } from './research-journal';
import { SiteAccess } from './site-access';
import { type WebSource, WebSourceStore } from './web-source.store';
import type { WebOutcome, WebRun } from './web-run';

/** Research that goes on, and where its steps are stored. */
interface OpenResearch {
  readonly site: SiteResearch;
  readonly journal: ResearchJournal;
}

/**
 * Looks for pages about the topic of a web location. What a page changed is stored after it: a killed worker fetches one
 * page twice at most.
 */
@Injectable()
export class WebResearch {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly sources: WebSourceStore,
    private readonly journals: ResearchJournalStore,
    private readonly access: SiteAccess,
    private readonly judge: PageJudge,
    private readonly embedders: Embedders,
    private readonly cpu: Cpu,
    private readonly settings: PipelineSettings,
    private readonly failpoints: Failpoints,
  ) {}

  async work(run: WebRun, source: WebSource): Promise<WebOutcome> {
    try {
      const research = await this.open(run, source);
      if (!(await this.read(run, research))) return { againInMs: 0 };
      return { summary: await this.end(run, research, source.topic) };
    } catch (error) {
      if (!(error instanceof EgressBusy)) throw error;
      return { againInMs: error.retryAfterSeconds * 1_000 };
    }
  }

  /** Begins research, or repeats the steps that earlier leases stored. */
  private async open(run: WebRun, source: WebSource): Promise<OpenResearch> {
    const { code } = run.root;
    const site = await this.site(run, source);
    const journal = source.research?.journal;
    if (!site.hasBegun || journal === undefined) return { site, journal: await this.begin(run, site) };
    const steps = await this.database.read(run.scope, (tx) => this.journals.steps(tx, { code, journal }));
    for (const step of steps) site.apply(step);
    return { site, journal: { code, journal } };
  }

  /** Stores a beginning that has to wait as well: the next lease reads the sitemaps that are left. @throws EgressBusy */
  private async begin(run: WebRun, site: SiteResearch): Promise<ResearchJournal> {
    const store = (): Promise<ResearchJournal> =>
      this.underLock(run, (tx) => this.journals.begin(tx, run.root.code, site.state));
    try {
      await site.begin();
    } catch (error) {
      if (error instanceof EgressBusy) await store();
      throw error;
    }
    return store();
  }

  private async site({ scope, stopping }: WebRun, { startUrls, topic, research }: WebSource): Promise<SiteResearch> {
    const { languages } = this.settings.chunks;
    const target = this.embedders.targetRuns ? this.embedders.target : new HashingEmbedder();
    const question = {
      ...{ group: scope.groupId, startUrls, languages, signal: stopping },
      topic: await Topic.of(topic, new PooledEmbedder(target, this.cpu), languages),
    };
    return new SiteResearch(await this.access.clientOf(scope), question, research ?? undefined);
  }

  /** Reads pages until none is left, or the lease is over; answers whether none is left. */
  private async read(run: WebRun, { site, journal }: OpenResearch): Promise<boolean> {
    while (!run.isOver()) {
      await run.progress();
      const step = await site.step();
      if (step === null) return true;
      await this.save(run, journal, site.requested, step);
      this.failpoints.hit('web.page');
    }
    return false;
  }

  private save(run: WebRun, journal: ResearchJournal, number: number, step: ResearchStep): Promise<void> {
    return this.underLock(run, async (tx) => {
      await this.journals.add(tx, journal, number, step);
      await run.advanced(tx);
    });
  }

  private async end(run: WebRun, { site }: OpenResearch, topic: string): Promise<ScanSummary> {
    const { scope, root, stopping } = run;
    const found = site.candidates();
    const judged = await this.judge.judge({ scope, root, stopping, topic, candidates: found });
    const candidates = judged ?? found.map((candidate) => ({ ...candidate, why: null }));
    const added = await this.underLock(run, async (tx) => {
      await this.journals.end(tx, root.code);
      return this.sources.addCandidates(tx, root.code, candidates);
    });
    const ranked = judged === null ? '' : ' A chat model ranked the first ones.';
    const notice = `The research asked for ${site.requested} pages; ${found.length} of them may concern the topic, ${added} for the first time.${ranked}`;
    return { ...unscanned(notice), seen: found.length };
  }

  private underLock<T>({ scope, lock }: WebRun, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.write(scope, async (tx) => {
      await lock.assertOwned(tx);
      return work(tx);
    });
  }
}

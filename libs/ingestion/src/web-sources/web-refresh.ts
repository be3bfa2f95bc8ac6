import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { EgressBusy } from '@acervo/platform-egress';
import { Failpoints } from '@acervo/platform-messaging';
import { PipelineSettings, settingsHash } from '../reading/pipeline-settings';
import { decide, type FoundDocument, matters, type RecordedDocument } from '../scans/compare';
import { InventoryStore } from '../scans/inventory.store';
import { type ScanSummary, unscanned } from '../scans/scan-summary';
import { ScanWriter } from '../scans/scan-writer';
import { PageFetcher } from './page-fetcher';
import { pagePath } from './page-name';
import { type StoredPage, WebPageStore } from './web-page.store';
import type { WebOutcome, WebRun } from './web-run';

/** What a run made of the documents of its root. */
type Made = Pick<ScanSummary, 'seen' | 'added' | 'changed' | 'missing'>;

const LONGEST_NOTICE = 500;

/** Asks for all approved pages of a web location, and makes documents of those with content as scans do of files. */
@Injectable()
export class WebRefresh {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly pages: WebPageStore,
    private readonly fetcher: PageFetcher,
    private readonly inventory: InventoryStore,
    private readonly writer: ScanWriter,
    private readonly settings: PipelineSettings,
    private readonly failpoints: Failpoints,
  ) {}

  async work(run: WebRun): Promise<WebOutcome> {
    const againInMs = await this.fetchPages(run);
    await this.writeDocuments(run);
    return againInMs === null ? { summary: await this.summaryOf(run) } : { againInMs };
  }

  /** Null when the run has asked for every page; otherwise the pause until it goes on. */
  private async fetchPages(run: WebRun): Promise<number | null> {
    const { scope, root, lock } = run;
    const session = await this.fetcher.session(scope, run.stopping);
    for (;;) {
      await run.progress();
      const page = await this.database.read(scope, (tx) => this.pages.next(tx, root.code, run.run));
      if (page === undefined) return null;
      if (run.isOver()) return 0;
      try {
        const checked = await this.fetcher.fetch(session, page);
        await this.database.write(scope, async (tx) => {
          await lock.assertOwned(tx);
          await this.pages.check(tx, root.code, run.run, page.url, checked);
          await run.advanced(tx);
        });
      } catch (error) {
        if (error instanceof EgressBusy) return error.retryAfterSeconds * 1_000;
        throw error;
      }
      this.failpoints.hit('web.page');
    }
  }

  /** Compares pages with documents by their address. */
  private async writeDocuments({ scope, root, lock, acceptDeletions, progress }: WebRun): Promise<void> {
    const stored = await this.database.read(scope, (tx) => this.pages.stored(tx, root.code, acceptDeletions));
    const recorded = new Map(
      (await this.inventory.recorded(scope, [root.code])).map((document) => [document.url, document]),
    );
    const unknown: FoundDocument[] = [];
    const decisions = stored.flatMap((page) => {
      const found = this.asDocument(root, page);
      const document = recorded.get(page.url);
      recorded.delete(page.url);
      if (document !== undefined) return [decide({ recorded: document, found }, page.contentHash)];
      unknown.push(found);
      return [];
    });
    const gone: RecordedDocument[] = [...recorded.values()].filter(({ deleted }) => !deleted);
    const done = { seen: 0, added: 0, changed: 0, missing: 0 };
    const scan = { scope, root, lock, done, progress };
    await this.writer.write(scan, { decisions: decisions.filter(matters), unknown }, gone);
    await this.writer.reviewAttachments(scan);
  }

  private asDocument(root: WebRun['root'], { url, name, size, contentHash, isPublic }: StoredPage): FoundDocument {
    const relativePath = pagePath(url);
    return {
      ...{ locationCode: root.code, ancestors: [root.code], name, relativePath },
      path: `/${root.name}/${relativePath}`,
      // The hash stands for the time of a change: sites may give none.
      ...{ size, mtime: contentHash, changeTime: '' },
      ...{ origin: isPublic ? 'PUBLICO' : 'WEB', url },
      whyNot: this.settings.reading.whyNot(name),
      settingsHash: settingsHash(this.settings, name),
    };
  }

  private summaryOf({ scope, root, run }: WebRun): Promise<ScanSummary> {
    return this.database.read(scope, async (tx) => {
      const problems = await this.pages.problems(tx, root.code);
      const notice = problems.map(({ problem, pages }) => `${pages} × ${problem}`).join(' ');
      return {
        ...unscanned(notice === '' ? '' : notice.slice(0, LONGEST_NOTICE).toWellFormed()),
        ...(await this.made(tx, root.code, run)),
        ...(notice === '' ? { notice: null } : {}),
      };
    });
  }

  /** Counted from the documents, since several leases may have written them. */
  private async made(tx: Transaction, code: string, run: number): Promise<Made> {
    const [row] = await tx.query<Made>(
      `select count(*) filter (where d.status <> 'NO_ENCONTRADO')::int as seen,
         count(*) filter (where d.run = $3 and d.created_at >= r.created_at)::int as added,
         count(*) filter (where d.run = $3 and d.created_at < r.created_at and d.content_at >= r.created_at)::int as changed,
         count(*) filter (where d.status = 'NO_ENCONTRADO' and d.updated_at >= r.created_at)::int as missing
       from ingestion.run r left join ingestion.document d on d.group_id = r.group_id and d.root_code = $2
         and d.parent_id is null and d.deleted_at is null
       where r.group_id = $1 and r.run = $3`,
      [tx.groupId, code, run],
    );
    return row ?? { seen: 0, added: 0, changed: 0, missing: 0 };
  }
}

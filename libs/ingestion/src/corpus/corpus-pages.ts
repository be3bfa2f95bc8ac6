import { Injectable } from '@nestjs/common';
import { processRequested } from '@acervo/contracts';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { Failpoints, Outbox } from '@acervo/platform-messaging';
import { outsideTraces } from '@acervo/platform-observability';
import { type NewTask, Tasks } from '@acervo/platform-queue';
import { QUOTA, RESUME } from '../kernel/stages';
import { UPKEEP_PRIORITY } from '../kernel/upkeep';
import type { WorkingDocument } from '../document-state/working-document.store';
import { areLeft, CorpusStore } from './corpus.store';

/** A waiting document is let go on when pages are free; should that be lost, it tries again by itself. */
const TRIES_AGAIN_MS = 86_400_000;
/** How often waiting documents are searched for those that fit, while pages are left. */
const SEARCHES_EVERY_MS = 10_000;
/** How often free pages are looked for while none are left. Another plan hastens the next look. */
const LOOKS_EVERY_MS = 60_000;

/** How the task of a document waits for free pages. */
export const SUSPENDED = { reason: QUOTA, delayMs: TRIES_AGAIN_MS } as const satisfies Partial<NewTask>;

/** The pages do not fit; what the transaction wrote is rolled back. */
class NoPagesLeft extends Error {}

/** Takes pages of the corpus for documents, and lets documents wait for them. */
@Injectable()
export class CorpusPages {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly store: CorpusStore,
    private readonly tasks: Tasks,
    private readonly outbox: Outbox,
    private readonly failpoints: Failpoints,
  ) {}

  /**
   * Takes the pages of a document in a transaction of its own: they stay taken when its worker dies, and are taken once.
   * Answers false where the plan does not include them.
   */
  async take(
    scope: TenantScope,
    { documentId, generation, pages }: Pick<WorkingDocument, 'documentId' | 'generation' | 'pages'>,
  ): Promise<boolean> {
    try {
      await this.database.write(scope, async (tx) => {
        if (!(await this.store.take(tx, { documentId, generation, pages: pages ?? 0 }))) throw new NoPagesLeft();
      });
    } catch (error) {
      if (error instanceof NoPagesLeft) return false;
      throw error;
    }
    this.failpoints.hit('corpus.taken');
    return true;
  }

  /** Says of documents that they wait for pages. */
  async suspend(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length > 0) await this.store.suspend(tx, documentIds);
  }

  /** Looks for free pages from now on. Asks for a person once, when the first document waits. */
  async noteFull(tx: Transaction): Promise<void> {
    const isFirst = await this.store.noteFull(tx);
    await this.lookLater(tx);
    if (!isFirst) return;
    await this.outbox.append(tx, processRequested, {
      ...{ processType: 'CUOTA', subject: 'ACTIVE_CORPUS', priority: 'URGENTE' },
      name: 'Extend the quota of pages',
      description:
        'The documents have every page of the plan; further ones wait until pages are free or the plan changes.',
    });
  }

  /** Enqueues the next look for free pages. */
  async lookLater(tx: Transaction): Promise<void> {
    const look = { subjectId: tx.groupId ?? '', stage: RESUME.name, generation: 1 };
    const delayMs = areLeft(await this.store.left(tx)) ? SEARCHES_EVERY_MS : LOOKS_EVERY_MS;
    await outsideTraces(() => this.tasks.enqueue(tx, { ...look, delayMs, priority: UPKEEP_PRIORITY }));
  }

  /**
   * Corrects the count of the group, and looks for free pages where documents wait without a task that does. Answers by
   * how many pages it was wrong.
   */
  recount(scope: TenantScope): Promise<number> {
    return this.database.write(scope, async (tx) => {
      const wrong = await this.store.recount(tx);
      if (await this.store.isFull(tx)) await this.lookLater(tx);
      return wrong;
    });
  }
}

import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import type { DocumentStatus } from '@acervo/public-mapping';
import { DocumentEvents } from '../document-state/document-events';
import type { Root } from '../locations/location.store';
import { RESTED } from '../kernel/retries';
import { PipelineSettings, settingsHash } from '../reading/pipeline-settings';
import { EXTRACT } from '../kernel/stages';
import type { ScanLock } from './scan-locks';
import { attachmentBeginning } from '../attachments/attachment';
import { AttachmentStore } from '../attachments/attachment.store';

const PAGE = 2_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** An attachment as a scan sees it. */
export interface ReviewedAttachment {
  readonly documentId: string;
  readonly generation: number;
  readonly name: string;
  readonly depth: number;
  readonly settingsHash: string;
  readonly retryOnScan: boolean;
}

interface Restart {
  readonly status: DocumentStatus;
  readonly reason: string | null;
  readonly settingsHash: string;
}

const LIVING = `select document_id as "documentId", generation, name, depth, settings_hash as "settingsHash",
    retry_on_scan and ${RESTED} as "retryOnScan"
  from ingestion.document
  where group_id = $1 and root_code = $2 and parent_id is not null and status <> 'NO_ENCONTRADO' and deleted_at is null
    and document_id > $3
  order by document_id limit ${PAGE}`;

/**
 * Reviews the attachments of a scanned root. No file of the folder shows a change of them: only other settings, or a
 * failure that may be over, restart them.
 */
@Injectable()
export class AttachmentReview {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly documentEvents: DocumentEvents,
    private readonly attachments: AttachmentStore,
    private readonly settings: PipelineSettings,
  ) {}

  /** The attachments of a root that are worth another try. */
  async due(scope: TenantScope, root: Root): Promise<ReviewedAttachment[]> {
    const due: ReviewedAttachment[] = [];
    for (let after = NOBODY; ;) {
      const page = await this.database.read(scope, (tx) =>
        tx.query<ReviewedAttachment>(LIVING, [scope.groupId, root.code, after]),
      );
      due.push(...page.filter((each) => each.retryOnScan || this.hashNow(each) !== each.settingsHash));
      if (page.length < PAGE) return due;
      after = page.at(-1)?.documentId ?? NOBODY;
    }
  }

  restart(scope: TenantScope, lock: ScanLock, batch: readonly ReviewedAttachment[]): Promise<number> {
    return this.database.write(scope, async (tx) => {
      await lock.assertOwned(tx);
      for (const attachment of batch) await this.restartOne(tx, attachment);
      return batch.length;
    });
  }

  private async restartOne(tx: Transaction, attachment: ReviewedAttachment): Promise<void> {
    const { documentId: subjectId, name, depth } = attachment;
    const beginning = {
      ...attachmentBeginning(this.settings, name, depth),
      settingsHash: this.hashNow(attachment),
    };
    const generation = await this.write(tx, attachment, beginning);
    if (generation === undefined) return;
    await this.tasks.withdraw(tx, subjectId);
    if (beginning.status === 'ADQUIRIDO') return this.tasks.enqueue(tx, { subjectId, stage: EXTRACT.name, generation });
    await this.documentEvents.withdraw(tx, [subjectId]);
    await this.attachments.miss(tx, [subjectId]);
  }

  /** The generation now; undefined where the attachment changed meanwhile. */
  private async write(
    tx: Transaction,
    { documentId, generation, settingsHash: before }: ReviewedAttachment,
    { status, reason, settingsHash: now }: Restart,
  ): Promise<number | undefined> {
    const [row] = await tx.query<{ generation: number }>(
      `update ingestion.document set status = $4, reason = $5, settings_hash = $6, retry_on_scan = false,
         generation = generation + case when $7::boolean then 1 else 0 end, revision = revision + 1, updated_at = now()
       where group_id = $1 and document_id = $2 and generation = $3 and status <> 'NO_ENCONTRADO' returning generation`,
      [tx.groupId, documentId, generation, status, reason, now, before !== now],
    );
    return row?.generation;
  }

  private hashNow({ name }: ReviewedAttachment): string {
    return settingsHash(this.settings, name);
  }
}

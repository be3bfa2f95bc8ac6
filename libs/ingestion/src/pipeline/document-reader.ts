import { Injectable } from '@nestjs/common';
import {
  type AcquiredFile,
  type Attachment,
  type Extraction,
  ExtractionRefusal,
  reportOf,
  type SavedPages,
  TextSource,
} from '@acervo/extraction';
import { DocumentRefused } from '@acervo/files';
import type { TenantScope } from '@acervo/platform-database';
import { derivedObjectKey, newObjectKey, ObjectStore } from '@acervo/platform-object-store';
import { Semaphore } from '@acervo/platform-resilience';
import { CarriesTooMuch, type StoredAttachment, MOST_CARRIED, named } from '../attachments/attachment';
import { Cpu } from '../cpu/cpu';
import { PageCheckpoint } from './page-checkpoint';
import { HASH, RECORD_TEXT } from './text-jobs';
import { PipelineSettings } from '../reading/pipeline-settings';
import { type DocumentPatch, filled, type WorkingDocument } from '../document-state/working-document.store';

/** Plain text of this size is read, summarised and cut in well below a second. */
const QUICK_BYTES = 128_000;

/** The result of an extraction: columns of the document, and the files inside it. */
export interface Extracted extends DocumentPatch {
  readonly attachments: readonly StoredAttachment[];
}

/** A document that was read, with its text as it is stored. */
export interface ReadDocument {
  readonly extracted: Extracted;
  readonly text: Uint8Array;
}

const refused = (error: unknown): unknown =>
  error instanceof ExtractionRefusal
    ? new DocumentRefused(error.outcome === 'ERROR' ? 'ERROR' : 'NO_SOPORTADO', error.message)
    : error;

/** Reads documents in isolation, and stores their text and their attachments. */
@Injectable()
export class DocumentReader {
  private readonly quick: Semaphore;

  constructor(
    private readonly cpu: Cpu,
    private readonly objects: ObjectStore,
    private readonly source: TextSource,
    private readonly settings: PipelineSettings,
  ) {
    const refusal = (): Error => new Error('Too many files wait for a reader.');
    this.quick = new Semaphore({ permits: source.atOnce, mostWaiting: Number.MAX_SAFE_INTEGER, refusal });
  }

  /** Documents that it reads concurrently. */
  get atOnce(): number {
    return this.source.atOnce;
  }

  /** Whether it reads a document in some milliseconds. */
  isQuick({ name, size }: Pick<WorkingDocument, 'name' | 'size'>): boolean {
    return size <= QUICK_BYTES && this.source.isQuick(name);
  }

  /** Transient errors pass unchanged. @throws DocumentRefused */
  async read(
    scope: TenantScope,
    { name, size, originalObject }: WorkingDocument,
    { key, progress }: { readonly key: string; readonly progress: () => void },
  ): Promise<ReadDocument> {
    const { cpu, objects, source, settings } = this;
    const bytes = await objects.get(scope, filled(originalObject));
    const pages = new PageCheckpoint(objects, scope, key, progress);
    const file = { name, bytes, urgent: scope.urgent === true };
    const extraction = await (
      this.isQuick({ name, size }) ? this.extractQuickly(file, pages) : source.extract(file, pages)
    ).catch(async (error: unknown) => {
      if (error instanceof ExtractionRefusal) await pages.forget();
      throw refused(error);
    });
    const { document, attachments } = extraction;
    const { text, ...known } = await cpu.run(
      RECORD_TEXT,
      { document, languages: settings.chunks.languages },
      scope.urgent,
    );
    const textObject = newObjectKey(scope, 'text');
    await objects.put(scope, textObject, text);
    const stored = await this.keepAttachments(scope, attachments);
    await pages.forget();
    const extracted = { textObject, ...known, extractionReport: reportOf(extraction), attachments: stored };
    return { extracted, text };
  }

  /**
   * Before the files whose reading takes minutes. Few at a time, so that not every one of a thousand small files starts
   * a process of its own beside them.
   */
  private extractQuickly(file: AcquiredFile, pages: SavedPages): Promise<Extraction> {
    return this.quick.run(() => this.source.extract({ ...file, urgent: true }, pages));
  }

  /** Stores attachments, equal bytes once. */
  private async keepAttachments(scope: TenantScope, attachments: readonly Attachment[]): Promise<StoredAttachment[]> {
    if (attachments.length > MOST_CARRIED) throw new CarriesTooMuch();
    const stored: StoredAttachment[] = [];
    for (const { name, bytes } of named(attachments)) {
      const hash = await this.cpu.run(HASH, { bytes }, scope.urgent);
      const object = derivedObjectKey(scope, 'original', hash);
      await this.objects.put(scope, object, bytes);
      stored.push({ name, size: bytes.length, hash, object });
    }
    return stored;
  }
}

import { Injectable } from '@nestjs/common';
import { type Attachment, ExtractionRefusal, TextSource } from '@acervo/extraction';
import type { TenantScope } from '@acervo/platform-database';
import { derivedObjectKey, newObjectKey, ObjectStore } from '@acervo/platform-object-store';
import { CarriesTooMuch, type StoredAttachment, MOST_CARRIED, named } from '../attachments/attachment';
import { DocumentRefused } from '../files/refusal';
import { Cpu } from '../workers/cpu';
import { PageCheckpoint } from './page-checkpoint';
import { PipelineSettings } from './settings';
import { type DocumentPatch, filled, type WorkingDocument } from './working-document.store';

/** The result of an extraction: columns of the document, and the files inside it. */
export interface Extracted extends DocumentPatch {
  readonly attachments: readonly StoredAttachment[];
}

const refused = (error: unknown): unknown =>
  error instanceof ExtractionRefusal
    ? new DocumentRefused(error.outcome === 'ERROR' ? 'ERROR' : 'NO_SOPORTADO', error.message)
    : error;

/** Reads documents in isolation, and stores their text and their attachments. */
@Injectable()
export class DocumentReader {
  constructor(
    private readonly cpu: Cpu,
    private readonly objects: ObjectStore,
    private readonly source: TextSource,
    private readonly settings: PipelineSettings,
  ) {}

  /** Documents that it reads concurrently. */
  get atOnce(): number {
    return this.source.atOnce;
  }

  /** Transient errors pass unchanged. @throws DocumentRefused */
  async read(
    scope: TenantScope,
    { name, originalObject }: WorkingDocument,
    { key, progress }: { readonly key: string; readonly progress: () => void },
  ): Promise<Extracted> {
    const { cpu, objects, source, settings } = this;
    const bytes = await objects.get(scope, filled(originalObject));
    const pages = new PageCheckpoint(objects, scope, key, progress);
    const { document, attachments } = await source
      .extract({ name, bytes, urgent: scope.urgent === true }, pages)
      .catch(async (error: unknown) => {
        if (error instanceof ExtractionRefusal) await pages.forget();
        throw refused(error);
      });
    const { text, ...known } = await cpu.run(
      'record',
      { document, languages: settings.chunks.languages },
      scope.urgent,
    );
    const textObject = newObjectKey(scope, 'text');
    await objects.put(scope, textObject, text);
    const stored = await this.keepAttachments(scope, attachments);
    await pages.forget();
    return { textObject, ...known, attachments: stored };
  }

  /** Stores attachments, equal bytes once. */
  private async keepAttachments(scope: TenantScope, attachments: readonly Attachment[]): Promise<StoredAttachment[]> {
    if (attachments.length > MOST_CARRIED) throw new CarriesTooMuch();
    const stored: StoredAttachment[] = [];
    for (const { name, bytes } of named(attachments)) {
      const hash = await this.cpu.run('hash', { bytes }, scope.urgent);
      const object = derivedObjectKey(scope, 'original', hash);
      await this.objects.put(scope, object, bytes);
      stored.push({ name, size: bytes.length, hash, object });
    }
    return stored;
  }
}

import { type Attachment, ExtractionRefusal, type TextSource } from '@acervo/extraction';
import type { TenantScope } from '@acervo/platform-database';
import { derivedObjectKey, newObjectKey, type ObjectStore } from '@acervo/platform-object-store';
import { CarriesTooMuch, type KeptAttachment, MOST_CARRIED, named } from '../attachments/attachment';
import { DocumentRefused } from '../files/refusal';
import type { Cpu } from '../workers/cpu';
import { KeptPages } from './kept-pages';
import type { PipelineSettings } from './settings';
import { type DocumentPatch, filled, type WorkingDocument } from './work.store';

export interface ExtractingParts {
  readonly cpu: Cpu;
  readonly objects: ObjectStore;
  readonly source: TextSource;
  readonly settings: Pick<PipelineSettings, 'chunks'>;
}

/** What an extraction leaves: columns of the document, and the files that travelled inside it. */
export interface Extracted extends DocumentPatch {
  readonly attachments: readonly KeptAttachment[];
}

const refused = (error: unknown): unknown =>
  error instanceof ExtractionRefusal
    ? new DocumentRefused(error.outcome === 'ERROR' ? 'ERROR' : 'NO_SOPORTADO', error.message)
    : error;

/** Keeps what a file carried, equal bytes once. */
const keepAttachments = async (
  { cpu, objects }: ExtractingParts,
  scope: TenantScope,
  attachments: readonly Attachment[],
): Promise<KeptAttachment[]> => {
  if (attachments.length > MOST_CARRIED) throw new CarriesTooMuch();
  const kept: KeptAttachment[] = [];
  for (const { name, bytes } of named(attachments)) {
    const hash = await cpu.run('hash', { bytes }, scope.urgent);
    const object = derivedObjectKey(scope, 'original', hash);
    await objects.put(scope, object, bytes);
    kept.push({ name, size: bytes.length, hash, object });
  }
  return kept;
};

/** Reads a document where it can harm nobody. What is transient is thrown as it is. @throws DocumentRefused */
export const extracting =
  (parts: ExtractingParts) =>
  async (
    scope: TenantScope,
    { name, originalObject }: WorkingDocument,
    { key, progress }: { readonly key: string; readonly progress: () => void },
  ): Promise<Extracted> => {
    const { cpu, objects, source, settings } = parts;
    const bytes = await objects.get(scope, filled(originalObject));
    const pages = new KeptPages(objects, scope, key, progress);
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
    const kept = await keepAttachments(parts, scope, attachments);
    await pages.forget();
    return { textObject, ...known, attachments: kept };
  };

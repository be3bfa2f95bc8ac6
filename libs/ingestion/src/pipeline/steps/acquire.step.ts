import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { newObjectKey, ObjectStore } from '@acervo/platform-object-store';
import { KeyedMutex } from '@acervo/platform-resilience';
import { type AcquiredFile, DocumentRefused } from '@acervo/files';
import { FileAccess } from '../../file-access/file-access';
import { WebContentStore } from '../../document-state/web-content.store';
import { isWebRoot } from '../../locations/web-root';
import { ResultStore } from '../../document-state/result.store';
import { PipelineSettings } from '../../reading/pipeline-settings';
import { ACQUIRE } from '../../kernel/stages';
import type { WorkingDocument } from '../../document-state/working-document.store';
import type { Step, StepOutput } from './step';
import { StepResults } from './step-results';

/** Documents that are worked concurrently: their look-ups share queries, and one of them uses the processor. */
const AT_ONCE = 16;
/** Larger files of a root are read one after the other: each is in memory as a whole. */
const LARGE_BYTES = 1_000_000;

/** Stores the bytes of a file, equal bytes once. Those of a web page were stored when it was fetched. */
@Injectable()
export class AcquireStep implements Step {
  readonly atOnce = AT_ONCE;
  private readonly large = new KeyedMutex();

  constructor(
    private readonly files: FileAccess,
    private readonly objects: ObjectStore,
    private readonly results: ResultStore,
    private readonly stepResults: StepResults,
    private readonly settings: PipelineSettings,
    private readonly webContents: WebContentStore,
  ) {}

  work(scope: TenantScope, document: WorkingDocument): Promise<StepOutput> {
    if (isWebRoot({ path: document.rootPath })) return this.acquirePage(scope, document);
    const acquire = (): Promise<StepOutput> => this.acquire(scope, document);
    return document.size > LARGE_BYTES ? this.large.run(document.rootPath, acquire) : acquire();
  }

  /** @throws DocumentRefused for a page whose content is not stored: the next refresh stores it */
  private async acquirePage(scope: TenantScope, { documentId, name }: WorkingDocument): Promise<StepOutput> {
    const content = await this.webContents.of(scope, documentId);
    if (content === undefined) throw new DocumentRefused('ERROR', 'The page is not fetched yet.', true);
    const { object, hash, size } = content;
    if (!(await this.objects.has(scope, object))) {
      await this.webContents.forget(scope, [object]);
      throw new DocumentRefused('ERROR', 'The content of the page was lost; the next refresh fetches it again.', true);
    }
    this.stepResults.expect(scope, name, hash);
    return { patch: { contentHash: hash, size, mtime: hash, originalObject: object }, objects: [] };
  }

  private async acquire(
    scope: TenantScope,
    { name, rootPath: root, relativePath }: WorkingDocument,
  ): Promise<StepOutput> {
    const file = { root, relativePath, most: this.settings.mostBytes };
    const { bytes, hash, size, mtime } = await this.files.takeFile(file);
    this.stepResults.expect(scope, name, hash);
    const id = { stage: ACQUIRE.name, key: hash, contentHash: hash };
    const { value, objects, used } = await this.results.reuse(scope, id, () => this.store(scope, bytes));
    return { patch: { contentHash: hash, size, mtime, ...value }, objects, used };
  }

  private async store(scope: TenantScope, bytes: AcquiredFile['bytes']): Promise<{ readonly originalObject: string }> {
    const originalObject = newObjectKey(scope, 'original');
    await this.objects.put(scope, originalObject, bytes);
    return { originalObject };
  }
}

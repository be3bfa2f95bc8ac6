import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { newObjectKey, ObjectStore } from '@acervo/platform-object-store';
import { FileAccess } from '../../file-access/file-access';
import { ResultStore } from '../result.store';
import { PipelineSettings } from '../settings';
import { ACQUIRE, EXTRACT } from '../stages';
import type { WorkingDocument } from '../working-document.store';
import type { Done, Step } from './step';

/** Stores the bytes of a file, equal bytes once. */
@Injectable()
export class AcquireStep implements Step {
  readonly stage = ACQUIRE;
  readonly from = 'DETECTADO';
  readonly to = 'ADQUIRIDO';
  readonly next = EXTRACT;
  readonly atOnce = 1;

  constructor(
    private readonly files: FileAccess,
    private readonly objects: ObjectStore,
    private readonly results: ResultStore,
    private readonly settings: PipelineSettings,
  ) {}

  async work(scope: TenantScope, { rootPath: root, relativePath }: WorkingDocument): Promise<Done> {
    const file = { root, relativePath, most: this.settings.mostBytes };
    const { bytes, hash, size, mtime } = await this.files.takeFile(file);
    const id = { stage: ACQUIRE.name, key: hash, contentHash: hash };
    const { value, objects, keep } = await this.results.reuse(scope, id, async () => {
      const originalObject = newObjectKey(scope, 'original');
      await this.objects.put(scope, originalObject, bytes);
      return { originalObject };
    });
    return { patch: { contentHash: hash, size, mtime, ...value }, objects, keep };
  }
}

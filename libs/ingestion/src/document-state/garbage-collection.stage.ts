import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { ObjectStore } from '@acervo/platform-object-store';
import { type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { COLLECT_OBJECTS } from '../kernel/stages';
import { NeededObjectsStore } from './needed-objects.store';

const listIn = ({ payload }: Lease, name: string): string[] => {
  const list: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined;
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
};

/** Deletes the objects that no row names any longer. */
@Injectable()
export class GarbageCollectionStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly objects: ObjectStore,
    private readonly needed: NeededObjectsStore,
  ) {}

  @RunsStage(COLLECT_OBJECTS)
  async collect(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) {
      for (const key of await this.unneeded(scope, lease)) await this.objects.delete(scope, key);
      await this.database.write(scope, (tx) => this.tasks.completeAndDelete(tx, lease));
    }
  }

  private async unneeded(scope: WorkScope, lease: Lease): Promise<string[]> {
    const keys = listIn(lease, 'objects');
    const needed = await this.database.read(scope, (tx) => this.needed.among(tx, keys, listIn(lease, 'hashes')));
    const named = new Set(needed);
    return keys.filter((key) => !named.has(key));
  }
}

import { Injectable } from '@nestjs/common';
import {
  type Empty,
  type FolderRegistration,
  listRoots,
  type RegisteredFolder,
  registerFolder,
  type WatchedRoots,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { FileAccess } from '../file-access/file-access';
import { beginUpkeep } from '../kernel/upkeep';
import { FolderHoldsKept } from '../locations/location.errors';
import { LocationStore } from '../locations/location.store';
import { OpenedFolders } from './opened-folders';

/** Folders that the program of the installation registers and reads. */
@Injectable()
export class LocationsHandlers {
  constructor(
    private readonly locations: LocationStore,
    private readonly opened: OpenedFolders,
    private readonly tasks: Tasks,
    private readonly files: FileAccess,
  ) {}

  @Handles(registerFolder)
  async register(
    _scope: WorkScope,
    { path, entityCode, again }: FolderRegistration,
    context: WriteContext,
  ): Promise<RegisteredFolder> {
    const folder = await this.files.resolveRoot(path);
    if (await this.opened.containsProductData(folder.path)) throw new FolderHoldsKept();
    const { code, name, created } = await context.write(async (tx) => {
      if (again !== true) await this.locations.assertNotDeleted(tx, folder);
      const root = await this.locations.register(tx, folder, entityCode);
      await beginUpkeep(this.tasks, tx);
      return root;
    });
    return { locationCode: code, name, created };
  }

  @Handles(listRoots)
  async list(scope: WorkScope, _input: Empty): Promise<WatchedRoots> {
    return { roots: await this.locations.roots(scope) };
  }
}

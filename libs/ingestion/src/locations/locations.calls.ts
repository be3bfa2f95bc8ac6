import {
  type Empty,
  type FolderRegistration,
  listRoots,
  type RegisteredFolder,
  registerFolder,
  type WatchedRoots,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { beginUpkeep } from '../pipeline/upkeep';
import { FolderHoldsKept } from './location.errors';
import type { LocationStore } from './location.store';
import type { OpenedFolders } from './opened-folders';
import { resolveRoot } from './root-folder';

/** The folders of the program that runs the installation. */
export class LocationsCalls {
  constructor(
    private readonly locations: LocationStore,
    private readonly opened: Pick<OpenedFolders, 'holdsKept'>,
    private readonly tasks: Tasks,
  ) {}

  @Handles(registerFolder)
  async register(
    _scope: WorkScope,
    { path, entityCode, again }: FolderRegistration,
    context: WriteContext,
  ): Promise<RegisteredFolder> {
    const folder = await resolveRoot(path);
    if (await this.opened.holdsKept(folder.path)) throw new FolderHoldsKept();
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

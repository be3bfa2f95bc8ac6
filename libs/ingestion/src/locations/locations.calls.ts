import { type FolderRegistration, type RegisteredFolder, registerFolder } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import type { LocationStore } from './location.store';
import { resolveRoot } from './root-folder';

export class LocationsCalls {
  constructor(private readonly locations: LocationStore) {}

  @Handles(registerFolder)
  async register(
    _scope: WorkScope,
    { path, entityCode }: FolderRegistration,
    context: WriteContext,
  ): Promise<RegisteredFolder> {
    const folder = await resolveRoot(path);
    const { code, name, created } = await context.write((tx) => this.locations.register(tx, folder, entityCode));
    return { locationCode: code, name, created };
  }
}

import type { CommandGroups, Print } from '@acervo/platform-service';
import { AdminCommandFailed, groupWith } from '@acervo/platform-service';
import { WorkScope } from '@acervo/rbac';
import type { FolderManagers } from '../folders/folder-managers';
import { eachGroup } from '../folders/groups';

/** The groups of an admin command to `npm start`: several stand below a heading each. */
export class StartGroups implements CommandGroups {
  constructor(
    private readonly folderManagers: Pick<FolderManagers, 'allGroups'>,
    private readonly cause: string,
    private readonly print: Print,
  ) {}

  async one(): Promise<WorkScope> {
    const group = (await this.folderManagers.allGroups()).find(({ first }) => first);
    if (group === undefined) throw new AdminCommandFailed('There is no first group.');
    return this.scopeOf(group);
  }

  async named(code: string): Promise<WorkScope> {
    return this.scopeOf(groupWith(await this.folderManagers.allGroups(), code));
  }

  /** An error in a group ends the command. */
  async each(work: Parameters<CommandGroups['each']>[0]): Promise<boolean> {
    const groups = await this.folderManagers.allGroups();
    return eachGroup(groups, this.print, async (group) => (await work(this.scopeOf(group), this.print)) !== false);
  }

  private scopeOf({ groupId }: { readonly groupId: string }): WorkScope {
    return new WorkScope(groupId, 'standalone', this.cause);
  }
}

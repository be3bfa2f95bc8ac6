import { listGroups, type TransferredGroup } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { anonymous, WorkScope } from '@acervo/rbac';
import { AdminCommandFailed, type CommandGroups, groupWith, type Print } from './admin-commands';
import { reasonOf } from './failure-reason';

export interface OperatorGroupsDependencies {
  readonly calls: Calls;
  /** The name of the admin command. */
  readonly cause: string;
  /** Code of the group that `--group` names, if any. */
  readonly group: string | null;
  readonly print: Print;
}

/** The groups of an admin command to the program of a service. */
export class OperatorGroups implements CommandGroups {
  constructor(private readonly dependencies: OperatorGroupsDependencies) {}

  async one(): Promise<WorkScope> {
    const groups = await this.selected();
    const group = this.dependencies.group === null ? groups.find(({ first }) => first) : groups[0];
    if (group === undefined)
      throw new AdminCommandFailed(
        'There is no first group. Name another with --group CODE, or make one with --provision EMAIL.',
      );
    return this.scopeOf(group);
  }

  async named(code: string): Promise<WorkScope> {
    return this.scopeOf(groupWith(await this.all(), code));
  }

  /**
   * Each line begins with the code of its group. A failing group does not stop the others.
   * @throws AdminCommandFailed at the end, where one failed
   */
  async each(work: Parameters<CommandGroups['each']>[0]): Promise<boolean> {
    const failed: string[] = [];
    for (const group of await this.selected()) if (!(await this.succeeds(group, work))) failed.push(group.code);
    if (failed.length === 0) return true;
    throw new AdminCommandFailed(`--${this.dependencies.cause} failed for ${failed.join(', ')}; see above.`);
  }

  private async succeeds(group: TransferredGroup, work: Parameters<CommandGroups['each']>[0]): Promise<boolean> {
    const print: Print = (line) => this.dependencies.print(`${group.code}: ${line.trimStart()}`);
    try {
      return (await work(this.scopeOf(group), print)) !== false;
    } catch (error) {
      print(reasonOf(error));
      return false;
    }
  }

  /** The named group, else all. @throws AdminCommandFailed where there are none */
  private async selected(): Promise<readonly TransferredGroup[]> {
    const { group } = this.dependencies;
    const groups = await this.all();
    const chosen = group === null ? groups : groups.filter(({ code }) => code === group);
    if (chosen.length === 0) throw new AdminCommandFailed(`There is no group ${group}; --group takes the code of one.`);
    return chosen;
  }

  private async all(): Promise<readonly TransferredGroup[]> {
    const { groups } = await this.dependencies.calls.send(listGroups, anonymous, {});
    if (groups.length > 0) return groups;
    throw new AdminCommandFailed('There is no group yet. The program of auth makes the first one: --provision EMAIL.');
  }

  private scopeOf({ groupId }: TransferredGroup): WorkScope {
    return new WorkScope(groupId, 'operator', this.dependencies.cause);
  }
}

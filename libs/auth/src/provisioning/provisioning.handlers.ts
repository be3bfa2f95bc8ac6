import { Injectable } from '@nestjs/common';
import {
  type FirstGroup,
  issueAdministratorKey,
  type IssuedKey,
  type NewKey,
  type ProvisionedGroup,
  provisionFirstGroup,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import type { Anonymous, WorkScope } from '@acervo/rbac';
import { KeyStore } from '../keys/key.store';
import { GROUP_ADMIN } from '../kernel/built-in-roles';
import { AccountStore } from '../accounts/account.store';
import { PasswordHasher } from '../accounts/password-hasher';
import { ProvisioningStore } from './provisioning.store';

/** Creates the first group of an installation, and keys for its administrator. */
@Injectable()
export class ProvisioningHandlers {
  constructor(
    private readonly database: Database,
    private readonly store: ProvisioningStore,
    private readonly keys: KeyStore,
    private readonly accounts: AccountStore,
    private readonly hasher: PasswordHasher,
  ) {}

  @Handles(provisionFirstGroup)
  async provision(_scope: Anonymous, input: FirstGroup, context: WriteContext): Promise<ProvisionedGroup> {
    const groupId = await this.store.installationGroup(this.database);
    const { hasher, accounts } = this;
    const password = input.administratorPassword ?? null;
    const hash = password === null ? null : await hasher.hash(password);
    return context.writeIn({ groupId }, async (tx) => {
      const created = await this.store.create(tx, input.groupName, input.administrator);
      const { groupCode, entityCode, administrator, administratorId } = await this.store.overview(tx);
      if (created && hash !== null) await accounts.setPassword(tx, administratorId, hash);
      const apiKey = created ? await this.issue(tx, administratorId, 'Primera clave') : null;
      return { groupId, groupCode, entityCode, administrator, created, apiKey };
    });
  }

  @Handles(issueAdministratorKey)
  async issueKey(_scope: WorkScope, { name }: NewKey, context: WriteContext): Promise<IssuedKey> {
    return context.write(async (tx) => {
      const { administratorId } = await this.store.overview(tx);
      return { apiKey: await this.issue(tx, administratorId, name) };
    });
  }

  private issue(tx: Transaction, userId: string, name: string): Promise<string> {
    return this.keys.create(tx, { userId, roleId: GROUP_ADMIN.id, name, createdBy: userId });
  }
}

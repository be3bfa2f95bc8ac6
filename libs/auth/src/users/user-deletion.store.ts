import { Injectable } from '@nestjs/common';
import { servicesWithUserData, type ServiceWithUserData, type UserIdentity } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { DELETING } from '../kernel/account-state';
import { credentialRows, selectAffected } from './dependents.store';

/** Accounts in deletion, and the services that a deletion waits for. */
@Injectable()
export class UserDeletionStore {
  /** Ends the access of a user, frees the address for other groups, and waits for the services. */
  async begin(tx: Transaction, userId: string): Promise<void> {
    const { dependents, params } = selectAffected(tx, userId);
    for (const { from, where } of [...Object.values(dependents), ...credentialRows])
      await tx.query(`delete from ${from} where ${where}`, params);
    await tx.query(
      `update auth.app_user set state = $3, address_confirmed = false where group_id = $1 and user_id = $2`,
      [...params, DELETING],
    );
    await tx.query(
      `insert into auth.user_deletion (group_id, user_id, service) select $1, $2, service from unnest($3::text[]) service`,
      [...params, servicesWithUserData],
    );
  }

  /** Users of this group whose deletion a service has not finished an hour after it was asked. */
  async askAgain(tx: Transaction): Promise<readonly UserIdentity[]> {
    return tx.query<UserIdentity>(
      `with asked as (update auth.user_deletion set asked_at = now()
         where group_id = $1 and asked_at < now() - interval '1 hour' returning user_id)
       select u.user_id as "userId", u.email as code from auth.app_user u
       where u.group_id = $1 and u.user_id in (select user_id from asked)`,
      [tx.groupId],
    );
  }

  /**
   * Notes that a service has finished. Deletes the account after the last one and returns its address; undefined before,
   * and for a repeated or late note.
   */
  async finish(tx: Transaction, userId: string, service: ServiceWithUserData): Promise<string | undefined> {
    const account = [tx.groupId, userId];
    await tx.query(`select from auth.app_user where group_id = $1 and user_id = $2 for update`, account);
    await tx.query(`delete from auth.user_deletion where group_id = $1 and user_id = $2 and service = $3`, [
      ...account,
      service,
    ]);
    const [deleted] = await tx.query<{ email: string }>(
      `delete from auth.app_user u where u.group_id = $1 and u.user_id = $2 and u.state = $3
         and not exists (select from auth.user_deletion d where d.group_id = $1 and d.user_id = $2) returning u.email`,
      [...account, DELETING],
    );
    return deleted?.email;
  }
}

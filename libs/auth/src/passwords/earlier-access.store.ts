import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';

/** Keys and second factors of an account from before its owner used a link. Sessions have a store of their own. */
@Injectable()
export class EarlierAccessStore {
  /** Locks a user and returns whether its address is confirmed. */
  async isConfirmed(tx: Transaction, userId: string): Promise<boolean> {
    const [row] = await tx.query<{ confirmed: boolean }>(
      `select address_confirmed as confirmed from auth.app_user where group_id = $1 and user_id = $2 for no key update`,
      [tx.groupId, userId],
    );
    return row?.confirmed === true;
  }

  /** Revokes the keys of a user, and those that the user created for others. */
  async revokeKeys(tx: Transaction, userId: string): Promise<void> {
    await tx.query(
      `update auth.api_key set revoked_at = now() where group_id = $1 and revoked_at is null
         and (user_id = $2 or (created_by = $2 and created_in is null))`,
      [tx.groupId, userId],
    );
  }

  /** Removes every second factor of a user, verified or not. */
  async removeFactors(tx: Transaction, userId: string): Promise<void> {
    await tx.query(`delete from auth.factor where group_id = $1 and user_id = $2`, [tx.groupId, userId]);
  }
}

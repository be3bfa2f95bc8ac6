import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';

/** Longer than any answer takes that was under way at the deletion. */
const MEMORY = '24 hours';

/** Users whose conversations were deleted with them, for a day. */
@Injectable()
export class DeletedUserStore {
  async remember(tx: Transaction, userId: string): Promise<void> {
    await tx.query('insert into chat.deleted_user (group_id, user_id) values ($1, $2) on conflict do nothing', [
      tx.groupId,
      userId,
    ]);
  }

  async list(tx: Transaction): Promise<readonly string[]> {
    const rows = await tx.query<{ userId: string }>(
      'select user_id as "userId" from chat.deleted_user where group_id = $1',
      [tx.groupId],
    );
    return rows.map(({ userId }) => userId);
  }

  async deleteExpired(tx: Transaction): Promise<void> {
    await tx.query(`delete from chat.deleted_user where group_id = $1 and deleted_at < now() - interval '${MEMORY}'`, [
      tx.groupId,
    ]);
  }
}

import { Injectable } from '@nestjs/common';
import type { DependencyCount } from '@acervo/contracts';
import { countSelected, type SelectedRows, type Selection, type Transaction } from '@acervo/platform-database';

const KIND = 'respuestas_guardadas';

/** Rows of one user: `$1` is the group, `$2` the user. */
const ofUser = (condition: string): SelectedRows => ({
  from: 'operations.idempotency i',
  where: `i.group_id = $1 and i.user_id = $2 and i.answer ${condition}`,
});

interface AffectedRows extends Selection<typeof KIND> {
  /** Requests of the user that have no answer yet, such as one that deletes the user itself. */
  readonly unanswered: SelectedRows;
}

/** The deletion of a user deletes all of these rows; its preview counts those with an answer. */
const selectAffected = ({ groupId }: Transaction, userId: string): AffectedRows => ({
  rows: { [KIND]: ofUser('is not null') },
  unanswered: ofUser('is null'),
  params: [groupId, userId],
});

/** Answers that are stored for the keys and sessions of one user. */
@Injectable()
export class UserAnswersStore {
  async count(tx: Transaction, userId: string): Promise<readonly DependencyCount[]> {
    const counts = await countSelected(tx, selectAffected(tx, userId));
    return [{ kind: KIND, count: counts[KIND] }];
  }

  async delete(tx: Transaction, userId: string): Promise<void> {
    const { rows, unanswered, params } = selectAffected(tx, userId);
    for (const { from, where } of [rows[KIND], unanswered])
      await tx.query(`delete from ${from} where ${where}`, params);
  }
}

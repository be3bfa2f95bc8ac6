import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { work } from '../kernel/work-sql';
import { REFRESH_SPACE_STAGE } from '../space-members/stages';

/** Rounds begin at multiples of the hours since 1970, so that every space of a group has the same ones. */
const ROUND_BEGIN = `to_timestamp(floor(extract(epoch from now()) / ($2::int * 3600)) * ($2::int * 3600))`;

/** What a round refreshes: a query depends on who asks, and a list never changes. */
const REFRESHABLE = `(s.expression is not null or not s.criteria ? 'query')`;

/** What the schedule of a group reads. */
@Injectable()
export class DueSpacesStore {
  /**
   * The spaces that this round has not refreshed, behind one of them. Operands come first: a composed space has a higher
   * number.
   */
  async due(tx: Transaction, everyHours: number, after: number): Promise<readonly number[]> {
    const rows = await tx.query<{ spaceId: number }>(
      `select s.space_id as "spaceId" from retrieval.space s where s.group_id = $1 and s.space_id > $3
         and coalesce(s.refreshed_at, '-infinity') < ${ROUND_BEGIN} and ${REFRESHABLE} order by s.space_id`,
      [tx.groupId, everyHours, after],
    );
    return rows.map(({ spaceId }) => spaceId);
  }

  /** Whether a task gathers a space of the group now. */
  async isAnyGathered(tx: Transaction): Promise<boolean> {
    const [row] = await tx.query<{ open: boolean }>(
      `select ${work.hasOpen({ group: '$1', stages: [REFRESH_SPACE_STAGE] })} as open`,
      [tx.groupId],
    );
    return row?.open === true;
  }

  async isAnyLeft(tx: Transaction): Promise<boolean> {
    const [row] = await tx.query<{ left: boolean }>(
      `select exists (select from retrieval.space where group_id = $1) as left`,
      [tx.groupId],
    );
    return row?.left === true;
  }
}

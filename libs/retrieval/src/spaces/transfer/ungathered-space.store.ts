import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { neverGathered, operandsOf } from '../../space-members/definition-sql';

/** The operands of a composed space exist and were gathered, so that it can be gathered as well. */
const OPERANDS_ARE_READY = `(s.expression is null or not exists (
  select from ${operandsOf('s')}
  left join retrieval.space p on p.group_id = $1 and p.space_id = o.space_id
  where p.space_id is null or ${neverGathered('p')}))`;

/** Spaces that were imported and not gathered since. */
@Injectable()
export class UngatheredSpaceStore {
  /** Those that can be gathered now. */
  ready(tx: Transaction, limit: number): Promise<{ readonly spaceId: number }[]> {
    return tx.query<{ spaceId: number }>(
      `select s.space_id as "spaceId" from retrieval.space s
       where s.group_id = $1 and ${neverGathered('s')} and s.requested = 0 and ${OPERANDS_ARE_READY}
       order by s.space_id limit $2`,
      [tx.groupId, limit],
    );
  }

  /** How many are being gathered. */
  async running(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ running: number }>(
      `select count(*)::int as running from retrieval.space s
       where s.group_id = $1 and ${neverGathered('s')} and s.requested > 0`,
      [tx.groupId],
    );
    return row?.running ?? 0;
  }
}

import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ModelCall, ModelCallEnded, ReportedOutcome } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { CountedTokens } from './model-token.store';

/** Time after the latest end of a call until no report of it is expected any more. */
const REPORTED_WITHIN = '10 minutes';

/**
 * Outcomes of rows. RUNNING its end is not known yet; PLAN the plan of the group had no tokens left; LOST its program ended
 * without a report.
 */
type ModelCallOutcome = ReportedOutcome | 'RUNNING' | 'PLAN' | 'LOST';

/** Calls whose end is not known. A report that comes late is taken all the same. */
const WITHOUT_END: readonly ModelCallOutcome[] = ['RUNNING', 'LOST'];
const UNSETTLED = `outcome in ('${WITHOUT_END.join("','")}')`;

/** An id that is equal for equal parts, so that the key of the table lets one row stand. */
const idOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/** The calls of chat models: what each was for and what it took, nothing of its text. */
@Injectable()
export class ModelCallStore {
  /** Records a call as it begins. @param periodStart of the period that its most tokens are counted in */
  async begin(tx: Transaction, service: string, call: ModelCall, periodStart: string): Promise<void> {
    await this.insert(tx, service, call, { outcome: 'RUNNING', periodStart, counted: call.mostTokens });
  }

  /**
   * Records that calls are not made, because the plan has no tokens left. The first one of a purpose in a period leaves a
   * row: work that waits for tokens is tried again and again, and further rows would say the same. Answers whether it is
   * that one.
   * @param limit with another one, calls were made in between
   */
  async refuse(
    tx: Transaction,
    service: string,
    call: ModelCall,
    { periodStart, limit }: Readonly<{ periodStart: string; limit: number | null }>,
  ): Promise<boolean> {
    const refused = { outcome: 'PLAN', periodStart, counted: 0 } as const;
    const callId = idOf([refused.outcome, periodStart, call.purpose, limit]);
    return this.insert(tx, service, { ...call, callId }, refused, 'on conflict do nothing');
  }

  /**
   * Records the end of a call. Answers what it took beyond the tokens that were counted so far; undefined for a call
   * that has ended already, or that was never admitted.
   */
  async end(tx: Transaction, ended: ModelCallEnded): Promise<CountedTokens | undefined> {
    const { callId, outcome, tokensIn, tokensOut, milliseconds } = ended;
    const [row] = await tx.query<CountedTokens>(
      `update operations.model_call set outcome = $3, tokens_in = $4, tokens_out = $5, milliseconds = $6,
         counted = $4::bigint + $5::bigint
       where group_id = $1 and call_id = $2 and ${UNSETTLED}
       returning old.period_start::text as "periodStart", old.entity_code as "entityCode",
         (new.counted - old.counted)::float8 as tokens`,
      [tx.groupId, callId, outcome, tokensIn, tokensOut, milliseconds],
    );
    return row;
  }

  /** Moves calls whose end is not known to the day that their period begins on now. */
  async move(tx: Transaction, from: string, to: string): Promise<void> {
    await tx.query(
      `update operations.model_call set period_start = $3::date
       where group_id = $1 and period_start = $2::date and ${UNSETTLED}`,
      [tx.groupId, from, to],
    );
  }

  /**
   * Gives up calls whose program ended before it reported them: what was counted for them stays counted. The count of the
   * group is locked before, as in every change of its calls.
   */
  async giveUp(tx: Transaction): Promise<number> {
    const lost = await tx.query(
      `update operations.model_call set outcome = 'LOST'
       where group_id = $1 and outcome = 'RUNNING' and ends_by < now() - interval '${REPORTED_WITHIN}' returning call_id`,
      [tx.groupId],
    );
    return lost.length;
  }

  /** Whether any call is old enough to be deleted by the shortest retention. */
  async isAnyOld(tx: Transaction): Promise<boolean> {
    const rows = await tx.query(
      `select from operations.model_call where group_id = $1 and created_at < now() - interval '1 day' limit 1`,
      [tx.groupId],
    );
    return rows.length > 0;
  }

  /** Deletes calls that began longer ago; at most `limit`. Returns how many. */
  async deleteOlder(tx: Transaction, days: number, limit: number): Promise<number> {
    const gone = await tx.query(
      `delete from operations.model_call where group_id = $1 and call_id = any(array(
         select call_id from operations.model_call
         where group_id = $1 and created_at < now() - make_interval(days => $2) and outcome <> 'RUNNING'
         order by created_at limit $3 for update skip locked)) returning call_id`,
      [tx.groupId, days, limit],
    );
    return gone.length;
  }

  private async insert(
    tx: Transaction,
    service: string,
    { callId, entityCode, purpose, layers, model, timeoutMs }: ModelCall,
    { outcome, periodStart, counted }: Readonly<{ outcome: ModelCallOutcome; periodStart: string; counted: number }>,
    unless = '',
  ): Promise<boolean> {
    const inserted = await tx.query(
      `insert into operations.model_call (group_id, call_id, service, entity_code, purpose, layers, model, outcome,
         period_start, counted, ends_by)
       values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9::date, $10, now() + $11 * interval '1 millisecond')
       ${unless} returning call_id`,
      [
        tx.groupId,
        callId,
        service,
        entityCode,
        purpose,
        JSON.stringify(layers),
        model,
        outcome,
        periodStart,
        counted,
        timeoutMs,
      ],
    );
    return inserted.length > 0;
  }
}

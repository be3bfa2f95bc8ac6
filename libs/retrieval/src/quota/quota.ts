import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { chargedEntity, processRequested, QuotaExceeded } from '@acervo/contracts';
import { isAwaited } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { Failpoints, Outbox } from '@acervo/platform-messaging';
import { Logger } from '@acervo/platform-observability';
import type { Scope } from '@acervo/rbac';
import { QuotaStore, type Reservation, type Reserved, type Retrieval } from './quota.store';

/** The time that periods begin and end by. */
@Injectable()
export class QuotaClock {
  now(): number {
    return Date.now();
  }
}

/** A request that counts as one retrieval. */
export interface CountedRequest {
  readonly entityCode?: string | undefined;
}

/** The retrievals of a group: counted before the work, refunded when the work fails or comes too late. */
@Injectable()
export class Quota {
  constructor(
    private readonly database: Database,
    private readonly store: QuotaStore,
    private readonly clock: QuotaClock,
    private readonly failpoints: Failpoints,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {}

  /**
   * Does work that counts as one retrieval. Its preparation runs in the transaction that counts it, and a refusal
   * there is not counted. @throws QuotaExceeded when the quota is used up; the work does not begin.
   */
  async spend<P, T>(
    scope: Scope,
    { entityCode }: CountedRequest,
    prepare: (tx: Transaction) => Promise<P>,
    work: (prepared: P) => Promise<T>,
  ): Promise<T> {
    const { database, store, failpoints, clock } = this;
    const retrieval = { reservationId: randomUUID(), entityCode: chargedEntity(scope, entityCode), now: clock.now() };
    const { prepared, reservation } = await database.write(scope, async (tx) => {
      // All at once. Last the reservation, because the row of the group is locked from there on.
      const [ready, reserved] = await Promise.all([prepare(tx), store.reserve(tx, retrieval)]);
      const made = reserved ?? (await this.reserveAgain(tx, retrieval));
      if (made.isLast) await this.reportUsedUp(tx, made);
      return { prepared: ready, reservation: made };
    });
    failpoints.hit('search.counted');
    try {
      const answer = await work(prepared);
      if (!isAwaited()) await this.refund(scope, reservation);
      else if (reservation.state === 'held')
        await database.write(scope, (tx) => store.settle(tx, reservation.reservationId));
      return answer;
    } catch (error) {
      await this.refund(scope, reservation);
      throw error;
    }
  }

  /** Asks for a person: the next retrieval of the period is refused. */
  private async reportUsedUp(tx: Transaction, { periodStart }: Reservation): Promise<void> {
    await this.outbox.append(tx, processRequested, {
      ...{ processType: 'CUOTA', subject: `RETRIEVALS:${periodStart}`, priority: 'URGENTE' },
      name: 'Extend the quota of searches',
      description: `The period from ${periodStart} has used every search of the plan; further ones are refused until the next period or a change of plan.`,
    });
  }

  /** @throws QuotaExceeded when no reservation of a process that died can be released */
  private async reserveAgain(tx: Transaction, retrieval: Retrieval): Promise<Reserved> {
    const { store } = this;
    const again = (await store.reclaim(tx)) > 0 ? await store.reserve(tx, retrieval) : undefined;
    if (again === undefined) throw new QuotaExceeded();
    return again;
  }

  /** A reservation that is not released here expires after a minute: the caller gets the error of the work itself. */
  private async refund(scope: Scope, reservation: Reservation): Promise<void> {
    const { database, store, logger } = this;
    try {
      await database.write(scope, (tx) => store.refund(tx, reservation));
    } catch (error) {
      const { state } = reservation;
      logger.error({ error, reservation: state }, 'the reservation of a failed retrieval could not be refunded now');
    }
  }
}

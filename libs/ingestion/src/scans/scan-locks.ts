import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { Periodic } from '@acervo/platform-resilience';
import type { Root } from '../locations/location.store';

/** Another scan took the root over, because the lock of this one expired. This scan must not write any longer. */
export class ScanOvertaken extends Error {
  constructor() {
    super('Another scan of the folder replaced this one, whose lock expired; the result of the other scan counts.');
    this.name = 'ScanOvertaken';
  }
}

/** A user cancelled the run of a scan: it must not write any longer, and must not begin work. */
export class ScanCancelled extends Error {
  constructor() {
    super('The run was cancelled while it scanned.');
    this.name = 'ScanCancelled';
  }
}

/** The right to scan one root: one scan owns it at a time, whatever process it runs in. */
export interface ScanLock {
  readonly run: number;
  /**
   * Locks the right until the end of the transaction; a cancellation waits for that.
   * @throws ScanOvertaken or ScanCancelled, and the transaction is rolled back
   */
  assertOwned(tx: Transaction): Promise<void>;
}

export interface ScanLockRequest {
  readonly root: Pick<Root, 'code'>;
  readonly run: number;
  /** Called while the scan waits for its lock. */
  readonly waiting?: (() => Promise<void>) | undefined;
  /** Runs in the transaction that takes the lock: no other scan of the root is active then. */
  readonly acquired?: ((tx: Transaction) => Promise<void>) | undefined;
}

interface Holder extends ScanLockRequest {
  readonly scope: TenantScope;
  readonly token: string;
}

const LOOK_EVERY_MS = 500;
/** A lock that is not renewed for so long expires. */
const HELD_SECONDS = 30;

/** Serialises scans of one root: two would each register the new folders. An expired lock is taken over. */
@Injectable()
export class ScanLocks {
  constructor(private readonly database: BackgroundDatabase) {}

  async withLock<T>(scope: TenantScope, order: ScanLockRequest, work: (lock: ScanLock) => Promise<T>): Promise<T> {
    const holder: Holder = { ...order, scope, token: randomUUID() };
    while (!(await this.acquire(holder))) {
      await order.waiting?.();
      await pause(LOOK_EVERY_MS);
    }
    // Where a renewal fails, the database is away or the lock is lost: the next transaction of the scan fails.
    const renewal = new Periodic(() => this.renew(holder), { everyMs: (HELD_SECONDS * 1_000) / 3 });
    try {
      return await renewal.during(() => work({ run: order.run, assertOwned: (tx) => this.assertOwned(tx, holder) }));
    } finally {
      await this.release(holder);
    }
  }

  /** Blocks scans of a root until the transaction ends; false, without blocking, while one is active. */
  async blockScans(tx: Transaction, root: Pick<Root, 'code'>): Promise<boolean> {
    const rows = await tx.query(
      `insert into ingestion.scan_turn as t (group_id, root_code, holder, run, held_until) values ($1, $2, $3, 0, now())
       on conflict (group_id, root_code) do update set holder = excluded.holder, run = 0, held_until = now()
         where t.held_until < now()
       returning run`,
      [tx.groupId, root.code, randomUUID()],
    );
    return rows.length > 0;
  }

  private acquire({ scope, root, run, token, acquired }: Holder): Promise<boolean> {
    return this.database.write(scope, async (tx) => {
      const rows = await tx.query(
        `insert into ingestion.scan_turn as t (group_id, root_code, holder, run, held_until)
         values ($1, $2, $3, $4, now() + $5 * interval '1 second')
         on conflict (group_id, root_code) do update
           set holder = excluded.holder, run = excluded.run, held_until = excluded.held_until
           where t.held_until < now()
         returning run`,
        [scope.groupId, root.code, token, run, HELD_SECONDS],
      );
      if (rows.length > 0) await acquired?.(tx);
      return rows.length > 0;
    });
  }

  private renew({ scope, root, token }: Holder): Promise<unknown> {
    return this.database.write(scope, (tx) =>
      tx.query(
        `update ingestion.scan_turn set held_until = now() + $4 * interval '1 second'
         where group_id = $1 and root_code = $2 and holder = $3`,
        [scope.groupId, root.code, token, HELD_SECONDS],
      ),
    );
  }

  private async assertOwned(tx: Transaction, { scope, root, run, token }: Holder): Promise<void> {
    const rows = await tx.query(
      `select from ingestion.scan_turn where group_id = $1 and root_code = $2 and holder = $3 for share`,
      [scope.groupId, root.code, token],
    );
    if (rows.length === 0) throw new ScanOvertaken();
    const [going] = await tx.query<{ cancelled: boolean }>(
      `select cancelled from ingestion.run where group_id = $1 and run = $2 for share`,
      [scope.groupId, run],
    );
    if (going?.cancelled === true) throw new ScanCancelled();
  }

  /** A lock that cannot be released now expires. */
  private async release({ scope, root, token }: Holder): Promise<void> {
    await this.database
      .write(scope, (tx) =>
        tx.query(`delete from ingestion.scan_turn where group_id = $1 and root_code = $2 and holder = $3`, [
          scope.groupId,
          root.code,
          token,
        ]),
      )
      .catch(() => undefined);
  }
}

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import type { Root } from '../locations/location.store';

/** Another scan took the root over: this one fell silent for too long, and must write nothing more. */
export class ScanOvertaken extends Error {
  constructor() {
    super('Another scan of the folder has begun, because this one fell silent; what that one finds counts.');
    this.name = 'ScanOvertaken';
  }
}

/** Somebody cancelled the run of a scan: it must write nothing more, and begin no work. */
export class ScanCancelled extends Error {
  constructor() {
    super('The run was cancelled while it scanned.');
    this.name = 'ScanCancelled';
  }
}

/** The right to scan one root, held by one scan at a time whatever process it runs in. */
export interface ScanTurn {
  readonly run: number;
  /**
   * Keeps the right until the end of the transaction, and a cancellation waiting.
   * @throws ScanOvertaken or ScanCancelled, and the transaction is rolled back.
   */
  assertHeld(tx: Transaction): Promise<void>;
}

export interface ScanOrderOfTurn {
  readonly root: Pick<Root, 'code'>;
  readonly run: number;
  /** Told while the turn is waited for. */
  readonly waiting?: (() => Promise<void>) | undefined;
  /** What is written in the transaction that takes the turn: nobody else scans the root then. */
  readonly taken?: ((tx: Transaction) => Promise<void>) | undefined;
}

interface Holder extends ScanOrderOfTurn {
  readonly scope: TenantScope;
  readonly token: string;
}

const LOOK_EVERY_MS = 500;

/** Two scans of one root would each make the folders that are new: the later one waits, or takes over from a dead one. */
export class ScanTurns {
  constructor(
    private readonly database: Database,
    private readonly seconds = 30,
  ) {}

  async hold<T>(scope: TenantScope, order: ScanOrderOfTurn, work: (turn: ScanTurn) => Promise<T>): Promise<T> {
    const holder: Holder = { ...order, scope, token: randomUUID() };
    while (!(await this.take(holder))) {
      await order.waiting?.();
      await pause(LOOK_EVERY_MS);
    }
    const timer = setInterval(
      // The database is away, or the turn is lost: the next transaction of the scan tells.
      () => void this.renew(holder).catch(() => undefined),
      (this.seconds * 1_000) / 3,
    );
    timer.unref();
    try {
      return await work({ run: order.run, assertHeld: (tx) => this.assertHeld(tx, holder) });
    } finally {
      clearInterval(timer);
      await this.leave(holder);
    }
  }

  /** Keeps scans of a root away until the transaction ends; false, and nothing is kept, while one is at work. */
  async keepAway(tx: Transaction, root: Pick<Root, 'code'>): Promise<boolean> {
    const rows = await tx.query(
      `insert into ingestion.scan_turn as t (group_id, root_code, holder, run, held_until) values ($1, $2, $3, 0, now())
       on conflict (group_id, root_code) do update set holder = excluded.holder, run = 0, held_until = now()
         where t.held_until < now()
       returning run`,
      [tx.groupId, root.code, randomUUID()],
    );
    return rows.length > 0;
  }

  private take({ scope, root, run, token, taken }: Holder): Promise<boolean> {
    return this.database.write(scope, async (tx) => {
      const rows = await tx.query(
        `insert into ingestion.scan_turn as t (group_id, root_code, holder, run, held_until)
         values ($1, $2, $3, $4, now() + $5 * interval '1 second')
         on conflict (group_id, root_code) do update
           set holder = excluded.holder, run = excluded.run, held_until = excluded.held_until
           where t.held_until < now()
         returning run`,
        [scope.groupId, root.code, token, run, this.seconds],
      );
      if (rows.length > 0) await taken?.(tx);
      return rows.length > 0;
    });
  }

  private renew({ scope, root, token }: Holder): Promise<unknown> {
    return this.database.write(scope, (tx) =>
      tx.query(
        `update ingestion.scan_turn set held_until = now() + $4 * interval '1 second'
         where group_id = $1 and root_code = $2 and holder = $3`,
        [scope.groupId, root.code, token, this.seconds],
      ),
    );
  }

  private async assertHeld(tx: Transaction, { scope, root, run, token }: Holder): Promise<void> {
    const held = await tx.query(
      `select from ingestion.scan_turn where group_id = $1 and root_code = $2 and holder = $3 for share`,
      [scope.groupId, root.code, token],
    );
    if (held.length === 0) throw new ScanOvertaken();
    const [going] = await tx.query<{ cancelled: boolean }>(
      `select cancelled from ingestion.run where group_id = $1 and run = $2 for share`,
      [scope.groupId, run],
    );
    if (going?.cancelled === true) throw new ScanCancelled();
  }

  /** A turn that cannot be given back now runs out by itself. */
  private async leave({ scope, root, token }: Holder): Promise<void> {
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

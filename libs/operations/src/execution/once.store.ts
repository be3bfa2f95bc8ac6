import type { Transaction } from '@acervo/platform-database';

/** How long an answer is remembered for its key. */
const MEMORY = '24 hours';

/** One request that is to have one effect however often it is sent. */
export interface Request {
  readonly credentialId: string;
  readonly key: string;
  /** SHA-256 of operation, input and confirmation. */
  readonly hash: Buffer;
}

export interface Remembered {
  /** When the key was taken: with it the key names this request alone, whoever uses the key after it was forgotten. */
  readonly begunAt: string;
  readonly sameRequest: boolean;
  /** Null while nobody has heard how it ended. */
  readonly answer: Readonly<Record<string, unknown>> | null;
}

/** Answers to requests with an idempotency key, by credential and key. */
export class OnceStore {
  /** Takes the key for this request, or tells what is known of whoever took it before. */
  async take(tx: Transaction, request: Request): Promise<Remembered> {
    const { credentialId, key, hash } = request;
    await tx.query(
      `delete from operations.idempotency where group_id = $1 and begun_at < now() - interval '${MEMORY}'`,
      [tx.groupId],
    );
    const [taken] = await tx.query<{ begunAt: string }>(
      `insert into operations.idempotency (group_id, credential_id, key, request_hash) values ($1, $2, $3, $4)
       on conflict do nothing returning extract(epoch from begun_at)::text as "begunAt"`,
      [tx.groupId, credentialId, key, hash],
    );
    if (taken !== undefined) return { ...taken, sameRequest: true, answer: null };
    const [row] = await tx.query<Remembered>(
      `select extract(epoch from begun_at)::text as "begunAt", request_hash = $4 as "sameRequest", answer from operations.idempotency
       where group_id = $1 and credential_id = $2 and key = $3`,
      [tx.groupId, credentialId, key, hash],
    );
    // Whoever had it gave it back in between.
    return row ?? this.take(tx, request);
  }

  async answer(tx: Transaction, { credentialId, key }: Request, answer: object): Promise<void> {
    await tx.query(
      'update operations.idempotency set answer = $4 where group_id = $1 and credential_id = $2 and key = $3',
      [tx.groupId, credentialId, key, JSON.stringify(answer)],
    );
  }

  /** Gives the key back: nothing was done under it. */
  async release(tx: Transaction, { credentialId, key }: Request): Promise<void> {
    await tx.query('delete from operations.idempotency where group_id = $1 and credential_id = $2 and key = $3', [
      tx.groupId,
      credentialId,
      key,
    ]);
  }
}

import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';

/** How long the answer of a key is stored. */
const MEMORY = '24 hours';

/** A request with one effect, however often it is sent. */
export interface Request {
  readonly credentialId: string;
  /** The user of the credential: its answers are deleted with the user. */
  readonly userId: string;
  readonly key: string;
  /** SHA-256 of operation, input and confirmation. */
  readonly hash: Buffer;
}

export interface Remembered {
  /**
   * When the key was taken. Key and time together name this request alone, even if the key is used again after it
   * expires.
   */
  readonly begunAt: string;
  readonly sameRequest: boolean;
  /** Null while the outcome is unknown. */
  readonly answer: Readonly<Record<string, unknown>> | null;
}

/** Answers to requests with an idempotency key, by credential and key. */
@Injectable()
export class IdempotencyStore {
  /** Takes the key for this request, or returns the stored request that took it before. */
  async take(tx: Transaction, request: Request): Promise<Remembered> {
    const { credentialId, userId, key, hash } = request;
    await tx.query(
      `delete from operations.idempotency where group_id = $1 and begun_at < now() - interval '${MEMORY}'`,
      [tx.groupId],
    );
    const [inserted] = await tx.query<{ begunAt: string }>(
      `insert into operations.idempotency (group_id, credential_id, key, request_hash, user_id) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning extract(epoch from begun_at)::text as "begunAt"`,
      [tx.groupId, credentialId, key, hash, userId],
    );
    if (inserted !== undefined) return { ...inserted, sameRequest: true, answer: null };
    const [row] = await tx.query<Remembered>(
      `select extract(epoch from begun_at)::text as "begunAt", request_hash = $4 as "sameRequest", answer from operations.idempotency
       where group_id = $1 and credential_id = $2 and key = $3`,
      [tx.groupId, credentialId, key, hash],
    );
    // The previous owner released the key in between.
    return row ?? this.take(tx, request);
  }

  async answer(tx: Transaction, { credentialId, key }: Request, answer: object): Promise<void> {
    await tx.query(
      'update operations.idempotency set answer = $4 where group_id = $1 and credential_id = $2 and key = $3',
      [tx.groupId, credentialId, key, JSON.stringify(answer)],
    );
  }

  /** Releases the key of a request without an effect. */
  async release(tx: Transaction, { credentialId, key }: Request): Promise<void> {
    await tx.query('delete from operations.idempotency where group_id = $1 and credential_id = $2 and key = $3', [
      tx.groupId,
      credentialId,
      key,
    ]);
  }
}

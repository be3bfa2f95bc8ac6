import { Injectable } from '@nestjs/common';
import type { FactorType, ListedFactor } from '@acervo/contracts';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import { PASSWORD_EPOCH } from '../accounts/account.store';

export const CHALLENGE_SECONDS = 300;
const MOST_TRIES = 3;
/** Factors of one user, pending ones included. */
const MOST_FACTORS = 10;
const PENDING_MINUTES = 10;

export interface StoredFactor {
  readonly factorId: string;
  /** Its secret is sealed for this owner. */
  readonly owner: string;
  readonly kind: FactorType;
  readonly verified: boolean;
  readonly secret: Buffer | null;
  readonly credentialId: string | null;
  readonly publicKey: Buffer | null;
  readonly signCount: number;
}

/** The user whose factors a session reads, and what the session has proved. */
export interface FactorOwner {
  readonly userId: string;
  readonly assurance: number;
}

export interface NewFactor {
  readonly kind: FactorType;
  readonly name: string;
  readonly secret: Buffer | null;
}

/** The group and the user of a factor. */
export const ownerOf = ({ groupId }: TenantScope, userId: string): string => `${groupId}/${userId}`;

const FACTOR = `factor_id as "factorId", group_id || '/' || user_id as owner, kind, verified_at is not null as verified, secret, credential_id as "credentialId",
  public_key as "publicKey", sign_count::int as "signCount"`;

const OF_USER = 'group_id = $1 and user_id = $2';
/** A pending factor that its owner did not verify in time. */
export const EXPIRED_FACTOR = `(verified_at is null and created_at <= now() - interval '${PENDING_MINUTES} minutes')`;

/** Second factors of the users of a group, and their challenges. */
@Injectable()
export class FactorStore {
  async list(tx: Transaction, userId: string): Promise<ListedFactor[]> {
    return tx.query<ListedFactor>(
      `select factor_id as "factorId", kind as "factorType", name as "friendlyName",
         case when verified_at is null then 'pending' else 'verified' end as status,
         to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt"
       from auth.factor where ${OF_USER} and not ${EXPIRED_FACTOR} order by created_at, factor_id`,
      [tx.groupId, userId],
    );
  }

  /** Serialises changes to the factors of a user until the transaction ends. */
  async lock(tx: Transaction, userId: string): Promise<void> {
    await tx.query(`select from auth.app_user where ${OF_USER} for no key update`, [tx.groupId, userId]);
  }

  async hasVerified(tx: Transaction, userId: string): Promise<boolean> {
    const rows = await tx.query(`select from auth.factor where ${OF_USER} and verified_at is not null limit 1`, [
      tx.groupId,
      userId,
    ]);
    return rows.length > 0;
  }

  /** Adds a pending factor in place of the expired ones; undefined for a user with too many. */
  async add(tx: Transaction, userId: string, { kind, name, secret }: NewFactor): Promise<string | undefined> {
    await tx.query(`delete from auth.factor where ${OF_USER} and ${EXPIRED_FACTOR}`, [tx.groupId, userId]);
    const [row] = await tx.query<{ id: string }>(
      `insert into auth.factor (group_id, user_id, kind, name, secret) select $1, $2, $3, $4, $5
       where (select count(*) from auth.factor where ${OF_USER}) < ${MOST_FACTORS}
       returning factor_id as id`,
      [tx.groupId, userId, kind, name, secret],
    );
    return row?.id;
  }

  /**
   * The factor with this id. Without an id: the verified factor, else the pending one that was enrolled last. A session
   * of assurance 1 gets verified factors only, once there is one: the owner did not enroll the pending ones.
   */
  async choose(
    tx: Transaction,
    { userId, assurance }: FactorOwner,
    factorId: string | null,
  ): Promise<StoredFactor | undefined> {
    const [row] = await tx.query<StoredFactor>(
      `select ${FACTOR} from auth.factor
       where ${OF_USER} and ($3::uuid is null or factor_id = $3) and not ${EXPIRED_FACTOR}
         and (verified_at is not null or $4 or not exists (
           select from auth.factor where ${OF_USER} and verified_at is not null))
       order by verified_at is null, kind, created_at desc limit 1`,
      [tx.groupId, userId, factorId, assurance >= 2],
    );
    return row;
  }

  /** Undefined for a factor that was removed meanwhile. */
  async openChallenge(tx: Transaction, factorId: string, sessionId: string, nonce: string | null) {
    // The lock waits for a removal that is not committed yet, and sees its result.
    const [row] = await tx.query<{ challengeId: string; expiresAt: string }>(
      `insert into auth.challenge (group_id, factor_id, session_id, nonce, expires_at)
       select group_id, factor_id, $3::uuid, $4, now() + interval '${CHALLENGE_SECONDS} seconds'
       from auth.factor where group_id = $1 and factor_id = $2 for key share
       returning challenge_id as "challengeId", to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "expiresAt"`,
      [tx.groupId, factorId, sessionId, nonce],
    );
    return row;
  }

  /**
   * Counts one try before the comparison. Undefined for a challenge that is spent, expired, out of tries or of another
   * session.
   */
  async attempt(tx: Transaction, challengeId: string, factorId: string, sessionId: string) {
    const [row] = await tx.query<{ nonce: string | null }>(
      `update auth.challenge set tries = tries + 1 where group_id = $1 and challenge_id = $2 and factor_id = $3
         and session_id = $4 and used_at is null and expires_at > now() and tries < ${MOST_TRIES} returning nonce`,
      [tx.groupId, challengeId, factorId, sessionId],
    );
    return row;
  }

  async spend(tx: Transaction, challengeId: string): Promise<boolean> {
    const rows = await tx.query(
      `update auth.challenge set used_at = now() where group_id = $1 and challenge_id = $2 and used_at is null returning challenge_id`,
      [tx.groupId, challengeId],
    );
    return rows.length > 0;
  }

  /** Advances a factor to a step and verifies it. False for a step that is used, or older than a used one. */
  async advance(tx: Transaction, factorId: string, step: number): Promise<boolean> {
    const rows = await tx.query(
      `update auth.factor set last_step = $3, verified_at = coalesce(verified_at, now())
       where group_id = $1 and factor_id = $2 and last_step < $3 returning factor_id`,
      [tx.groupId, factorId, step],
    );
    return rows.length > 0;
  }

  /** Stores the key that a browser created for a pending factor. */
  async keepKey(tx: Transaction, factorId: string, id: string, key: Uint8Array, count: number): Promise<boolean> {
    const rows = await tx.query(
      `update auth.factor set credential_id = $3, public_key = $4, sign_count = $5, verified_at = now()
       where group_id = $1 and factor_id = $2 and verified_at is null returning factor_id`,
      [tx.groupId, factorId, id, Buffer.from(key), count],
    );
    return rows.length > 0;
  }

  /** Stores the counter that a key signed with; 0 from a key without a counter. */
  async countKey(tx: Transaction, factorId: string, count: number): Promise<boolean> {
    const rows = await tx.query(
      `update auth.factor set sign_count = $3 where group_id = $1 and factor_id = $2 and verified_at is not null
         and (sign_count < $3 or ($3 = 0 and sign_count = 0)) returning factor_id`,
      [tx.groupId, factorId, count],
    );
    return rows.length > 0;
  }

  async remove(tx: Transaction, userId: string, factorId: string): Promise<void> {
    await tx.query(`delete from auth.factor where ${OF_USER} and factor_id = $3`, [tx.groupId, userId, factorId]);
  }

  /** When the password of a user was set, as devices are bound to it. */
  async passwordEpoch(tx: Transaction, userId: string): Promise<string> {
    const [row] = await tx.query<{ epoch: string }>(
      `select ${PASSWORD_EPOCH} as epoch from auth.password p where ${OF_USER}`,
      [tx.groupId, userId],
    );
    return row?.epoch ?? '';
  }

  async removePending(tx: Transaction, userId: string): Promise<void> {
    await tx.query(`delete from auth.factor where ${OF_USER} and verified_at is null`, [tx.groupId, userId]);
  }
}

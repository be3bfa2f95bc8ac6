import { Injectable } from '@nestjs/common';
import { onlyRow, type Transaction, uniquely } from '@acervo/platform-database';
import type { LinkPurpose } from '../mails/password-links';
import { Peppers } from '../secrets/peppers';
import { isPresent } from '../kernel/account-state';
import { PeopleConflict } from '../kernel/auth.errors';
import { type LocatedToken, newToken, type TokenKind } from '../secrets/located-token';

const HOURS: Record<LinkPurpose, number> = { INVITACION: 72, RECUPERACION: 1 };
export const kindOf: Record<LinkPurpose, TokenKind> = { INVITACION: 'aci', RECUPERACION: 'acp' };

export interface StoredAction {
  readonly userId: string;
  readonly userCode: string;
  readonly purpose: LinkPurpose;
  readonly hash: Buffer;
  readonly pepperVersion: number;
  readonly open: boolean;
  readonly state: string;
}

/** Single-use tokens that let one person set a password, each for one purpose. */
@Injectable()
export class ActionTokenStore {
  constructor(private readonly peppers: Peppers) {}

  /**
   * Creates a token; earlier ones of the user for the same purpose no longer work. @throws NotFound for an unknown
   * user
   */
  async issue(tx: Transaction, userId: string, purpose: LinkPurpose): Promise<string> {
    if (tx.groupId === null) throw new Error('A token belongs to a user of a group.');
    await this.voidAll(tx, userId, [purpose]);
    const { id, secret, text } = newToken(kindOf[purpose], tx.groupId);
    const made = await tx.query(
      `insert into auth.action_token (group_id, token_id, user_id, purpose, hash, pepper_version, expires_at)
       select u.group_id, $2, u.user_id, $4, $5, $6, now() + make_interval(hours => $7)
       from auth.app_user u where u.group_id = $1 and u.user_id = $3 and ${isPresent('u')} returning token_id`,
      [tx.groupId, id, userId, purpose, this.peppers.hash(secret), this.peppers.version, HOURS[purpose]],
    );
    onlyRow(made);
    return text;
  }

  /** The stored row of a token whose secret fits, spent or not. */
  async find(tx: Transaction, { id, secret }: LocatedToken): Promise<StoredAction | undefined> {
    const [row] = await tx.query<StoredAction>(
      `select t.user_id as "userId", u.email as "userCode", t.purpose, t.hash, t.pepper_version as "pepperVersion", u.state,
         t.used_at is null and t.expires_at > now() as open
       from auth.action_token t join auth.app_user u on u.group_id = t.group_id and u.user_id = t.user_id
       where t.group_id = $1 and t.token_id = $2 and ${isPresent('u')}`,
      [tx.groupId, id],
    );
    const genuine = row !== undefined && this.peppers.matches(secret, row.hash, row.pepperVersion);
    return genuine ? row : undefined;
  }

  /** Spends a token; of any number of concurrent requests one succeeds. */
  async spend(tx: Transaction, id: string): Promise<boolean> {
    const rows = await tx.query(
      `update auth.action_token set used_at = now()
       where group_id = $1 and token_id = $2 and used_at is null and expires_at > now() returning token_id`,
      [tx.groupId, id],
    );
    return rows.length > 0;
  }

  async voidAll(tx: Transaction, userId: string, purposes: readonly LinkPurpose[]): Promise<void> {
    await tx.query(
      `update auth.action_token set used_at = now()
       where group_id = $1 and user_id = $2 and purpose = any($3::text[]) and used_at is null`,
      [tx.groupId, userId, purposes],
    );
  }

  /** Confirms the address of a user, which a link proves. @throws PeopleConflict where another account has confirmed it */
  async confirmAddress(tx: Transaction, userId: string): Promise<void> {
    await uniquely(new PeopleConflict('ADDRESS_CONFIRMED'), () =>
      tx.query(
        `update auth.app_user set address_confirmed = true, state = case state when 'PENDIENTE' then 'ACTIVO' else state end
         where group_id = $1 and user_id = $2`,
        [tx.groupId, userId],
      ),
    );
  }
}

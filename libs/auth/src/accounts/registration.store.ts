import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { Database, onlyRow, type Transaction, uniquely } from '@acervo/platform-database';
import { GROUP_ADMIN, USER } from '../kernel/built-in-roles';
import { Peppers } from '../secrets/peppers';
import { type LocatedToken, newToken } from '../secrets/located-token';
import { PeopleConflict } from '../kernel/auth.errors';

type RegistrationState = 'PENDIENTE' | 'MAIL_VALIDADO' | 'CREACION_SEMILLA';

export interface Registration {
  readonly email: string;
  readonly name: string;
  readonly groupName: string;
  readonly groupId: string;
  readonly state: RegistrationState;
  readonly passwordHash: string | null;
}

const COLUMNS = `email, name, group_name as "groupName", group_id as "groupId", state, password_hash as "passwordHash"`;
/** The first role is the one that sessions open with. */
const INITIAL_ROLES = [GROUP_ADMIN.id, USER.id] as const;
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

const newGroupCode = (): string => `G${Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;

/** Registrations that wait for their confirmation. They belong to no group, so their table has no group column. */
@Injectable()
export class RegistrationStore {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
  ) {}

  /** Stores a registration, or replaces one that waits or has ended, and returns the token of its mail. */
  async await(email: string, name: string, groupName: string): Promise<string | undefined> {
    return this.database.ungrouped(async (tx) => {
      const [row] = await tx.query<Registration>(
        `insert into auth.pending_registration as r (email, name, group_name) values ($1, $2, $3)
         on conflict (email) do update set name = excluded.name, group_name = excluded.group_name, state = 'PENDIENTE',
           group_id = case r.state when 'PENDIENTE' then r.group_id else excluded.group_id end
         where r.state <> 'MAIL_VALIDADO' returning ${COLUMNS}`,
        [email, name, groupName],
      );
      return row && this.token(tx, row);
    });
  }

  /** The registration of an address that waits to be confirmed. */
  async waiting(email: string): Promise<Registration | undefined> {
    return this.database.ungrouped((tx) => this.inState(tx, email, 'PENDIENTE'));
  }

  /** A fresh token for a registration that waits to be confirmed. */
  async again(email: string): Promise<string | undefined> {
    return this.database.ungrouped(async (tx) => {
      const row = await this.inState(tx, email, 'PENDIENTE');
      return row && this.token(tx, row);
    });
  }

  /** The registration of a token whose secret fits and that is still valid. */
  async byToken({ id, groupId, secret }: LocatedToken): Promise<Registration | undefined> {
    const [row] = await this.database.ungrouped((tx) =>
      tx.query<Registration & { hash: Buffer; version: number }>(
        `select ${COLUMNS}, token_hash as hash, pepper_version as version from auth.pending_registration
         where token_id = $1 and group_id = $2 and state = 'PENDIENTE' and token_expires_at > now()`,
        [id, groupId],
      ),
    );
    return row !== undefined && this.peppers.matches(secret, row.hash, row.version) ? row : undefined;
  }

  /** Stores that the owner confirmed the address; of any number of concurrent requests with one token one succeeds. */
  async confirm(tx: Transaction, tokenId: string, passwordHash: string): Promise<boolean> {
    const rows = await tx.query(
      `update auth.pending_registration set state = 'MAIL_VALIDADO', password_hash = $2, token_id = null, token_hash = null
       where token_id = $1 and state = 'PENDIENTE' returning email`,
      [tokenId, passwordHash],
    );
    return rows.length > 0;
  }

  async confirmed(email: string): Promise<Registration | undefined> {
    return this.database.ungrouped((tx) => this.inState(tx, email, 'MAIL_VALIDADO'));
  }

  async allConfirmed(): Promise<readonly string[]> {
    const rows = await this.database.ungrouped((tx) =>
      tx.query<{ email: string }>(
        `select email from auth.pending_registration where state = 'MAIL_VALIDADO' order by created_at limit 100`,
      ),
    );
    return rows.map(({ email }) => email);
  }

  /**
   * Creates group, entity, user and initial roles in the transaction that ends the registration.
   * @throws PeopleConflict where another account has confirmed the address meanwhile
   */
  async seed(tx: Transaction, { email, name, groupName, passwordHash }: Registration): Promise<boolean> {
    if (!(await this.complete(tx, email))) return false;
    const group = tx.groupId;
    await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, $3)`, [
      group,
      newGroupCode(),
      groupName,
    ]);
    await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'E1', $2)`, [group, groupName]);
    const userId = await this.user(tx, email, name);
    for (const [position, roleId] of INITIAL_ROLES.entries())
      await tx.query(`insert into auth.user_role (group_id, user_id, role_id, position) values ($1, $2, $3, $4)`, [
        group,
        userId,
        roleId,
        position,
      ]);
    await tx.query(`insert into auth.user_entity (group_id, user_id, entity_code) values ($1, $2, 'E1')`, [
      group,
      userId,
    ]);
    await tx.query(`insert into auth.password (group_id, user_id, hash) values ($1, $2, $3)`, [
      group,
      userId,
      passwordHash,
    ]);
    return true;
  }

  /** The last state of a registration; of any number of concurrent requests one succeeds. */
  private async complete(tx: Transaction, email: string): Promise<boolean> {
    const rows = await tx.query(
      `update auth.pending_registration set state = 'CREACION_SEMILLA', password_hash = null
       where email = $1 and state = 'MAIL_VALIDADO' returning email`,
      [email],
    );
    return rows.length > 0;
  }

  private async user(tx: Transaction, email: string, name: string): Promise<string> {
    const rows = await uniquely(new PeopleConflict('ADDRESS_CONFIRMED'), () =>
      tx.query<{ id: string }>(
        `insert into auth.app_user (group_id, email, name, state, address_confirmed) values ($1, $2, $3, 'ACTIVO', true)
         returning user_id as id`,
        [tx.groupId, email, name],
      ),
    );
    return onlyRow(rows).id;
  }

  private async inState(tx: Transaction, email: string, state: RegistrationState): Promise<Registration | undefined> {
    const [row] = await tx.query<Registration>(
      `select ${COLUMNS} from auth.pending_registration where email = $1 and state = $2`,
      [email, state],
    );
    return row;
  }

  private async token(tx: Transaction, { email, groupId }: Registration): Promise<string> {
    const { id, secret, text } = newToken('aci', groupId);
    await tx.query(
      `update auth.pending_registration set token_id = $2, token_hash = $3, pepper_version = $4,
         token_expires_at = now() + interval '72 hours' where email = $1`,
      [email, id, this.peppers.hash(secret), this.peppers.version],
    );
    return text;
  }
}

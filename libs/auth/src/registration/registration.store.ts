import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { Database, type Transaction } from '@acervo/platform-database';
import { GROUP_ADMIN } from '../function-catalogue/roles';
import { Peppers } from '../keys/key-hash';
import { type LocatedToken, newToken } from '../tokens/located-token';

export interface Registration {
  readonly email: string;
  readonly name: string;
  readonly groupName: string;
  readonly groupId: string;
  readonly state: string;
  readonly passwordHash: string | null;
}

const COLUMNS = `email, name, group_name as "groupName", group_id as "groupId", state, password_hash as "passwordHash"`;
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

const newGroupCode = (): string => `G${Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;

/** Registrations that wait for their confirmation. They belong to no group, so their table has no group column. */
@Injectable()
export class RegistrationStore {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
  ) {}

  /** Stores a registration, or renews one that waits, and returns the token of its mail. */
  async await(email: string, name: string, groupName: string): Promise<string | undefined> {
    return this.database.ungrouped(async (tx) => {
      const [row] = await tx.query<Registration>(
        `insert into auth.pending_registration (email, name, group_name) values ($1, $2, $3)
         on conflict (email) do update set name = excluded.name, group_name = excluded.group_name
         where pending_registration.state = 'PENDIENTE' returning ${COLUMNS}`,
        [email, name, groupName],
      );
      return row && this.token(tx, row);
    });
  }

  /** A fresh token for a registration that waits to be confirmed. */
  async again(email: string): Promise<{ readonly name: string; readonly token: string } | undefined> {
    return this.database.ungrouped(async (tx) => {
      const [row] = await tx.query<Registration>(
        `select ${COLUMNS} from auth.pending_registration where email = $1 and state = 'PENDIENTE'`,
        [email],
      );
      return row && { name: row.name, token: await this.token(tx, row) };
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
    const [row] = await this.database.ungrouped((tx) =>
      tx.query<Registration>(
        `select ${COLUMNS} from auth.pending_registration where email = $1 and state = 'MAIL_VALIDADO'`,
        [email],
      ),
    );
    return row;
  }

  async allConfirmed(): Promise<readonly string[]> {
    const rows = await this.database.ungrouped((tx) =>
      tx.query<{ email: string }>(
        `select email from auth.pending_registration where state = 'MAIL_VALIDADO' order by created_at limit 100`,
      ),
    );
    return rows.map(({ email }) => email);
  }

  /** Creates group, entity and administrator in the transaction that deletes the registration. */
  async seed(tx: Transaction, { email, name, groupName, passwordHash }: Registration): Promise<boolean> {
    const gone = await tx.query(
      `delete from auth.pending_registration where email = $1 and state = 'MAIL_VALIDADO' returning email`,
      [email],
    );
    if (gone.length === 0) return false;
    const group = tx.groupId;
    await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, $3)`, [
      group,
      newGroupCode(),
      groupName,
    ]);
    await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'E1', $2)`, [group, groupName]);
    const [user] = await tx.query<{ id: string }>(
      `insert into auth.app_user (group_id, email, name, state) values ($1, $2, $3, 'ACTIVO') returning user_id as id`,
      [group, email, name],
    );
    await tx.query(`insert into auth.user_role (group_id, user_id, role_id) values ($1, $2, $3)`, [
      group,
      user?.id,
      GROUP_ADMIN.id,
    ]);
    await tx.query(`insert into auth.user_entity (group_id, user_id, entity_code) values ($1, $2, 'E1')`, [
      group,
      user?.id,
    ]);
    await tx.query(`insert into auth.password (group_id, user_id, hash) values ($1, $2, $3)`, [
      group,
      user?.id,
      passwordHash,
    ]);
    return true;
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

import { Injectable } from '@nestjs/common';
import type { UserState } from '@acervo/public-mapping';
import { Database, type Transaction } from '@acervo/platform-database';
import { DirectoryDatabase } from '../databases/databases';
import { seenBy } from '../kernel/role-sql';

const NO_ID = '00000000-0000-0000-0000-000000000000';
/** Looked up for an unknown address, so that the same statements run either way. */
const NOBODY = { groupId: NO_ID, userId: NO_ID } as const;

/** An account, whether or not it may log in. */
export interface Account {
  readonly groupId: string;
  readonly userId: string;
  readonly groupName: string;
  readonly email: string;
  readonly name: string;
  readonly state: string;
  readonly hash: string | null;
  /** When the password was set; another text for every password. */
  readonly passwordEpoch: string;
  readonly hasRoles: boolean;
  /** The verified factor that a login requires. */
  readonly factorId: string | null;
}

/** When a password of `auth.password p` was set. Tokens of devices are signed over this text: it is one expression. */
export const PASSWORD_EPOCH = `coalesce(extract(epoch from p.changed_at)::text, '')`;

const ACCOUNT = `
select u.group_id as "groupId", u.user_id as "userId", u.email, u.name, u.state, p.hash, ${PASSWORD_EPOCH} as "passwordEpoch",
  (select g.name from auth.tenant_group g where g.group_id = u.group_id) as "groupName",
  exists (select from auth.user_role ur join auth.role_list l on l.role_id = ur.role_id and ${seenBy('ur.group_id', 'l')}
    where ur.group_id = u.group_id and ur.user_id = u.user_id) as "hasRoles",
  (select f.factor_id from auth.factor f where f.group_id = u.group_id and f.user_id = u.user_id and f.verified_at is not null
    order by f.kind, f.created_at limit 1) as "factorId"
from auth.app_user u left join auth.password p on p.group_id = u.group_id and p.user_id = u.user_id
where u.group_id = $1 and u.user_id = $2`;

/** An address has at most so many unconfirmed accounts that sign in or get links; its owner can always confirm one. */
const MOST_UNCONFIRMED = 4;

/** The confirmed account of an address is its only one; without it, each group may have an unconfirmed one. */
const DIRECTORY = `select group_id as "groupId", user_id as "userId" from auth.login_directory d
where email = $1 and state = $2 and ($3::uuid is null or group_id = $3)
  and (confirmed or not exists (select from auth.login_directory c where c.email = $1 and c.confirmed))
order by user_id limit ${MOST_UNCONFIRMED}`;

interface AccountLocation {
  readonly groupId: string;
  readonly userId: string;
}

/** People by their addresses, and their passwords. */
@Injectable()
export class AccountStore {
  constructor(
    private readonly database: Database,
    private readonly directory: DirectoryDatabase,
  ) {}

  /** The accounts of an address that are in this state, oldest first. @param groupId the group of a person invited to it */
  async find(email: string, state: UserState, groupId?: string): Promise<readonly Account[]> {
    const found = await this.directory.ungrouped((tx) =>
      tx.prepared<AccountLocation>(DIRECTORY, [email, state, groupId ?? null]),
    );
    const accounts: Account[] = [];
    for (const location of found.length === 0 ? [NOBODY] : found) accounts.push(...(await this.read(location)));
    return accounts.filter((account) => account.state === state);
  }

  async setPassword(tx: Transaction, userId: string, hash: string): Promise<void> {
    await tx.query(
      `insert into auth.password (group_id, user_id, hash) values ($1, $2, $3)
       on conflict (group_id, user_id) do update set hash = excluded.hash, changed_at = now()`,
      [tx.groupId, userId, hash],
    );
  }

  private read({ groupId, userId }: AccountLocation): Promise<readonly Account[]> {
    return this.database.read({ groupId }, (tx) => tx.prepared<Account>(ACCOUNT, [groupId, userId]));
  }
}

import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@acervo/platform-database';
import { DirectoryDatabase } from '../databases/databases';
import { seenBy } from '../verification/role-sql';

/** Looked up for an unknown address, so that the same statements run either way. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** An account, whether or not it may log in. */
export interface Account {
  readonly groupId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly state: string;
  readonly hash: string | null;
  readonly hasRoles: boolean;
  /** The verified factor that a login requires. */
  readonly factorId: string | null;
}

const ACCOUNT = `
select u.group_id as "groupId", u.user_id as "userId", u.email, u.name, u.state, p.hash,
  exists (select from auth.user_role ur join auth.role_list l on l.role_id = ur.role_id and ${seenBy('ur.group_id', 'l')}
    where ur.group_id = u.group_id and ur.user_id = u.user_id) as "hasRoles",
  (select f.factor_id from auth.factor f where f.group_id = u.group_id and f.user_id = u.user_id and f.verified_at is not null
    order by f.kind, f.created_at limit 1) as "factorId"
from auth.app_user u left join auth.password p on p.group_id = u.group_id and p.user_id = u.user_id
where u.group_id = $1 and u.user_id = $2`;

const DIRECTORY = `select group_id as "groupId", user_id as "userId" from auth.login_directory where email = $1`;

/** People by their addresses, and their passwords. */
@Injectable()
export class AccountStore {
  constructor(
    private readonly database: Database,
    private readonly directory: DirectoryDatabase,
  ) {}

  async find(email: string): Promise<Account | undefined> {
    const [found] = await this.directory.ungrouped((tx) =>
      tx.prepared<{ groupId: string; userId: string }>(DIRECTORY, [email]),
    );
    const { groupId, userId } = found ?? { groupId: NOBODY, userId: NOBODY };
    const [account] = await this.database.read({ groupId }, (tx) => tx.prepared<Account>(ACCOUNT, [groupId, userId]));
    return account;
  }

  async setPassword(tx: Transaction, userId: string, hash: string): Promise<void> {
    await tx.query(
      `insert into auth.password (group_id, user_id, hash) values ($1, $2, $3)
       on conflict (group_id, user_id) do update set hash = excluded.hash, changed_at = now()`,
      [tx.groupId, userId, hash],
    );
  }
}

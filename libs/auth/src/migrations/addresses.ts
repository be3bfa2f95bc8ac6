import { foldAddress } from '@acervo/contracts';
import { type MigrationClass, type MigrationQuery, sqlMigration } from '@acervo/platform-database';

const MOST_LOCAL = 64;
const TABLES = ['app_user', 'login_directory', 'pending_registration'] as const;

const ROW_SECURITY = ['app_user', 'login_directory'] as const;
const rowSecurity = (state: 'force' | 'no force'): string =>
  ROW_SECURITY.map((table) => `alter table auth.${table} ${state} row level security;`).join('\n');

/** Addresses are folded before they reach the database, which folds them differently in each locale. */
const unfolded = `
drop trigger lower_address on auth.app_user;
drop function auth.lower_address();
alter table auth.login_directory drop constraint login_directory_email_check;
alter table auth.pending_registration drop constraint pending_registration_email_check;
create or replace function auth.keep_login_directory() returns trigger language plpgsql as $body$
begin
  insert into auth.login_directory (email, group_id, user_id, name, state)
    values (new.email, new.group_id, new.user_id, new.name, new.state)
    on conflict (group_id, user_id) do update set email = excluded.email, name = excluded.name, state = excluded.state;
  return new;
end $body$;
-- The owner is bound by row security like every role, so it is lifted for the rows of all groups.
${rowSecurity('no force')}
`;

/** The part of folding on which all locales agree refuses an address that no caller folded. */
const checked = `
${rowSecurity('force')}
${TABLES.map((table) => `alter table auth.${table} add constraint ${table}_email_folded check (email = lower(email collate "C"));`).join('\n')}
`;

/** An address of the same mailbox where mail servers know subaddresses; unique by the id of its user. */
const sparedAddress = (email: string, userId: string): string => {
  const at = email.lastIndexOf('@');
  const suffix = `+${userId.slice(-12)}`;
  return `${[...email.slice(0, at)].slice(0, MOST_LOCAL - suffix.length).join('')}${suffix}${email.slice(at)}`;
};

interface StoredAddress {
  readonly groupId: string;
  readonly userId: string;
  readonly email: string;
}

const isUnfolded = ({ email }: Pick<StoredAddress, 'email'>): boolean => foldAddress(email) !== email;
const BEYOND_ASCII = `email ~ '[^\\x01-\\x7f]'`;

/**
 * Where several users have one address after folding, the one who has the folded spelling keeps it, else the oldest.
 * The others get a subaddress and keep keys, roles and passwords.
 */
const foldUsers = async (query: MigrationQuery): Promise<void> => {
  const users = await query<StoredAddress>(
    `select group_id as "groupId", user_id as "userId", email from auth.app_user where ${BEYOND_ASCII} order by created_at, user_id`,
  );
  for (const { groupId, userId, email } of users.filter(isUnfolded)) {
    const folded = foldAddress(email);
    const taken = await query(`select from auth.app_user where email = $1`, [folded]);
    const address = taken.length === 0 ? folded : sparedAddress(folded, userId);
    await query(`update auth.app_user set email = $3 where group_id = $1 and user_id = $2`, [groupId, userId, address]);
  }
};

/** A registration whose folded address has another one is deleted: its owner registers again. */
const foldRegistrations = async (query: MigrationQuery): Promise<void> => {
  const waiting = await query<Pick<StoredAddress, 'email'>>(
    `select email from auth.pending_registration where ${BEYOND_ASCII} order by created_at, email`,
  );
  for (const { email } of waiting.filter(isUnfolded)) {
    await query(
      `update auth.pending_registration set email = $2 where email = $1
         and not exists (select from auth.pending_registration where email = $2)`,
      [email, foldAddress(email)],
    );
    await query(`delete from auth.pending_registration where email = $1`, [email]);
  }
};

/** Stored addresses have the spelling that decoding gives them. */
export const foldedAddresses: MigrationClass = sqlMigration('AuthFoldedAddresses1790000310000', unfolded, {
  afterwards: async (query) => {
    await foldUsers(query);
    await foldRegistrations(query);
    await query(checked);
  },
});
